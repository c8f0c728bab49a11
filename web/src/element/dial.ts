import type { Key, Language } from "../language/table";
import type { RankedDates } from "../protocol";
import { sameSeason, type SeasonChoice } from "../session/filter";
import { dayAt, pointAt, ring, ringPath, sectorPath } from "../season/circle";
import { between, monthOf, months, nearestStart, solarTerms, YEAR_DAYS, type Part } from "../season/terms";
import type { DayOfYear } from "../text/days";
import { dayOfYearText } from "./dates";
import { h, setText, svg } from "./dom";
import { KEY_PAUSE_MILLIS } from "./timeline";

/** What the dial shows. */
export interface DialState {
  /** Times of year of the results; null while there are none. */
  dates: Pick<RankedDates, "seasons" | "seasonless"> | null;
  ranked: number;
  season: SeasonChoice | null;
}

/** Parts into which the circle is divided. */
const COLUMNS = 180;

/** Radii, in the units of the drawing: the density, the months' ring and the names around it. */
const RADIUS = { inner: 50, outer: 88, months: 90, rim: 108, names: 117 } as const;

/** Half the side of the drawing. */
const HALF = 132;

/** Part of a year that a pointer moves before it draws an arc; a mere press chooses a month. */
const DRAG = YEAR_DAYS / 48;

/** Of so many results one at least must tell its time of year; a ring of the few that happen to would say nothing of the rest. */
const FEWEST = 10;

/** Middles of the seasons: of those that begin with solar terms in Chinese, of whole months elsewhere. */
const SEASONS: readonly { key: Key; day: DayOfYear; chinese: DayOfYear }[] = [
  { key: "season.spring", day: 105, chinese: 78 },
  { key: "season.summer", day: 196, chinese: 171 },
  { key: "season.autumn", day: 288, chinese: 265 },
  { key: "season.winter", day: 14, chinese: 354 },
];

