import type { Facet } from "../door";
import type { Language } from "../language/table";
import { isChosen, type FilterChoice } from "../session/filter";
import { h } from "./dom";

/** Values that are shown before "more" is pressed. */
export const FIRST_VALUES = 8;

/** The values of one facet as checkboxes. */
export class FacetGroup {
  readonly #boxes: { value: string; count: number; input: HTMLInputElement; text: HTMLElement; item: HTMLElement }[];
  readonly #more = h("button", { type: "button", class: "quiet small", part: "more", "aria-expanded": "false" });
  readonly node: HTMLElement;
  #open = false;

  constructor(
    private readonly facet: Facet,
    onChange: (value: string, chosen: boolean) => void,
  ) {
    this.#boxes = facet.values.map(({ value, count }) => {
      const input = h("input", { type: "checkbox" });
      const text = h("span", { dir: "auto" });
      input.addEventListener("change", () => onChange(value, input.checked));
      return { value, count, input, text, item: h("li", {}, h("label", { class: "choice" }, input, text)) };
    });
    const items = this.#boxes.map(({ item }) => item);
    this.node = h("fieldset", { part: "facet" }, h("legend", { dir: "auto" }, facet.label), h("ul", { role: "list" }, ...items), this.#more);
    this.#more.addEventListener("click", () => this.#toggle());
  }

  /** Shows which values are chosen; a chosen one is never hidden. */
  draw(filter: FilterChoice, language: Language): void {
    for (const [at, { value, count, input, text, item }] of this.#boxes.entries()) {
      input.checked = isChosen(filter, this.facet.label, value);
      text.textContent = language.say("filters.value", { value, count: language.count(count) });
      item.hidden = !this.#open && at >= FIRST_VALUES && !input.checked;
    }
    const rest = this.#boxes.length - FIRST_VALUES;
    this.#more.hidden = rest <= 0;
    this.#more.textContent = this.#open ? language.say("filters.less") : language.say("filters.more", { count: language.count(rest) });
    this.#more.setAttribute("aria-expanded", String(this.#open));
    this.#redraw = () => this.draw(filter, language);
  }

  #redraw: () => void = () => undefined;

  #toggle(): void {
    const first = this.#boxes.find(({ item }) => item.hidden);
    this.#open = !this.#open;
    this.#redraw();
    // The new values stand before the button: the keyboard goes on with the first of them.
    if (this.#open) first?.input.focus();
  }
}
