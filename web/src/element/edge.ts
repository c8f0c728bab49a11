import type { Language } from "../language/table";
import { firstDayOf, lastDayOf, type Year } from "../text/days";
import { placeOf, yearAt, type View } from "../timeline/view";
import { yearText } from "./dates";
import { h } from "./dom";

/** What an edge is drawn against. */
export interface EdgeContext {
  /** The year asked for; null is open. */
  year: Year | null;
  view: View;
  whole: View;
  label: string;
  language: Language;
}

/** Parts of the view that a key moves an edge by. */
const STEPS = 100;

/** Steps that a page key moves an edge by. */
const PAGE = 10;

/** One end of the years asked for, as a slider. */
export class Edge {
  readonly node: HTMLElement;
  #context: EdgeContext | null = null;

  constructor(
    readonly side: "from" | "to",
    /** Told of the year that the visitor moves the edge to; null opens it. */
    private readonly onMove: (year: Year | null) => void,
  ) {
    this.node = h("div", { class: `edge ${side}`, part: "edge", role: "slider", tabindex: "0", "data-side": side });
    this.node.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows the edge where it is. */
  draw(context: EdgeContext): void {
    this.#context = context;
    const { year, view, whole, label, language } = context;
    const now = year ?? this.#outermost();
    const text = yearText(now, language);
    this.node.style.setProperty("--at", String(this.place(view)));
    this.node.setAttribute("aria-label", label);
    this.node.setAttribute("aria-valuemin", String(yearAt(0, whole)));
    this.node.setAttribute("aria-valuemax", String(yearAt(1, whole)));
    this.node.setAttribute("aria-valuenow", String(now));
    this.node.setAttribute("aria-valuetext", year === null ? language.say("timeline.open", { year: text }) : text);
  }

  /** Where the edge lies in a view, 0 to 1. */
  place(view: View): number {
    const year = this.#context?.year ?? null;
    if (this.side === "from") return year === null ? 0 : placeOf(firstDayOf(year), view);
    return year === null ? 1 : placeOf(lastDayOf(year) + 1, view);
  }

  #outermost(): Year {
    const { whole = { start: 0, end: 1 } } = this.#context ?? {};
    return yearAt(this.side === "from" ? 0 : 1, whole);
  }

  #key(event: KeyboardEvent): void {
    const context = this.#context;
    if (context === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const { view, whole, year } = context;
    const step = Math.max(1, Math.round((yearAt(1, view) - yearAt(0, view)) / STEPS));
    const moves: Record<string, number> = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step, PageUp: PAGE * step, PageDown: -PAGE * step };
    const [least, most] = [yearAt(0, whole), yearAt(1, whole)];
    const by = moves[event.key];
    let wanted: Year | null;
    if (by !== undefined) wanted = Math.min(most, Math.max(least, (year ?? this.#outermost()) + by));
    else if (event.key === "Home") wanted = this.side === "from" ? null : least;
    else if (event.key === "End") wanted = this.side === "to" ? null : most;
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.onMove(wanted);
  }
}
