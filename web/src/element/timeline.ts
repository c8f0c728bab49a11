import type { Language } from "../language/table";
import type { RankedDates } from "../protocol";
import { bumpOf, density, type Bump } from "../timeline/density";
import { closed, moved, wholeView, withYears, yearAt, zoomed, type View, type Years } from "../timeline/view";
import { axisNodes } from "./axis";
import { yearText } from "./dates";
import { h, setText, svg } from "./dom";
import { Edge } from "./edge";

/** What the timeline shows. */
export interface TimelineState {
  /** Dates of the results; null while there are none. */
  dates: Pick<RankedDates, "intervals" | "undated"> | null;
  /** Results with and without a date. */
  ranked: number;
  years: Years;
  /** What is asked for: another query is drawn from end to end again. */
  query: string;
}

/** Parts into which the drawing is divided, about a pixel or two each. */
const COLUMNS = 480;

/** Height of the drawing, in the units of its own. */
const HEIGHT = 100;

/** How much closer one step of zooming looks. */
const ZOOM = 3;

/** Part of the view that one step to the side moves by. */
const SIDESTEP = 0.5;

/** Part of the width that a pointer moves before it draws a range, so that a mere press changes nothing. */
const DRAG = 0.01;

/** The buttons, in the order in which they stand. */
const BUTTONS = ["in", "out", "whole", "earlier", "later"] as const;

/** Pause after a key before the results follow, in milliseconds: who holds an arrow key asks once. */
export const KEY_PAUSE_MILLIS = 250;

