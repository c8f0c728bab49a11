import { noFilter, sameFilter, type FilterChoice } from "./filter";

/** What the visitor asks: the query as read, how its dates are read, and the filter. */
export interface Ask {
  /** "" when the box is empty. */
  query: string;
  /** False: dates in the query are plain words. */
  time: boolean;
  filter: FilterChoice;
}

/** Nothing is asked. */
export const noAsk: Ask = { query: "", time: true, filter: noFilter };

/** True when two questions have the same answer. */
export function sameAsk(a: Ask, b: Ask): boolean {
  return a.query === b.query && a.time === b.time && sameFilter(a.filter, b.filter);
}
