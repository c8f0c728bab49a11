import type { Language } from "../language/table";
import type { FoundDocument } from "../protocol";
import { safeLink } from "../text/link";
import { timeText } from "./dates";
import { h } from "./dom";
import { markedNodes } from "./marked";
import { Explanation } from "./why";

/** What a result is shown against. */
export interface ResultContext {
  /** Against which relative links are resolved. */
  base: string;
  /** Whether thumbnails may be fetched from other sites, which then learn of the visit. */
  remoteImages: boolean;
  language: Language;
  /** The time that the query names, for people; "" when it names none. */
  span: string;
  /** What the collection is called. */
  collection: string;
  /** Told of the record whose like is wanted. */
  onLike: (found: FoundDocument) => void;
}

/** Why something cannot be done: a sentence, and the id of the element that holds it. */
export interface Reason {
  id: string;
  text: string;
}

/** One result as a list item, which outlives the answer that first brought it. */
export class ResultView {
  readonly #date = h("p", { class: "date", part: "date", dir: "auto" });
  readonly #passage = h("p", { class: "passage", part: "passage", dir: "auto" });
  readonly #time = h("p", { class: "time", part: "time", dir: "auto" });
  readonly #explanation = new Explanation();
  readonly #likeText = h("span");
  readonly #likeOf = h("span", { class: "hidden-text" });
  readonly #like = h("button", { type: "button", class: "link", part: "more-like" }, this.#likeText, this.#likeOf);
  #onLike: () => void = () => undefined;
  readonly node: HTMLLIElement;

  constructor(found: FoundDocument, context: ResultContext) {
    const tools = h("div", { class: "tools" }, this.#explanation.node, this.#like);
    // A disabled button would drop the focus, and its reason could not be read.
    this.#like.addEventListener("click", () => this.#like.getAttribute("aria-disabled") !== "true" && this.#onLike());
    const body = h("div", { class: "body" }, title(found, context.base), this.#date, this.#passage, this.#time, tools);
    this.node = h("li", { part: "result" }, thumbnail(found, context), body);
    this.update(found, context);
  }

  /** Shows another answer's view of the same document. */
  update(found: FoundDocument, context: ResultContext): void {
    this.#date.textContent = found.date ?? "";
    this.#date.hidden = this.#date.textContent === "";
    this.#passage.replaceChildren(...markedNodes(found.passage, found.marks));
    this.#time.textContent = timeText(found, context.span, context.language) ?? "";
    this.#time.hidden = this.#time.textContent === "";
    this.#explanation.update(found, context);
    this.#likeText.textContent = context.language.say("like.button");
    this.#likeOf.textContent = `: ${found.title}`;
    this.#onLike = () => context.onLike(found);
  }

  /** Shows whether the like of this record can be asked for, or why not. */
  allowLike(reason: Reason | null): void {
    if (reason === null) {
      this.#like.removeAttribute("aria-disabled");
      this.#like.removeAttribute("aria-describedby");
      this.#like.removeAttribute("title");
    } else {
      this.#like.setAttribute("aria-disabled", "true");
      this.#like.setAttribute("aria-describedby", reason.id);
      this.#like.title = reason.text;
    }
  }
}

function title(found: FoundDocument, base: string): HTMLElement {
  const text = found.title.trim() === "" ? found.id : found.title;
  const link = safeLink(found.url, base);
  if (link === null) return h("h3", { part: "title", dir: "auto", tabindex: "-1", "data-title": true }, text);
  const anchor = h("a", { href: link.href, rel: "noopener noreferrer", "data-title": true }, text);
  return h("h3", { part: "title", dir: "auto" }, anchor);
}

function thumbnail(found: FoundDocument, context: ResultContext): HTMLElement | null {
  const source = safeLink(found.image, context.base);
  if (source === null) return null;
  if (source.origin !== new URL(context.base).origin && !context.remoteImages) return null;
  // The title beside it says what it shows; a second reading would only be noise.
  const image = h("img", { part: "thumbnail", loading: "lazy", decoding: "async", alt: "", referrerpolicy: "no-referrer", src: source.href });
  image.addEventListener("error", () => image.remove(), { once: true });
  return image;
}