/** When in the year the results are: a circle of twelve months with their density, on which an arc can be chosen. */
export class SeasonDial {
  readonly #title = h("summary", { part: "dial-title" });
  readonly #area = svg("path", { class: "area", "fill-rule": "evenodd" });
  readonly #arc = svg("path", { class: "arc" });
  readonly #names = svg("g", { class: "names" });
  readonly #drawing = svg("svg", { class: "ring", role: "img", part: "dial", viewBox: `${-HALF} ${-HALF} ${2 * HALF} ${2 * HALF}` });
  readonly #from = new PartSelect("dial-from", "first", (part) => this.#choose("first", part));
  readonly #to = new PartSelect("dial-to", "last", (part) => this.#choose("last", part));
  readonly #clear = h("button", { type: "button", class: "quiet small", part: "dial-clear" });
  readonly #note = h("p", { class: "note", part: "dial-note" });
  readonly #controls = h("div", { class: "fields" }, this.#from.node, this.#to.node, this.#clear);
  readonly node = h("details", { class: "dial", part: "dial-group", hidden: true }, this.#title);
  #state: DialState = { dates: null, ranked: 0, season: null };
  #language: Language | null = null;
  /** An arc being drawn that is not asked for yet. */
  #draft: SeasonChoice | null = null;
  /** Once the visitor has opened or closed it, the dial stays so. */
  #touched = false;

  constructor(private readonly onSeason: (season: SeasonChoice | null) => void) {
    this.#drawing.append(...rings(), this.#arc, this.#area, this.#names);
    this.node.append(h("div", { class: "dial-body" }, this.#drawing, h("div", { class: "dial-side" }, this.#controls, this.#note)));
    this.#title.addEventListener("click", () => (this.#touched = true));
    this.#clear.addEventListener("click", () => {
      // The button goes with what it clears; the focus must not.
      this.#from.focus();
      this.onSeason(null);
    });
    this.#drawing.addEventListener("pointerdown", (event) => this.#press(event));
  }

  /** Shows the times of year of an answer and the one asked for. */
  draw(state: DialState, language: Language): void {
    const before = this.#state;
    if (before.dates === state.dates && sameSeason(before.season, state.season) && this.#language === language) return;
    if (this.#language !== language) this.#name(language);
    this.#state = state;
    this.#language = language;
    this.#draft = null;
    const { dates, season, ranked } = state;
    const seasonal = ranked - (dates?.seasonless ?? 0);
    this.node.hidden = season === null && (dates === null || seasonal < 2 || seasonal * FEWEST < ranked);
    if (this.node.hidden) return;
    if (!this.#touched) this.node.open = season !== null || 2 * seasonal >= ranked;
    setText(this.#title, language.say("dial.title", { results: language.counted("results", seasonal) }));
    const sums = ring(dates?.seasons ?? [], COLUMNS);
    this.#area.setAttribute("d", (dates?.seasons.length ?? 0) === 0 ? "" : ringPath(sums, RADIUS.inner, RADIUS.outer));
    const highest = Math.floor(((sums.indexOf(Math.max(...sums)) + 0.5) / COLUMNS) * YEAR_DAYS);
    this.#drawing.setAttribute("aria-label", language.say("dial.summary", { most: dayOfYearText(Math.min(364, highest), language) }));
    const without = dates?.seasonless ?? 0;
    const said = [without === 0 ? "" : language.say("dial.without", { results: language.counted("results", without) }), language.say("dial.note")];
    setText(this.#note, said.filter((text) => text !== "").join(" "));
    this.#redraw();
  }

  /** Forgets what waits for a pause. */
  close(): void {
    this.#from.close();
    this.#to.close();
  }

  /** What moves with the arc alone. */
  #redraw(): void {
    const language = this.#language;
    if (language === null) return;
    const season = this.#draft ?? this.#state.season;
    this.#arc.setAttribute("d", season === null ? "" : sectorPath(season.first, season.last + 1, RADIUS.inner, RADIUS.rim));
    this.#from.draw(season?.first ?? null, language);
    this.#to.draw(season?.last ?? null, language);
    this.#clear.hidden = season === null;
  }

  /** Writes the names in a language. */
  #name(language: Language): void {
    const chinese = language.tag.startsWith("zh");
    const short = new Intl.DateTimeFormat(language.tag, { month: chinese ? "long" : "short", timeZone: "UTC" });
    const middle = ({ first, last }: Part): number => first + ((last - first + 365) % 365) / 2;
    this.#names.replaceChildren(
      ...months.map((month) => label(short.format(Date.UTC(2001, month.number - 1, 1)), middle(month), (RADIUS.months + RADIUS.rim) / 2)),
      ...SEASONS.map(({ key, day, chinese: other }) => label(language.say(key), chinese ? other : day, RADIUS.inner - 22, "season")),
      // Around the ring there is room for two characters, not for two words.
      ...(chinese ? solarTerms.map((term) => label(language.say(termKey(term)), middle(term), RADIUS.names + 3, "term")) : []),
    );
    setText(this.#clear, language.say("dial.clear"));
    this.#from.name(language.say("dial.from"), language);
    this.#to.name(language.say("dial.to"), language);
  }

  /** A choice of one end; where the other is open, the part chosen is taken whole. */
  #choose(side: "first" | "last", part: Part | null): void {
    const season = this.#state.season;
    if (part === null) return this.onSeason(null);
    this.onSeason(season === null ? { first: part.first, last: part.last } : { ...season, [side]: part[side] });
  }

  #press(down: PointerEvent): void {
    if (down.button !== 0 || !down.isPrimary) return;
    const start = this.#dayAt(down);
    let travelled = 0;
    let at = start;
    this.#drawing.setPointerCapture?.(down.pointerId);
    const listening = new AbortController();
    const { signal } = listening;
    const end = (keep: boolean): void => {
      listening.abort();
      const drawn = this.#draft;
      this.#draft = null;
      this.#redraw();
      if (!keep) return;
      if (drawn !== null) return this.onSeason(drawn);
      const month = Math.abs(travelled) < DRAG ? monthOf(Math.min(364, Math.floor(start))) : undefined;
      if (month !== undefined) this.onSeason({ first: month.first, last: month.last });
    };
    const move = (event: PointerEvent): void => {
      const day = this.#dayAt(event);
      // The short way round, summed, so that an arc may pass the new year and more than half of the circle.
      travelled += ((((day - at) % YEAR_DAYS) + 1.5 * YEAR_DAYS) % YEAR_DAYS) - YEAR_DAYS / 2;
      at = day;
      const whole = Math.abs(travelled) >= YEAR_DAYS;
      const ends = travelled < 0 ? [day, start] : [start, day];
      const [first = 0, last = 0] = ends.map(nearestStart);
      this.#draft = Math.abs(travelled) < DRAG || whole ? null : between(first, last);
      this.#redraw();
    };
    this.#drawing.addEventListener("pointermove", move, { signal });
    this.#drawing.addEventListener("pointerup", () => end(true), { signal });
    this.#drawing.addEventListener("pointercancel", () => end(false), { signal });
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      end(false);
    };
    addEventListener("keydown", escape, { signal, capture: true });
  }

  #dayAt({ clientX, clientY }: MouseEvent): number {
    const { left, top, width, height } = this.#drawing.getBoundingClientRect();
    return dayAt(clientX - left - width / 2, clientY - top - height / 2);
  }
}

