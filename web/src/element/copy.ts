import type { Language } from "../language/table";
import { h, setText } from "./dom";

/** Buttons that copy texts, and what is shown where the browser does not let a page copy. */
export class CopyButtons {
  readonly #said = h("span", { class: "note", role: "status" });
  readonly #shown = h("textarea", { readonly: true, hidden: true, rows: "6" });
  readonly node: HTMLElement;

  constructor(
    title: string,
    texts: readonly { label: string; text: () => string }[],
    private readonly language: Language,
  ) {
    const buttons = texts.map(({ label, text }) => {
      const button = h("button", { type: "button", class: "quiet small" }, label);
      button.addEventListener("click", () => void this.#copy(text(), label));
      return button;
    });
    this.#shown.setAttribute("aria-label", title);
    this.node = h("div", { class: "cite", part: "cite", role: "group", "aria-label": title }, h("span", {}, title), ...buttons, this.#said, this.#shown);
  }

  async #copy(text: string, label: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.#shown.hidden = true;
      setText(this.#said, this.language.say("cite.copied", { style: label }));
    } catch {
      // Insecure pages and wary browsers: the visitor copies it by hand.
      this.#shown.value = text;
      this.#shown.hidden = false;
      this.#shown.select();
      setText(this.#said, this.language.say("cite.shown"));
    }
  }
}
