import { parseYear } from "../text/year";
import { cleanQuery } from "../text/query";
import type { Year } from "../text/days";
import { noAsk, type Ask } from "./ask";
import type { FacetChoice } from "./filter";
import type { Notice } from "./state";

/** The parameters of an address that belong to the search; all others are left as they are. */
const own = { query: "q", from: "from", to: "to", undated: "undated", facet: "f", dates: "dates" } as const;

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
  const ask: Ask = {
    query: cleanQuery(parameters.get(own.query) ?? "").text,
    time: parameters.get(own.dates) !== "words",
    filter: { from, to: crossed ? null : last, undated: parameters.get(own.undated) === "1", facets },
  };
  return { ask, notices };
}

/** The address part from "?" on that asks for `ask` and keeps what else `search` holds; "" when nothing is left. */
export function writeAddress(search: string, ask: Ask): string {
  const parameters = new URLSearchParams(search);
  for (const name of Object.values(own)) parameters.delete(name);
  const { query, time, filter } = ask;
  if (query !== noAsk.query) parameters.set(own.query, query);
  if (!time) parameters.set(own.dates, "words");
  if (filter.from !== null) parameters.set(own.from, String(filter.from));
  if (filter.to !== null) parameters.set(own.to, String(filter.to));
  if (filter.undated) parameters.set(own.undated, "1");
  for (const { label, value } of filter.facets) parameters.append(own.facet, `${escaped(label)}:${value}`);
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

function shortened(value: string): string {
  return value.length > 60 ? `${cleanQuery(value.slice(0, 60)).text}…` : cleanQuery(value).text;
}
