import type { Understood } from "../door";
import type { Language } from "../language/table";
import { h } from "./dom";
import { readingText } from "./dates";

/** What the view shows. */
export interface Readings {
  understood: Understood | null;
  /** False: dates are plain words. */
  time: boolean;
}

/** How the query's dates were read, with one button that takes the reading back or brings it back. */
export class ReadingsView {
  readonly #chips = h("ul", { class: "chips", role: "list" });
  readonly #words = h("span", { class: "as-words" });
  readonly #switch = h("button", { type: "button", class: "quiet small", part: "dates-switch" });
  readonly #refusals = h("ul", { class: "refusals", role: "list" });
  readonly #read = h("div", { class: "read" }, this.#chips, this.#words, this.#switch);
  readonly node = h("div", { id: "dates", class: "dates", part: "dates", role: "group", hidden: true }, this.#read, this.#refusals);
  #shown: Readings = { understood: null, time: true };
  #language: Language | null = null;

  constructor(onSwitch: (time: boolean) => void) {
    this.#switch.addEventListener("click", () => onSwitch(!this.#shown.time));
  }

  /** Shows how a query was read. */
  draw(readings: Readings, language: Language): void {
    const { understood, time } = readings;
    if (this.#language === language && this.#shown.understood === understood && this.#shown.time === time) return;
    this.#shown = readings;
    this.#language = language;
    const dates = understood?.dates ?? [];
    const refusals = understood?.refusals ?? [];
    this.node.setAttribute("aria-label", language.say("dates.title"));
    this.#chips.replaceChildren(...dates.map((date) => h("li", { class: "chip", part: "date-chip", dir: "auto" }, readingText(date, language))));
    this.#chips.hidden = dates.length === 0;
    this.#words.textContent = time ? "" : language.say("dates.words");
    this.#switch.textContent = language.say(time ? "dates.drop" : "dates.restore");
    this.#read.hidden = understood === null || (time && dates.length === 0);
    this.#refusals.replaceChildren(
      ...refusals.map(({ match, reason }) => h("li", { part: "refusal", dir: "auto" }, language.say("dates.refused", { match, reason }))),
    );
    this.#refusals.hidden = refusals.length === 0;
    this.node.hidden = this.#read.hidden && this.#refusals.hidden;
  }
}
