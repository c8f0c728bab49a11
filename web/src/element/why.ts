import type { Shares } from "../door";
import type { Key } from "../language/table";
import type { FoundDocument } from "../protocol";
import { citation, citationStyles, creatorOf, type Cited } from "../text/citation";
import { safeLink } from "../text/link";
import { saidWords } from "../text/words";
import { CopyButtons } from "./copy";
import { h } from "./dom";
import type { ResultContext } from "./results";

const parts: readonly { part: keyof Shares; key: Key }[] = [
  { part: "meaning", key: "why.meaning" },
  { part: "words", key: "why.words" },
  { part: "time", key: "why.time" },
];

/** Why a result stands where it stands, with the record's fields; built only when asked for. */
export class Explanation {
  readonly #title = h("span");
  readonly #of = h("span", { class: "hidden-text" });
  readonly #content = h("div");
  readonly node = h("details", { part: "explanation" }, h("summary", {}, this.#title, this.#of), this.#content);
  #show: (() => void) | null = null;

  constructor() {
    this.node.addEventListener("toggle", () => this.#build());
  }

  /** Explains another answer; what is open stays open. */
  update(found: FoundDocument, context: ResultContext): void {
    this.#title.textContent = context.language.say("why.title");
    this.#of.textContent = `: ${found.title}`;
    this.#show = () => this.#content.replaceChildren(...explanation(found, context));
    if (this.#content.hasChildNodes()) this.#build();
  }

  #build(): void {
    this.#show?.();
    this.#show = null;
  }
}

function explanation(found: FoundDocument, context: ResultContext): HTMLElement[] {
  const { language } = context;
  const { meaning, words, time } = found.shares;
  const matched = saidWords(found.words).join(language.say("list.separator"));
  const sentences = [
    found.exact ? language.say("why.exact") : null,
    found.cosine === null ? language.say("why.cosine.none") : language.say("why.cosine", { cosine: found.cosine.toFixed(3) }),
    matched === "" ? language.say("why.matched.none") : language.say("why.matched", { words: matched }),
    found.time === null || found.time.relation === "unknown" ? null : language.say("why.time.rules"),
  ];
  const fields = found.fields.flatMap(([name, value]) => [h("dt", { dir: "auto" }, name), h("dd", { dir: "auto" }, value)]);
  return [
    h("p", { class: "why" }, language.say("why.shares", { score: (meaning + words + time).toFixed(3) })),
    h("dl", { class: "shares" }, ...parts.map(({ part, key }) => share(language.say(key), found.shares[part]))),
    ...sentences.filter((text) => text !== null).map((text) => h("p", { class: "why", dir: "auto" }, text)),
    cite(found, context),
    h("dl", { class: "record" }, h("dt", {}, language.say("why.identifier")), h("dd", { dir: "auto" }, found.id), ...fields),
  ];
}

function cite(found: FoundDocument, { base, collection, language }: ResultContext): HTMLElement {
  const cited = (): Cited => ({
    ...{ id: found.id, title: found.title, date: found.date, collection, accessed: new Date() },
    url: safeLink(found.url, base)?.href ?? null,
    creator: creatorOf(found.fields),
  });
  const texts = citationStyles.map((style) => ({ label: language.say(`cite.${style}`), text: () => citation(cited(), style) }));
  return new CopyButtons(language.say("cite.title"), texts, language).node;
}

/** One part of the score as a bar; its number is beside it, so that the bar itself need not be read. */
function share(label: string, value: number): HTMLElement {
  const bar = h("span", { class: "share", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(Math.min(1, Math.max(0, value))));
  return h("div", {}, h("dt", {}, label), h("dd", {}, bar, h("span", { class: "number" }, value.toFixed(3))));
}
