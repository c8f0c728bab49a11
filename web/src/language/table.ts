import type { en } from "./en";

/** The key of a sentence. */
export type Key = keyof typeof en;

/** Every sentence of the interface in one language. */
export type Strings = Record<Key, string>;

/** A noun that has a form for one and a form for other numbers. */
export type Noun = Key extends infer K ? (K extends `${infer N}.one` ? N : never) : never;

/** The interface's language: its sentences, and how it writes numbers. */
export class Language {
  readonly #plural: Intl.PluralRules;
  readonly #count: Intl.NumberFormat;

  constructor(
    /** BCP 47 tag. */
    readonly tag: string,
    private readonly strings: Strings,
  ) {
    this.#plural = new Intl.PluralRules(tag);
    this.#count = new Intl.NumberFormat(tag === "en" ? "en-GB" : tag);
  }

  /** A sentence with its places filled. */
  say(key: Key, values: Readonly<Record<string, string>> = {}): string {
    // One pass, so that braces in a value are text and never filled in turn.
    return this.strings[key].replace(places, (whole, name: string) => values[name] ?? whole);
  }

  /** A whole number, as in "28,258". */
  count(number: number): string {
    return this.#count.format(number);
  }

  /** A counted noun, as in "1 result" or "12 results". */
  counted(noun: Noun, number: number): string {
    const form = this.#plural.select(number) === "one" ? "one" : "other";
    return this.say(`${noun}.${form}`, { count: this.count(number) });
  }
}

/** The names of a sentence's places. */
export function placesOf(sentence: string): string[] {
  return [...sentence.matchAll(places)].map((found) => found[1] ?? "").sort();
}

const places = /\{(\w+)\}/g;
