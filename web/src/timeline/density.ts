import type { DayNumber } from "../door";
import type { View } from "./view";

/** First and last day of a date, infinite where open. */
export type DaySpan = readonly [first: DayNumber, last: DayNumber];

/** A date as it is drawn: a normal distribution over days. */
export interface Bump {
  /** In days; the middle of day n is n + 0.5. */
  mean: number;
  /** Standard deviation in days. */
  deviation: number;
}

/** Beyond this many deviations a bump adds less than a pixel can show. */
const REACH = 4;

/**
 * A date from `first` to `last` as the normal distribution with its mean and variance.
 *
 * Nothing says which day of the interval it was, so it is uniform on [first, last + 1):
 * with length L its mean is the middle and its variance L²/12.
 */
export function bumpOf([first, last]: DaySpan): Bump {
  const length = last - first + 1;
  return { mean: (first + last + 1) / 2, deviation: length / Math.sqrt(12) };
}

/**
 * The sum of the bumps at the middles of `columns` equal parts of a view, in dates per column.
 *
 * Every bump has area 1; none is drawn narrower than a column, so that a single day can be seen among millennia.
 */
export function density(bumps: readonly Bump[], view: View, columns: number): Float64Array {
  const sums = new Float64Array(columns);
  const width = (view.end - view.start) / columns;
  for (const { mean, deviation } of bumps) {
    const spread = Math.max(deviation, width);
    const from = Math.max(0, Math.floor((mean - REACH * spread - view.start) / width));
    const to = Math.min(columns - 1, Math.ceil((mean + REACH * spread - view.start) / width));
    const height = width / (spread * Math.sqrt(2 * Math.PI));
    for (let column = from; column <= to; column += 1) {
      const away = (view.start + (column + 0.5) * width - mean) / spread;
      sums[column] = (sums[column] ?? 0) + height * Math.exp((-away * away) / 2);
    }
  }
  return sums;
}
