import type { Facet } from "../door";
import type { Language } from "../language/table";
import { isChosen, type FilterChoice } from "../session/filter";
import { arrange } from "./arrange";
import { h, setText } from "./dom";

/** Values that are shown before "more" is pressed. */
const FIRST_VALUES = 8;

/** Values that each press of "more" adds: a facet may have thousands, and the page must stay quick. */
const MORE_VALUES = 100;

/** A value as a checkbox. */
interface Choice {
  input: HTMLInputElement;
  text: HTMLElement;
  item: HTMLElement;
}

/** The values of one facet as checkboxes, built as they are shown. */
export class FacetGroup {
  readonly #choices = new Map<number, Choice>();
  readonly #list = h("ul", { role: "list" });
  readonly #more = h("button", { type: "button", class: "quiet small", part: "more" });
  readonly node: HTMLElement;
  #most = FIRST_VALUES;
  #drawn: { filter: FilterChoice; language: Language } | null = null;

  constructor(
    private readonly facet: Facet,
    private readonly onChange: (value: string, chosen: boolean) => void,
  ) {
    this.node = h("fieldset", { part: "facet" }, h("legend", { dir: "auto" }, facet.label), this.#list, this.#more);
    this.#more.addEventListener("click", () => this.#press());
  }

  /** Shows which values are chosen; a chosen one is never hidden, and none goes while it may have the focus. */
  draw(filter: FilterChoice, language: Language): void {
    if (this.#drawn?.filter.facets === filter.facets && this.#drawn.language === language) return;
    this.#drawn = { filter, language };
    const chosen = (at: number): boolean => isChosen(filter, this.facet.label, this.facet.values[at]?.value ?? "");
    const shown = [...this.facet.values.keys()].filter((at) => at < this.#most || this.#choices.has(at) || chosen(at));
    const items = shown.map((at) => {
      const { value, count } = this.facet.values[at] ?? { value: "", count: 0 };
      const { input, text, item } = this.#choice(at, value);
      input.checked = chosen(at);
      setText(text, language.say("filters.value", { value, count: language.count(count) }));
      return item;
    });
    arrange(this.#list, items, items.find((item) => item.isConnected));
    const rest = this.facet.values.length - items.length;
    this.#more.hidden = this.facet.values.length <= FIRST_VALUES;
    setText(this.#more, rest === 0 ? language.say("filters.less") : language.say("filters.more", { count: language.count(rest) }));
  }

  #choice(at: number, value: string): Choice {
    const known = this.#choices.get(at);
    if (known !== undefined) return known;
    const input = h("input", { type: "checkbox" });
    const text = h("span", { dir: "auto" });
    input.addEventListener("change", () => this.onChange(value, input.checked));
    const choice = { input, text, item: h("li", {}, h("label", { class: "choice" }, input, text)) };
    this.#choices.set(at, choice);
    return choice;
  }

  #press(): void {
    const drawn = this.#drawn;
    if (drawn === null) return;
    const before = new Set(this.#choices.keys());
    if (before.size < this.facet.values.length) {
      this.#most += MORE_VALUES;
    } else {
      this.#most = FIRST_VALUES;
      this.#choices.clear();
    }
    this.#drawn = null;
    this.draw(drawn.filter, drawn.language);
    // The new values stand before the button: the keyboard goes on with the first of them.
    const added = [...this.#choices.keys()].sort((a, b) => a - b).find((at) => !before.has(at));
    if (added !== undefined) this.#choices.get(added)?.input.focus();
  }
}
