import { parseYear } from "../text/year";
import { cleanQuery } from "../text/query";
import { dayOfYear, monthAndDay, type DayOfYear, type Year } from "../text/days";
import type { RecordName } from "../protocol";
import { noAsk, type Ask } from "./ask";
import type { FacetChoice, SeasonChoice } from "./filter";
import type { Notice } from "./state";

/** The parameters of an address that belong to the search; all others are left as they are. */
const own = { query: "q", from: "from", to: "to", undated: "undated", facet: "f", dates: "dates", season: "season", like: "like" } as const;

/** Reads what an address asks for, `search` being its part from "?" on; what cannot be read is left out and told. */
export function readAddress(search: string): { ask: Ask; notices: Notice[] } {
  const parameters = new URLSearchParams(search);
  const notices: Notice[] = [];
  const year = (name: string): Year | null => {
    const value = parameters.get(name) ?? "";
    const read = parseYear(value);
    if (read === null && value.trim() !== "") notices.push({ about: "year", value: shortened(value) });
    return read;
  };
  const readWith = <T>(name: string, about: "season" | "like", read: (value: string) => T | null): T | null => {
    const value = parameters.get(name) ?? "";
    const found = value === "" ? null : read(value);
    if (found === null && value !== "") notices.push({ about, value: shortened(value) });
    return found;
  };
  const from = year(own.from);
  const last = year(own.to);
  const crossed = from !== null && last !== null && from > last;
  if (crossed) notices.push({ about: "year", value: shortened(parameters.get(own.to) ?? "") });
  const facets: FacetChoice[] = [];
  for (const written of parameters.getAll(own.facet)) {
    const facet = readFacet(written);
    if (facet === null) notices.push({ about: "facet", value: shortened(written) });
    else facets.push(facet);
  }
  const season = readWith(own.season, "season", readSeason);
  const like = readWith(own.like, "like", readLike);
  const ask: Ask = {
    query: cleanQuery(parameters.get(own.query) ?? "").text,
    time: parameters.get(own.dates) !== "words",
    filter: { from, to: crossed ? null : last, undated: parameters.get(own.undated) === "1", facets, season },
    like,
  };
  return { ask, notices };
}

/** The address part from "?" on that asks for `ask` and keeps what else `search` holds; "" when nothing is left. */
export function writeAddress(search: string, ask: Ask): string {
  const parameters = new URLSearchParams(search);
  for (const name of Object.values(own)) parameters.delete(name);
  const { query, time, filter, like } = ask;
  if (query !== noAsk.query) parameters.set(own.query, query);
  if (!time) parameters.set(own.dates, "words");
  if (filter.from !== null) parameters.set(own.from, String(filter.from));
  if (filter.to !== null) parameters.set(own.to, String(filter.to));
  if (filter.undated) parameters.set(own.undated, "1");
  for (const { label, value } of filter.facets) parameters.append(own.facet, `${escaped(label)}:${value}`);
  if (filter.season !== null) parameters.set(own.season, `${written(filter.season.first)}..${written(filter.season.last)}`);
  if (like !== null) parameters.set(own.like, `${like.document}:${like.id}`);
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

/** A label in which no colon is left, since the first one ends it. */
function escaped(label: string): string {
  return label.replaceAll("%", "%25").replaceAll(":", "%3A");
}

function readFacet(written: string): FacetChoice | null {
  const colon = written.indexOf(":");
  if (colon < 1) return null;
  return { label: written.slice(0, colon).replaceAll("%3A", ":").replaceAll("%25", "%"), value: written.slice(colon + 1) };
}

/** A day of the year as MM-DD. */
function written(day: DayOfYear): string {
  return monthAndDay(day)
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
}

function readSeason(value: string): SeasonChoice | null {
  const [, ...parts] = /^(\d\d)-(\d\d)\.\.(\d\d)-(\d\d)$/.exec(value) ?? [];
  const [month = 0, day = 0, lastMonth = 0, lastDay = 0] = parts.map(Number);
  const [first, last] = [dayOfYear(month, day), dayOfYear(lastMonth, lastDay)];
  return first === null || last === null ? null : { first, last };
}

function readLike(value: string): RecordName | null {
  const [, document, id = ""] = /^(\d{1,9}):(.{1,300})$/su.exec(value) ?? [];
  return document === undefined ? null : { document: Number(document), id };
}

function shortened(value: string): string {
  return value.length > 60 ? `${cleanQuery(value.slice(0, 60)).text}…` : cleanQuery(value).text;
}
