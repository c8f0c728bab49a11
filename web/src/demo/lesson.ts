/** A walk through how a score arises, on the collection that is loaded; a page shows it where its address holds `demo`. */
import type { AlmanacSearch } from "../element/almanac-search";
import { h, setText } from "../element/dom";
import { styles } from "../element/styles";
import type { Language } from "../language/table";
import type { Explained } from "../protocol";
import { sheet } from "./sheet";
import { cosineStep, questionStep, rankedItems, timeStep, vectorStep } from "./steps";

/** Records that the lesson looks at. */
const RECORDS = 6;

/** The steps in their order. */
const STEPS = ["question", "vector", "cosine", "time", "score"] as const;

/** The steps that look at one record. */
const OF_A_RECORD: readonly string[] = ["cosine", "time"];

/** The lesson as an element; `search` is the search it takes its numbers from. */
export class AlmanacLesson extends HTMLElement {
  readonly #input = h("input", { id: "question", type: "search", part: "question", autocomplete: "off" });
  readonly #label = h("label", { for: "question" });
  readonly #ask = h("button", { type: "submit" });
  readonly #title = h("h2", { tabindex: "-1", part: "step-title" });
  readonly #recordLabel = h("label", { for: "record" });
  readonly #record = h("select", { id: "record", part: "record" });
  readonly #recordField = h("div", { class: "field" }, this.#recordLabel, this.#record);
  readonly #body = h("div", { part: "step" });
  readonly #alphaLabel = h("label", { for: "alpha" });
  readonly #alpha = h("input", { id: "alpha", type: "range", min: "0", max: "1", step: "0.05", part: "alpha" });
  readonly #alphaNote = h("p", { class: "note" });
  readonly #ranked = h("ol", { class: "ranked", part: "ranked", role: "list" });
  readonly #score = h("div", {}, this.#alphaLabel, this.#alpha, this.#alphaNote, this.#ranked);
  readonly #previous = h("button", { type: "button", class: "quiet", part: "previous" });
  readonly #next = h("button", { type: "button", part: "next" });
  readonly #count = h("span", { class: "count" });
  readonly #status = h("p", { class: "status", role: "status", part: "status" });
  readonly #frame = h("div", { class: "lesson", part: "lesson" });
  #search: AlmanacSearch | null = null;
  #explained: Explained | null = null;
  #step = 0;
  /** The newest wish; one that comes while another is answered waits, and the last wins. */
  #wanted: { query: string; alpha: number | null } | null = null;
  #busy = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const own = new CSSStyleSheet();
    own.replaceSync(styles + sheet);
    root.adoptedStyleSheets = [own];
    const form = h("form", { role: "search" }, this.#label, h("div", { class: "bar" }, this.#input, this.#ask));
    const steps = h("div", { class: "steps" }, this.#previous, this.#next, this.#count);
    this.#frame.append(form, this.#status, this.#title, this.#recordField, this.#body, this.#score, steps);
    root.append(this.#frame);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#want(null);
    });
    this.#previous.addEventListener("click", () => this.#go(this.#step - 1));
    this.#next.addEventListener("click", () => this.#go(this.#step + 1));
    this.#record.addEventListener("change", () => this.#draw());
    this.#alpha.addEventListener("input", () => this.#want(this.#alpha.valueAsNumber));
  }

  /** Begins with a question, at a step counted from 1. */
  begin(search: AlmanacSearch, query: string, step: number): void {
    this.#search = search;
    this.#input.value = query;
    this.#step = Math.min(STEPS.length, Math.max(1, Math.trunc(step) || 1)) - 1;
    search.addEventListener("almanac-stage", () => {
      if (this.#input.value === "") this.#input.value = datedExample(search.info?.examples ?? []);
      this.#want(null);
    });
    this.#want(null);
    this.#draw();
  }

  /** Shows another language. */
  speak(): void {
    this.#draw();
  }

  get #language(): Language | null {
    return this.#search?.language ?? null;
  }

  /** Asks for the question in the box; `alpha` is the weight of time, null that of the index. */
  #want(alpha: number | null): void {
    this.#wanted = { query: this.#input.value, alpha };
    if (!this.#busy) void this.#answer();
  }

