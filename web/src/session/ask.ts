import type { RecordName } from "../protocol";
import { noFilter, sameFilter, type FilterChoice } from "./filter";

/** What the visitor asks: the query as read, how its dates are read, and the filter. */
export interface Ask {
  /** "" when the box is empty. */
  query: string;
  /** False: dates in the query are plain words. */
  time: boolean;
  filter: FilterChoice;
  /** The record whose like is asked for; the query is then set aside. */
  like: RecordName | null;
}

/** Nothing is asked. */
export const noAsk: Ask = { query: "", time: true, filter: noFilter, like: null };

/** True when two questions have the same answer. */
export function sameAsk(a: Ask, b: Ask): boolean {
  const sameLike = a.like?.document === b.like?.document && a.like?.id === b.like?.id;
  return a.query === b.query && a.time === b.time && sameLike && sameFilter(a.filter, b.filter);
}