/** One end of the part of the year, as a list of months and solar terms. */
class PartSelect {
  readonly #label: HTMLLabelElement;
  readonly #select: HTMLSelectElement;
  readonly node: HTMLElement;
  #own: HTMLOptionElement | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    id: string,
    private readonly side: "first" | "last",
    onChange: (part: Part | null) => void,
  ) {
    this.#label = h("label", { for: id });
    this.#select = h("select", { id, part: "dial-select" });
    this.node = h("div", { class: "field" }, this.#label, this.#select);
    this.#select.addEventListener("change", () => {
      const [kind, number] = this.#select.value.split(" ");
      const part = (kind === "month" ? months : solarTerms).find((candidate) => String(candidate.number) === number);
      clearTimeout(this.#timer);
      // The visitor's own day is no part to choose; it can only be left.
      if (this.#select.value === OWN) return;
      // Who types a name passes by others on the way.
      this.#timer = setTimeout(() => onChange(part ?? null), KEY_PAUSE_MILLIS);
    });
  }

  /** Forgets what waits for a pause. */
  close(): void {
    clearTimeout(this.#timer);
  }

  focus(): void {
    this.#select.focus();
  }

  /** Writes the list in a language. */
  name(label: string, language: Language): void {
    setText(this.#label, label);
    const option = (part: Part, text: string): HTMLOptionElement => h("option", { value: `${part.kind} ${part.number}` }, text);
    const long = new Intl.DateTimeFormat(language.tag, { month: "long", timeZone: "UTC" });
    const term = (part: Part): string => language.say("dial.term", { term: language.say(termKey(part)), date: dayOfYearText(part[this.side], language) });
    this.#own = null;
    this.#select.replaceChildren(
      h("option", { value: "" }, language.say("dial.any")),
      h("optgroup", { label: language.say("dial.months") }, ...months.map((part) => option(part, long.format(Date.UTC(2001, part.number - 1, 1))))),
      h("optgroup", { label: language.say("dial.terms") }, ...solarTerms.map((part) => option(part, term(part)))),
    );
  }

  /** Shows the day chosen; null is any. */
  draw(day: DayOfYear | null, language: Language): void {
    const part = [...months, ...solarTerms].find((candidate) => candidate[this.side] === day);
    this.#own?.remove();
    this.#own = null;
    if (day !== null && part === undefined) {
      this.#own = h("option", { value: OWN }, dayOfYearText(day, language));
      this.#select.append(this.#own);
    }
    this.#select.value = day === null ? "" : part === undefined ? OWN : `${part.kind} ${part.number}`;
  }
}

/** The value of a day that is the edge of no month or term. */
const OWN = "day";

function termKey({ number }: Part): Key {
  return `term.${number}` as Key;
}

function label(text: string, day: number, radius: number, kind = "month"): SVGTextElement {
  const { x, y } = pointAt(day, radius);
  const node = svg("text", { class: `name ${kind}`, x: x.toFixed(1), y: y.toFixed(1) });
  node.textContent = text;
  return node;
}

/** The ring of months and the marks of the solar terms. */
function rings(): SVGElement[] {
  const circle = (radius: number): SVGElement => svg("circle", { class: "line", r: String(radius) });
  const mark = (day: number, inner: number, outer: number, kind: string): SVGElement => {
    const [a, b] = [pointAt(day, inner), pointAt(day, outer)];
    return svg("line", { class: `line ${kind}`, x1: a.x.toFixed(2), y1: a.y.toFixed(2), x2: b.x.toFixed(2), y2: b.y.toFixed(2) });
  };
  return [
    circle(RADIUS.inner),
    circle(RADIUS.months),
    circle(RADIUS.rim),
    ...months.map(({ first }) => mark(first, RADIUS.months, RADIUS.rim, "of-month")),
    ...solarTerms.map(({ first }) => mark(first, RADIUS.rim, RADIUS.rim + 4, "of-term")),
  ];
}