  async #answer(): Promise<void> {
    const search = this.#search;
    this.#busy = true;
    while (search !== null && this.#wanted !== null) {
      const { query, alpha } = this.#wanted;
      this.#wanted = null;
      const words = search.info?.weights.words ?? 0;
      try {
        const explained = await search.explain(query, RECORDS, alpha === null ? undefined : { time: alpha, words });
        if (explained !== null) this.#take(explained, alpha);
        this.#say(explained === null ? "demo.loading" : explained.documents.length === 0 ? "demo.empty" : null);
      } catch (cause) {
        setText(this.#status, cause instanceof Error ? cause.message : String(cause));
      }
    }
    this.#busy = false;
  }

  #take(explained: Explained, alpha: number | null): void {
    const same = this.#explained;
    const chosen = this.#record.value;
    this.#explained = explained;
    if (alpha === null) this.#alpha.value = String(explained.weights.time);
    // A change of weights moves the list, not the record that is looked at.
    if (alpha === null || same === null) {
      this.#record.replaceChildren(...explained.documents.map(({ id, title }) => h("option", { value: id }, title)));
      if (explained.documents.some(({ id }) => id === chosen)) this.#record.value = chosen;
      this.#records = explained;
    }
    this.#draw();
  }

  /** The answer by the index's own weights, whose records the steps look at. */
  #records: Explained | null = null;

  #say(key: "demo.loading" | "demo.empty" | null): void {
    setText(this.#status, key === null ? "" : (this.#language?.say(key) ?? ""));
  }

  #go(step: number): void {
    if (step < 0 || step >= STEPS.length) return;
    this.#step = step;
    const address = new URL(location.href);
    address.searchParams.set("demo", String(step + 1));
    history.replaceState(history.state, "", address);
    this.#draw();
    this.#title.focus();
  }

  #draw(): void {
    const language = this.#language;
    if (language === null) return;
    const name = STEPS[this.#step] ?? "question";
    this.#frame.lang = language.tag;
    setText(this.#label, language.say("demo.label"));
    setText(this.#ask, language.say("demo.ask"));
    setText(this.#title, language.say(`demo.${name}`));
    setText(this.#recordLabel, language.say("demo.record"));
    setText(this.#previous, language.say("demo.previous"));
    setText(this.#next, language.say("demo.next"));
    setText(this.#count, language.say("demo.count", { step: language.count(this.#step + 1), steps: language.count(STEPS.length) }));
    // A disabled button would drop the focus at the last step.
    this.#previous.setAttribute("aria-disabled", String(this.#step === 0));
    this.#next.setAttribute("aria-disabled", String(this.#step === STEPS.length - 1));
    const [explained, records] = [this.#explained, this.#records];
    const record = records?.documents.find(({ id }) => id === this.#record.value) ?? records?.documents[0];
    this.#recordField.hidden = !OF_A_RECORD.includes(name) || record === undefined;
    this.#score.hidden = name !== "score" || explained === null;
    this.#body.hidden = name === "score";
    if (explained === null || records === null || record === undefined) return this.#body.replaceChildren();
    const lesson = { explained: records, language, record };
    const build = { question: questionStep, vector: vectorStep, cosine: cosineStep, time: timeStep, score: () => [] }[name];
    this.#body.replaceChildren(...build(lesson));
    setText(this.#alphaLabel, language.say("demo.alpha", { alpha: this.#alpha.valueAsNumber.toFixed(2) }));
    setText(this.#alphaNote, language.say(explained.by.time ? "demo.alpha.text" : "demo.alpha.none"));
    this.#alpha.disabled = !explained.by.time;
    this.#ranked.replaceChildren(...rankedItems(explained, language));
  }
}

if (customElements.get("almanac-lesson") === undefined) customElements.define("almanac-lesson", AlmanacLesson);

/** Puts the lesson in the place of a search, which stays the source of its numbers. */
export function openLesson(search: AlmanacSearch, parameters: URLSearchParams): AlmanacLesson {
  const lesson = document.createElement("almanac-lesson") as AlmanacLesson;
  search.before(lesson);
  lesson.begin(search, (parameters.get("q") ?? "").trim(), Number(parameters.get("demo")));
  return lesson;
}

/** An example with a number in it, which is likely to name a time; else the first. */
function datedExample(examples: readonly string[]): string {
  return examples.find((text) => /\d/.test(text)) ?? examples[0] ?? "";
}
