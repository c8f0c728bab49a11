import type { DoorFilter, IndexInfo } from "../door";
import { firstDayOf, lastDayOf, type DayOfYear, type Year } from "../text/days";

/** One value of one facet, by name, so that it outlives a new release of the index. */
export interface FacetChoice {
  label: string;
  value: string;
}

/** What the visitor wants to see only. */
export interface FilterChoice {
  from: Year | null;
  to: Year | null;
  /** Whether records without a date pass where years are asked for. */
  undated: boolean;
  facets: readonly FacetChoice[];
  /** The part of the year asked for; null is all of it. */
  season: SeasonChoice | null;
}

/** A part of the year, both days included; it passes the new year where the first is after the last. */
export interface SeasonChoice {
  first: DayOfYear;
  last: DayOfYear;
}

/** Everything passes. */
export const noFilter: FilterChoice = { from: null, to: null, undated: false, facets: [], season: null };

/** True when years are asked for. */
export function hasYears(filter: FilterChoice): boolean {
  return filter.from !== null || filter.to !== null;
}

/** How many conditions a filter has: years and the part of the year count as one, each facet value as one. */
export function conditions(filter: FilterChoice): number {
  return (hasYears(filter) ? 1 : 0) + (filter.season === null ? 0 : 1) + filter.facets.length;
}

/** True when two filters let the same records pass, or would if years were asked for. */
export function sameFilter(a: FilterChoice, b: FilterChoice): boolean {
  const same = a.from === b.from && a.to === b.to && a.undated === b.undated && a.facets.length === b.facets.length;
  return same && sameSeason(a.season, b.season) && a.facets.every((facet) => isChosen(b, facet.label, facet.value));
}

/** True when two parts of the year are the same. */
export function sameSeason(a: SeasonChoice | null, b: SeasonChoice | null): boolean {
  return a?.first === b?.first && a?.last === b?.last;
}

/** True when a facet value is asked for. */
export function isChosen(filter: FilterChoice, label: string, value: string): boolean {
  return filter.facets.some((facet) => facet.label === label && facet.value === value);
}

/** Parts a filter into what this index has and the facets that it does not have. */
export function knownFilter(filter: FilterChoice, info: IndexInfo): { known: FilterChoice; unknown: FacetChoice[] } {
  const isKnown = (facet: FacetChoice): boolean => numbersOf(facet, info) !== null;
  return {
    known: { ...filter, facets: filter.facets.filter(isKnown) },
    unknown: filter.facets.filter((facet) => !isKnown(facet)),
  };
}

/** A filter as the index takes it; undefined when everything passes. */
export function doorFilter(filter: FilterChoice, info: IndexInfo): DoorFilter | undefined {
  const facets = filter.facets.map((facet) => numbersOf(facet, info)).filter((numbers) => numbers !== null);
  const { season } = filter;
  if (!hasYears(filter) && facets.length === 0 && season === null) return undefined;
  const years = {
    first: filter.from === null ? null : firstDayOf(filter.from),
    last: filter.to === null ? null : lastDayOf(filter.to),
    undated: filter.undated,
  };
  return {
    ...(hasYears(filter) ? years : {}),
    ...(facets.length === 0 ? {} : { facets }),
    ...(season === null ? {} : { season: [season.first, season.last] as [number, number] }),
  };
}

function numbersOf({ label, value }: FacetChoice, info: IndexInfo): [number, number] | null {
  const facet = info.facets.findIndex((candidate) => candidate.label === label);
  const number = info.facets[facet]?.values.findIndex((candidate) => candidate.value === value) ?? -1;
  return number === -1 ? null : [facet, number];
}
