import type { DayNumber } from "../door";
import { civilDay, firstDayOf, lastDayOf, type Year } from "../text/days";
import type { DaySpan } from "./density";

/** The part of time that is drawn, in days, end excluded. */
export interface View {
  start: DayNumber;
  end: DayNumber;
}

/** Years asked for, ends included; null is open. */
export interface Years {
  from: Year | null;
  to: Year | null;
}

/** The shortest view, in days. */
const SHORTEST = 10;

/** The shortest view of everything, in days: a year. */
const SHORTEST_WHOLE = 366;

/** Room left at both ends of everything, as a part of it. */
const MARGIN = 0.04;

/** A view of all dates and of the years asked for; null where no date has an end that is known. */
export function wholeView(spans: readonly DaySpan[], years: Years): View | null {
  let [start, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const day of spans.flat().filter(Number.isFinite)) [start, end] = [Math.min(start, day), Math.max(end, day + 1)];
  if (start > end) return null;
  const lacking = Math.max(0, SHORTEST_WHOLE - (end - start)) / 2;
  const room = (end - start) * MARGIN + lacking;
  return withYears({ start: Math.floor(start - room), end: Math.ceil(end + room) }, years);
}

/** A view that shows years asked for too. */
export function withYears({ start, end }: View, { from, to }: Years): View {
  const days = [from === null ? [] : [firstDayOf(from)], to === null ? [] : [lastDayOf(to) + 1]].flat();
  return { start: Math.min(start, ...days), end: Math.max(end, ...days) };
}

/** Dates with their open ends closed where the view of everything ends; those open at both ends say nothing and are left out. */
export function closed(spans: readonly DaySpan[], whole: View): DaySpan[] {
  return spans
    .filter((span) => span.some(Number.isFinite))
    .map(([first, last]) => [
      first === Number.NEGATIVE_INFINITY ? Math.min(whole.start, last) : first,
      last === Number.POSITIVE_INFINITY ? Math.max(whole.end - 1, first) : last,
    ]);
}

/** A view `factor` times as long in which the day `about` stays where it is, inside `whole`. */
export function zoomed(view: View, factor: number, about: DayNumber, whole: View): View {
  const length = view.end - view.start;
  const wanted = Math.min(whole.end - whole.start, Math.max(SHORTEST, length * factor));
  const start = about - ((about - view.start) / length) * wanted;
  return inside({ start, end: start + wanted }, whole);
}

/** A view moved by a part of its length, inside `whole`. */
export function moved(view: View, part: number, whole: View): View {
  const by = (view.end - view.start) * part;
  return inside({ start: view.start + by, end: view.end + by }, whole);
}

function inside({ start, end }: View, whole: View): View {
  const back = Math.max(0, whole.start - start) + Math.min(0, whole.end - end);
  return { start: start + back, end: end + back };
}

/** Where a day lies in a view, 0 to 1; days outside lie at its ends. */
export function placeOf(day: DayNumber, { start, end }: View): number {
  return Math.min(1, Math.max(0, (day - start) / (end - start)));
}

/** The year at a place of a view, 0 to 1. */
export function yearAt(place: number, { start, end }: View): Year {
  const day = start + Math.min(1, Math.max(0, place)) * (end - start);
  return civilDay(Math.floor(Math.min(day, end - 1))).year;
}
