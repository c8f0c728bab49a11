import { builtIn, languageTag, ownLanguage } from "../language/choose";
import { readStrings } from "../language/own";
import type { Language } from "../language/table";

/** Told of each language as it comes; `fault` says why a site's own sentences were refused. */
export type OnLanguage = (language: Language, fault: string | null) => void;

/** Finds the language of an element: the built-in one at once, a site's own when its file is there. */
export class LanguageSource {
  /** Counts the choices, so that a file that comes late changes nothing. */
  #asked = 0;

  constructor(private readonly onLanguage: OnLanguage) {}

  /** Chooses anew, as when an attribute has changed; `file` is the site's own, if it has one. */
  choose(element: Element, file: URL | null): void {
    this.#asked += 1;
    const tag = languageTag(element);
    this.onLanguage(builtIn(tag), null);
    if (file !== null) void this.#read(file, tag, this.#asked);
  }

  /** Forgets what is on its way. */
  close(): void {
    this.#asked += 1;
  }

  async #read(file: URL, tag: string, asked: number): Promise<void> {
    let language = builtIn(tag);
    let fault: string | null = null;
    try {
      const response = await fetch(file, { credentials: "same-origin", referrerPolicy: "no-referrer" });
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      language = ownLanguage(tag, readStrings(await response.text()));
    } catch (cause) {
      fault = `${file.pathname.split("/").pop() ?? ""}: ${cause instanceof Error ? cause.message : String(cause)}`;
    }
    if (asked === this.#asked) this.onLanguage(language, fault);
  }
}
