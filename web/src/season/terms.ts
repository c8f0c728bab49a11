import { dayOfYear, monthAndDay, type DayOfYear } from "../text/days";

/** Days of a mean year, which the positions of parts of the year count in. */
export const YEAR_DAYS = 365.2425;

/** Days of the year that can be named: without a leap day. */
const NAMED_DAYS = 365;

/**
 * Month and day on which each of the 24 solar terms mostly begins, from 小寒 on.
 *
 * Source: the sun's longitude in steps of 15 degrees, in the years around 2000; the day varies by
 * one or two. They are those that the index reads dates by.
 */
const TERM_STARTS: readonly [month: number, day: number][] = [
  [1, 5], [1, 20], [2, 4], [2, 19], [3, 5], [3, 20], [4, 5], [4, 20], [5, 5], [5, 21], [6, 5], [6, 21],
  [7, 7], [7, 22], [8, 7], [8, 23], [9, 7], [9, 23], [10, 8], [10, 23], [11, 7], [11, 22], [12, 7], [12, 21],
];

/** A named part of the year. */
export interface Part {
  kind: "month" | "term";
  /** Month 1 to 12, or solar term 1 (小寒) to 24 (冬至). */
  number: number;
  first: DayOfYear;
  last: DayOfYear;
}

const starts = TERM_STARTS.map(([month, day]) => dayOfYear(month, day) ?? 0);

/** The day before a day, round the new year. */
function before(day: DayOfYear): DayOfYear {
  return (day + NAMED_DAYS - 1) % NAMED_DAYS;
}

/** The 24 solar terms; the last passes the new year. */
export const solarTerms: readonly Part[] = starts.map((first, at) => ({
  kind: "term",
  number: at + 1,
  first,
  last: before(starts[(at + 1) % starts.length] ?? 0),
}));

/** The twelve months. */
export const months: readonly Part[] = Array.from({ length: 12 }, (_, at) => ({
  kind: "month",
  number: at + 1,
  first: dayOfYear(at + 1, 1) ?? 0,
  last: before(dayOfYear(((at + 1) % 12) + 1, 1) ?? 0),
}));

/** The month that holds a day. */
export function monthOf(day: DayOfYear): Part | undefined {
  return months[monthAndDay(day)[0] - 1];
}

/** The beginning of the solar term that is nearest to a place of the year. */
export function nearestStart(day: number): DayOfYear {
  const away = (start: DayOfYear): number => Math.min(Math.abs(start - day), NAMED_DAYS - Math.abs(start - day));
  return starts.reduce((best, start) => (away(start) < away(best) ? start : best));
}

/** The part of the year between two beginnings of solar terms; the whole year is none. */
export function between(first: DayOfYear, end: DayOfYear): { first: DayOfYear; last: DayOfYear } | null {
  return first === end ? null : { first, last: before(end) };
}
