import type { Language } from "../language/table";
import { h, setText } from "./dom";

/** What the view shows. */
export interface LikeState {
  /** Title of the record whose like is shown, or what it is known by; null when the list answers a query. */
  title: string | null;
  /** Whether a query waits in the box meanwhile. */
  query: boolean;
}

/** The heading over what is like a record, as a chip that takes it back. */
export class LikeView {
  readonly #title = h("h2", { class: "chip like-title", part: "like-chip", tabindex: "-1", dir: "auto" });
  readonly #remove = h("button", { type: "button", class: "quiet small", part: "like-remove" });
  readonly #note = h("p", { class: "note", part: "like-note" });
  readonly node = h("div", { class: "like", part: "like", hidden: true }, h("div", { class: "read" }, this.#title, this.#remove), this.#note);

  constructor(onRemove: () => void) {
    this.#remove.addEventListener("click", onRemove);
  }

  /** Shows whose like the list is. */
  draw({ title, query }: LikeState, language: Language): void {
    this.node.hidden = title === null;
    if (title === null) return;
    setText(this.#title, language.say("like.title", { title }));
    setText(this.#remove, language.say("like.remove"));
    setText(this.#note, language.say(query ? "like.note.query" : "like.note"));
  }

  /** Takes the reader to it. */
  focus(): void {
    this.#title.focus();
    this.#title.scrollIntoView?.({ block: "nearest" });
  }
}
