import type { DayNumber } from "../door";
import { civilDay, firstDayOf, lastDayOf, type Year } from "../text/days";
import type { View } from "./view";

/** A mark on the axis, at the first day of a year, of a month, or at a day. */
export interface Tick {
  day: DayNumber;
  unit: "year" | "month" | "day";
}

const MEAN_YEAR = 365.2425;

/** Steps of whole years, from 1 up: 1, 2 and 5 times each power of ten. */
function yearStep(years: number, most: number): number {
  for (let power = 1; ; power *= 10) {
    for (const step of [1, 2, 5].map((digit) => digit * power)) if (years / step <= most) return step;
  }
}

/** At most about `most` round marks in a view. */
export function ticks(view: View, most: number): Tick[] {
  const days = view.end - view.start;
  const inView = ({ day }: Tick): boolean => day >= view.start && day < view.end;
  if (days / MEAN_YEAR > most / 3) return yearTicks(view, yearStep(days / MEAN_YEAR, most)).filter(inView);
  const months = [1, 3, 6].find((step) => days / (step * 30.4) <= most) ?? 6;
  if (days > 45) return monthTicks(view, months).filter(inView);
  const step = [1, 2, 5, 10].find((candidate) => days / candidate <= most) ?? 10;
  return dayTicks(view, step).filter(inView);
}

/**
 * The years that a step names in either era: with 500, these are 1000 BC, 500 BC, 1, 500, 1000.
 *
 * There is no year zero, so 500 BC is the astronomical year -499 and the first year of our era stands between.
 */
function yearTicks(view: View, step: number): Tick[] {
  const [first, last] = [civilDay(Math.floor(view.start)).year, civilDay(Math.ceil(view.end)).year];
  const years: Year[] = [];
  for (let bc = Math.floor(Math.max(0, 1 - first) / step) * step; bc >= step && 1 - bc <= last; bc -= step) years.push(1 - bc);
  if (first <= 1 && last >= 1 && step > 1) years.push(1);
  for (let ad = Math.max(step, Math.ceil(first / step) * step); ad <= last; ad += step) years.push(ad);
  return years.map((year) => ({ day: firstDayOf(year), unit: "year" }));
}

function monthTicks(view: View, step: number): Tick[] {
  return monthStarts(view)
    .filter(({ month }) => (month - 1) % step === 0)
    .map(({ day, month }) => ({ day, unit: month === 1 ? "year" : "month" }));
}

function dayTicks(view: View, step: number): Tick[] {
  return monthStarts(view).flatMap(({ day, length }) => {
    const found: Tick[] = [];
    // The last step of a month is left out where the next month's first day is too near.
    for (let at = 0; at <= length - Math.max(1, step / 2); at += step) found.push({ day: day + at, unit: "day" });
    return found;
  });
}

/** The months that a view touches. */
function monthStarts(view: View): { day: DayNumber; month: number; length: number }[] {
  const starts: { day: DayNumber; month: number; length: number }[] = [];
  const begin = civilDay(Math.floor(view.start));
  let day = Math.floor(view.start) - (begin.day - 1);
  while (day < view.end) {
    const { year, month } = civilDay(day);
    const next = month === 12 ? lastDayOf(year) + 1 : nextMonth(day);
    starts.push({ day, month, length: next - day });
    day = next;
  }
  return starts;
}

function nextMonth(first: DayNumber): DayNumber {
  // No month is longer than 31 days, and day 32 is never in the month after next.
  const { day } = civilDay(first + 31);
  return first + 31 - (day - 1);
}
