import type { Language } from "../language/table";
import type { Year } from "../text/days";
import { parseYear } from "../text/year";
import { yearText } from "./dates";
import { h } from "./dom";

/** One input for a year; BC is written in words or with a sign. */
export class YearField {
  readonly #label: HTMLLabelElement;
  readonly #input: HTMLInputElement;
  readonly #note: HTMLElement;
  readonly node: HTMLElement;
  #year: Year | null = null;

  constructor(id: "from" | "to", onChange: () => void) {
    this.#label = h("label", { for: `year-${id}` });
    this.#note = h("span", { id: `year-${id}-note`, class: "note" });
    this.#input = h("input", {
      id: `year-${id}`,
      class: "year",
      part: "year",
      type: "text",
      autocomplete: "off",
      maxlength: "24",
      "aria-describedby": `year-${id}-note years-hint years-error`,
    });
    this.node = h("div", { class: "field" }, this.#label, this.#input, this.#note);
    this.#input.addEventListener("change", onChange);
  }

  /** The year in the input, null when it is empty, undefined when it holds something else. */
  read(): Year | null | undefined {
    const typed = this.#input.value.trim();
    return typed === "" ? null : (parseYear(typed) ?? undefined);
  }

  /** What is typed. */
  get typed(): string {
    return this.#input.value.trim();
  }

  /** Marks what is typed as unusable, or no longer. */
  mark(bad: boolean): void {
    if (bad) this.#input.setAttribute("aria-invalid", "true");
    else this.#input.removeAttribute("aria-invalid");
  }

  /** Empties the input. */
  clear(): void {
    this.#input.value = "";
    this.mark(false);
  }

  /** Shows a year; what the visitor has typed for it stays as typed. */
  draw(year: Year | null, label: string, language: Language): void {
    this.#label.textContent = label;
    if (year !== this.#year && this.read() !== year) this.#input.value = year === null ? "" : written(year, language);
    this.#year = year;
    // A sign is easily misread, so the year is said back unless it is written as it would be said.
    const said = year === null ? "" : yearText(year, language);
    const plain = this.typed === said || (year !== null && year > 0 && this.typed === String(year));
    this.#note.textContent = year === null || plain ? "" : language.say("filters.reads", { year: said });
  }
}

/** A year as the visitor could have typed it. */
function written(year: Year, language: Language): string {
  const text = year > 0 ? String(year) : yearText(year, language);
  return parseYear(text) === year ? text : String(year);
}
