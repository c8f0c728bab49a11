import type { DayNumber } from "../door";

/** An astronomical year of the proleptic Gregorian calendar: 0 is 1 BC. */
export type Year = number;

/** A day of the year, 0 for January 1 to 364 for December 31, without a leap day. */
export type DayOfYear = number;

/** Lengths of the months of a year without a leap day. */
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** The day of the year of a month (1 to 12) and a day of it; null when there is no such day. */
export function dayOfYear(month: number, day: number): DayOfYear | null {
  const length = MONTH_LENGTHS[month - 1];
  if (length === undefined || !Number.isInteger(day) || day < 1 || day > length) return null;
  return MONTH_LENGTHS.slice(0, month - 1).reduce((sum, days) => sum + days, 0) + day - 1;
}

/** Month (1 to 12) and day of a day of the year. */
export function monthAndDay(day: DayOfYear): [month: number, day: number] {
  let [month, left] = [1, day];
  for (const length of MONTH_LENGTHS.slice(0, 11)) {
    if (left < length) break;
    left -= length;
    month += 1;
  }
  return [month, left + 1];
}

/** A day by its parts. */
export interface CivilDay {
  year: Year;
  /** 1 to 12. */
  month: number;
  /** 1 to 31. */
  day: number;
}

/** January 1 of a year. */
export function firstDayOf(year: Year): DayNumber {
  const before = year - 1;
  return 365 * before + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400) + 1;
}

/** December 31 of a year. */
export function lastDayOf(year: Year): DayNumber {
  return firstDayOf(year + 1) - 1;
}

/** The parts of a day. */
export function civilDay(day: DayNumber): CivilDay {
  // The mean year is near enough to be at most one off.
  let year = Math.floor((day - 1) / 365.2425) + 1;
  while (firstDayOf(year) > day) year -= 1;
  while (lastDayOf(year) < day) year += 1;
  const leap = lastDayOf(year) - firstDayOf(year) === 365;
  const lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  let left = day - firstDayOf(year);
  let month = 0;
  while (left >= (lengths[month] ?? Number.POSITIVE_INFINITY)) {
    left -= lengths[month] ?? 0;
    month += 1;
  }
  return { year, month: month + 1, day: left + 1 };
}

/** A local date as YYYY-MM-DD, the form in which the index takes the day that "yesterday" counts from. */
export function isoDay(date: Date): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