/** When the results are from: their dates as a sum of bumps, with the years asked for as a range that can be drawn. */
export class Timeline {
  readonly #title = h("h2", { id: "timeline-title", class: "timeline-title" });
  readonly #area = svg("path", { class: "area" });
  readonly #drawing = svg("svg", { viewBox: `0 0 ${COLUMNS} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
  readonly #range = h("div", { class: "range", "aria-hidden": "true" });
  readonly #axis = h("div", { class: "axis", "aria-hidden": "true" });
  readonly #from = new Edge("from", (year) => this.#move({ ...this.#years, from: year }));
  readonly #to = new Edge("to", (year) => this.#move({ ...this.#years, to: year }));
  readonly #plot = h("div", { class: "plot", part: "timeline-plot", dir: "ltr" });
  readonly #buttons = {
    in: this.#button("in", () => this.#zoom(1 / ZOOM)),
    out: this.#button("out", () => this.#zoom(ZOOM)),
    whole: this.#button("whole", () => this.#look(null)),
    earlier: this.#button("earlier", () => this.#step(-SIDESTEP)),
    later: this.#button("later", () => this.#step(SIDESTEP)),
  };
  readonly #undated = h("p", { class: "note", part: "timeline-undated" });
  readonly #figure = h(
    "div",
    { class: "timeline", part: "timeline", role: "group", "aria-labelledby": "timeline-title" },
    this.#title,
    this.#plot,
    h("div", { class: "zoom" }, ...BUTTONS.map((name) => this.#buttons[name])),
    this.#undated,
  );
  readonly #absent = h("p", { class: "hidden-text" });
  readonly node = h("div", { hidden: true }, this.#figure, this.#absent);

  #state: TimelineState = { dates: null, ranked: 0, years: { from: null, to: null }, query: "" };
  #language: Language | null = null;
  #bumps: Bump[] = [];
  #whole: View | null = null;
  /** Everything, as last drawn without years: a range must not squeeze the view it was drawn in. */
  #unfiltered: { query: string; view: View } | null = null;
  /** What the visitor has zoomed to; null shows everything. */
  #zoomed: View | null = null;
  /** Years being drawn or stepped to that are not asked for yet. */
  #draft: Years | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly onYears: (years: Years) => void) {
    this.#drawing.append(this.#area);
    this.#plot.append(this.#drawing, this.#range, this.#from.node, this.#to.node, this.#axis);
    this.#plot.addEventListener("pointerdown", (event) => this.#press(event));
    this.#plot.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  /** Shows the dates of an answer and the years asked for. */
  draw(state: TimelineState, language: Language): void {
    const before = this.#state;
    const { from, to } = state.years;
    const sameYears = before.years.from === from && before.years.to === to;
    if (before.dates === state.dates && sameYears && before.query === state.query && this.#language === language) return;
    if (!sameYears) this.#draft = null;
    this.#state = state;
    this.#language = language;
    if (before.query !== state.query) this.#zoomed = null;
    this.#measure();
    this.#redraw();
  }

  /** Forgets what waits for a pause. */
  close(): void {
    clearTimeout(this.#timer);
  }

  get #years(): Years {
    return this.#draft ?? this.#state.years;
  }

  get #view(): View {
    return this.#zoomed ?? this.#whole ?? { start: 0, end: 1 };
  }

  /** Finds the view of everything and the bumps in it. */
  #measure(): void {
    const { dates, years, query } = this.#state;
    const spans = dates?.intervals ?? [];
    const own = wholeView(spans, years);
    if (own !== null && years.from === null && years.to === null) this.#unfiltered = { query, view: own };
    const before = this.#unfiltered?.query === query ? this.#unfiltered.view : null;
    this.#whole = own === null ? null : before === null ? own : withYears({ start: Math.min(own.start, before.start), end: Math.max(own.end, before.end) }, years);
    this.#bumps = this.#whole === null ? [] : closed(spans, this.#whole).map(bumpOf);
  }

  #redraw(): void {
    const language = this.#language;
    if (language === null) return;
    const { dates, ranked } = this.#state;
    const dated = ranked - (dates?.undated ?? 0);
    const whole = this.#whole;
    const shown = dated >= 2 && this.#bumps.length >= 2 && whole !== null;
    this.node.hidden = dates === null || ranked === 0;
    this.#figure.hidden = !shown;
    this.#absent.hidden = shown;
    setText(this.#absent, language.say("timeline.absent"));
    if (!shown) return;

    const view = this.#view;
    setText(this.#title, language.say("timeline.title", { results: language.counted("results", dated) }));
    this.#drawing.setAttribute("aria-label", this.#summary(view, language));
    this.#area.setAttribute("d", areaPath(density(this.#bumps, view, COLUMNS)));
    this.#axis.replaceChildren(...axisNodes(view, language));
    const { from, to } = this.#years;
    this.#from.draw({ year: from, view, whole, label: language.say("timeline.from"), language });
    this.#to.draw({ year: to, view, whole, label: language.say("timeline.to"), language });
    this.#range.hidden = from === null && to === null;
    this.#range.style.setProperty("--start", String(this.#from.place(view)));
    this.#range.style.setProperty("--end", String(this.#to.place(view)));
    for (const name of BUTTONS) setText(this.#buttons[name], language.say(`timeline.${name}`));
    setDisabled(this.#buttons.in, view.end - view.start <= 10);
    for (const name of ["out", "whole"] as const) setDisabled(this.#buttons[name], this.#zoomed === null);
    setDisabled(this.#buttons.earlier, view.start <= whole.start);
    setDisabled(this.#buttons.later, view.end >= whole.end);
    const undated = dates?.undated ?? 0;
    setText(this.#undated, undated === 0 ? "" : language.say("timeline.undated", { results: language.counted("results", undated) }));
  }

  /** What the drawing shows, in words. */
  #summary(view: View, language: Language): string {
    const sums = density(this.#bumps, view, COLUMNS);
    const highest = sums.indexOf(Math.max(...sums));
    const say = (place: number): string => yearText(yearAt(place, view), language);
    return language.say("timeline.summary", { first: say(0), last: say(1), most: say((highest + 0.5) / COLUMNS) });
  }

  #button(name: (typeof BUTTONS)[number], act: () => void): HTMLButtonElement {
    const button = h("button", { type: "button", class: "quiet small", part: `timeline-${name}` });
    // A disabled button would drop the focus in the middle of a series of presses.
    button.addEventListener("click", () => button.getAttribute("aria-disabled") !== "true" && act());
    return button;
  }

  #look(view: View | null): void {
    const whole = this.#whole;
    this.#zoomed = view === null || whole === null || view.end - view.start >= whole.end - whole.start ? null : view;
    this.#redraw();
  }

  #zoom(factor: number, about = this.#center()): void {
    if (this.#whole !== null) this.#look(zoomed(this.#view, factor, about, this.#whole));
  }

  #step(part: number): void {
    if (this.#whole !== null) this.#look(moved(this.#view, part, this.#whole));
  }

  /** The middle of the years asked for, else of the dates in view. */
  #center(): number {
    const { start, end } = this.#view;
    const length = end - start;
    const { from, to } = this.#years;
    if (from !== null || to !== null) return start + (length * (this.#from.place(this.#view) + this.#to.place(this.#view))) / 2;
    const means = this.#bumps.map(({ mean }) => mean).filter((mean) => mean >= start && mean <= end).sort((a, b) => a - b);
    return means[means.length >> 1] ?? (start + end) / 2;
  }

  #wheel(event: WheelEvent): void {
    if (!event.ctrlKey || this.#whole === null) return;
    event.preventDefault();
    const { start, end } = this.#view;
    this.#zoom(event.deltaY > 0 ? ZOOM : 1 / ZOOM, start + this.#placeAt(event) * (end - start));
  }

  /** Moves an edge by keys; the other gives way. */
  #move(years: Years): void {
    const { from, to } = years;
    const crossed = from !== null && to !== null && from > to;
    this.#draft = crossed ? (from === this.#years.from ? { from: to, to } : { from, to: from }) : years;
    this.#redraw();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#commit(), KEY_PAUSE_MILLIS);
  }

  #commit(): void {
    const years = this.#draft;
    if (years !== null) this.onYears(years);
  }

  /** Draws a range from where the pointer went down, or moves the edge that it went down on. */
  #press(down: PointerEvent): void {
    if (down.button !== 0 || this.#whole === null) return;
    clearTimeout(this.#timer);
    const side = down.target instanceof HTMLElement ? down.target.dataset["side"] : undefined;
    const start = this.#placeAt(down);
    const before = this.#years;
    this.#plot.setPointerCapture?.(down.pointerId);
    const listening = new AbortController();
    const { signal } = listening;
    const end = (keep: boolean): void => {
      listening.abort();
      if (keep) return this.#commit();
      this.#draft = null;
      this.#redraw();
    };
    const move = (event: PointerEvent): void => {
      const place = this.#placeAt(event);
      if (side === undefined && this.#draft === null && Math.abs(place - start) < DRAG) return;
      this.#draft = side === undefined ? this.#span(start, place) : this.#dragged(before, side, place);
      this.#redraw();
    };
    this.#plot.addEventListener("pointermove", move, { signal });
    this.#plot.addEventListener("pointerup", () => end(this.#draft !== null), { signal });
    this.#plot.addEventListener("pointercancel", () => end(false), { signal });
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      end(false);
    };
    addEventListener("keydown", escape, { signal, capture: true });
  }

  #span(start: number, end: number): Years {
    const view = this.#view;
    const [first, last] = [yearAt(Math.min(start, end), view), yearAt(Math.max(start, end), view)];
    return { from: first, to: last };
  }

  #dragged({ from, to }: Years, side: string, place: number): Years {
    const year = yearAt(place, this.#view);
    if (side === "from") return { from: to === null ? year : Math.min(year, to), to };
    return { from, to: from === null ? year : Math.max(year, from) };
  }

  /** Where a pointer is, 0 to 1. */
  #placeAt({ clientX }: MouseEvent): number {
    const { left, width } = this.#plot.getBoundingClientRect();
    return width === 0 ? 0 : Math.min(1, Math.max(0, (clientX - left) / width));
  }
}

function setDisabled(button: HTMLElement, disabled: boolean): void {
  button.setAttribute("aria-disabled", String(disabled));
}

/** The outline of sums over columns, the highest as high as the drawing. */
function areaPath(sums: Float64Array): string {
  const highest = Math.max(...sums, Number.MIN_VALUE);
  const points = [...sums].map((sum, column) => `L${column + 0.5} ${(HEIGHT * (1 - sum / highest)).toFixed(2)}`);
  return `M0 ${HEIGHT}${points.join("")}L${COLUMNS} ${HEIGHT}Z`;
}
