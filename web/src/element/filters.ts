import type { IndexInfo } from "../door";
import type { Language } from "../language/table";
import { conditions, hasYears, noFilter, type FilterChoice } from "../session/filter";
import type { Year } from "../text/days";
import { h, setText } from "./dom";
import { seasonText } from "./dates";
import { FacetGroup } from "./facet";
import { YearField } from "./years";

/** What the panel shows. */
export interface Filters {
  info: IndexInfo | null;
  filter: FilterChoice;
  /** Records that pass, once a search has counted them. */
  matching: number | null;
}

/** The filters: years, records without a date, and the facets of the index. */
export class FilterPanel {
  readonly #summary = h("summary", { part: "filters-title" });
  readonly #from = new YearField("from", () => this.#readYears());
  readonly #to = new YearField("to", () => this.#readYears());
  readonly #yearsTitle = h("legend");
  readonly #hint = h("p", { id: "years-hint", class: "note" });
  readonly #error = h("p", { id: "years-error", class: "error", role: "alert" });
  readonly #undated = h("input", { type: "checkbox" });
  readonly #undatedText = h("span");
  readonly #years = h(
    "fieldset",
    { part: "years" },
    this.#yearsTitle,
    h("div", { class: "fields" }, this.#from.node, this.#to.node),
    this.#hint,
    this.#error,
    h("label", { class: "choice" }, this.#undated, this.#undatedText),
  );
  readonly #season = h("p", { class: "note", part: "filters-season" });
  readonly #facets = h("div", { class: "facets" });
  readonly #matching = h("p", { class: "matching", part: "matching" });
  readonly #clear = h("button", { type: "button", class: "quiet small", part: "clear" });
  readonly node = h(
    "details",
    { class: "filters", part: "filters", hidden: true },
    this.#summary,
    h("div", { class: "panel" }, this.#years, this.#season, this.#facets, h("div", { class: "foot" }, this.#clear, this.#matching)),
  );
  #groups: FacetGroup[] = [];
  #info: IndexInfo | null = null;
  #filter: FilterChoice = noFilter;
  #language: Language | null = null;
  #drawn: Filters | null = null;

  constructor(private readonly onChange: (filter: FilterChoice) => void) {
    this.#undated.addEventListener("change", () => this.#change({ undated: this.#undated.checked }));
    this.#clear.addEventListener("click", () => {
      // The button goes with the filter it clears; the focus must not go with it.
      this.#summary.focus();
      this.#from.clear();
      this.#to.clear();
      this.#say("");
      this.onChange(noFilter);
    });
  }

  /** Shows a filter over what the index offers. */
  draw(filters: Filters, language: Language): void {
    const { info, filter, matching } = filters;
    const same = this.#drawn?.info === info && this.#drawn.filter === filter && this.#drawn.matching === matching;
    if (same && this.#language === language) return;
    this.#drawn = filters;
    this.#filter = filter;
    this.#language = language;
    if (info !== this.#info) this.#build(info);
    this.node.hidden = info === null || (info.dated === 0 && info.facets.length === 0 && filter.season === null);
    if (info === null) return;

    const count = conditions(filter);
    setText(this.#summary, count === 0 ? language.say("filters.title") : language.say("filters.title.active", { count: language.count(count) }));
    setText(this.#yearsTitle, language.say("filters.years"));
    setText(this.#hint, language.say("filters.hint"));
    this.#years.hidden = info.dated === 0;
    this.#from.draw(filter.from, language.say("filters.from"), language);
    this.#to.draw(filter.to, language.say("filters.to"), language);
    this.#undated.checked = filter.undated;
    // Without years everything undated passes anyway.
    this.#undated.disabled = !hasYears(filter);
    setText(this.#undatedText, language.say("filters.undated", { count: language.count(info.documents - info.dated) }));
    setText(this.#season, filter.season === null ? "" : seasonText(filter.season, language));
    for (const group of this.#groups) group.draw(filter, language);
    setText(this.#clear, language.say("filters.clear"));
    this.#clear.hidden = count === 0;
    const counted = count > 0 && matching !== null;
    setText(this.#matching, counted ? language.say("filters.matching", { records: language.counted("records", matching) }) : "");
  }

  #build(info: IndexInfo | null): void {
    this.#info = info;
    this.#groups = (info?.facets ?? []).map(
      (facet) => new FacetGroup(facet, (value, chosen) => this.#choose(facet.label, value, chosen)),
    );
    this.#facets.replaceChildren(...this.#groups.map((group) => group.node));
  }

  #choose(label: string, value: string, chosen: boolean): void {
    const others = this.#filter.facets.filter((facet) => facet.label !== label || facet.value !== value);
    this.#change({ facets: chosen ? [...others, { label, value }] : others });
  }

  #readYears(): void {
    const [from, to] = [this.#from.read(), this.#to.read()];
    const crossed = isYear(from) && isYear(to) && from > to;
    this.#from.mark(from === undefined);
    this.#to.mark(to === undefined || crossed);
    if (from === undefined || to === undefined) {
      const value = from === undefined ? this.#from.typed : this.#to.typed;
      return this.#say(this.#language?.say("filters.year.bad", { value }) ?? "");
    }
    if (crossed) return this.#say(this.#language?.say("filters.years.crossed") ?? "");
    this.#say("");
    this.#change({ from, to });
  }

  #change(change: Partial<FilterChoice>): void {
    this.onChange({ ...this.#filter, ...change });
  }

  #say(error: string): void {
    if (error === "") {
      this.#from.mark(false);
      this.#to.mark(false);
    }
    setText(this.#error, error);
  }
}

function isYear(year: Year | null | undefined): year is Year {
  return year !== null && year !== undefined;
}
