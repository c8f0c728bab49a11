import type { QueryDate } from "../door";
import type { Language } from "../language/table";
import type { FoundDocument } from "../protocol";
import type { SeasonChoice } from "../session/filter";
import { civilDay, firstDayOf, lastDayOf, monthAndDay, type DayOfYear, type Year } from "../text/days";

/** A year for people: 0 is 1 BC. */
export function yearText(year: Year, language: Language): string {
  return year > 0 ? language.say("year.ad", { year: String(year) }) : language.say("year.bc", { year: String(1 - year) });
}

/** What a date of the query was read as, such as "1850 to 1859". */
export function spanText(date: QueryDate, language: Language): string {
  const arrow = date.reading.indexOf("→");
  const written = arrow === -1 ? date.reading : date.reading.slice(arrow + 1).trim();
  // The index words its readings in English; of a season only it knows the name.
  if (language.tag.startsWith("en") || date.seasonal || (date.first === null && date.last === null)) return written;
  return hullText(date.first, date.last, language);
}

/** A date of the query with its reading, as in "1850s → 1850 to 1859". */
export function readingText(date: QueryDate, language: Language): string {
  return language.tag.startsWith("en") ? date.reading : `${date.match} → ${spanText(date, language)}`;
}

/** How a result's date lies to `span`, the time of the query; null when the query names none. */
export function timeText({ time, date }: Pick<FoundDocument, "time" | "date">, span: string, language: Language): string | null {
  if (time === null) return null;
  if (time.relation === "unknown") return language.say("time.unknown");
  return language.say(`time.${time.relation}`, { date: time.date ?? date ?? "", span });
}

function hullText(first: number | null, last: number | null, language: Language): string {
  const start = first === null ? null : edgeText(first, "first", language);
  const end = last === null ? null : edgeText(last, "last", language);
  if (start === null) return language.say("span.until", { last: end ?? "" });
  if (end === null) return language.say("span.from", { first: start });
  return start === end ? start : language.say("span.range", { first: start, last: end });
}

/** A day at the edge of a span: its year alone where the span begins or ends with the year. */
function edgeText(day: number, edge: "first" | "last", language: Language): string {
  const { year, month, day: ofMonth } = civilDay(day);
  if (day === (edge === "first" ? firstDayOf(year) : lastDayOf(year))) return yearText(year, language);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, ofMonth);
  const era = year > 0 ? {} : ({ era: "short" } as const);
  return new Intl.DateTimeFormat(language.tag, { year: "numeric", month: "long", day: "numeric", timeZone: "UTC", ...era }).format(date);
}

/** A day of the year for people, such as "4 February". */
export function dayOfYearText(day: DayOfYear, language: Language): string {
  const [month, ofMonth] = monthAndDay(day);
  const tag = language.tag === "en" ? "en-GB" : language.tag;
  return new Intl.DateTimeFormat(tag, { month: "long", day: "numeric", timeZone: "UTC" }).format(Date.UTC(2001, month - 1, ofMonth));
}

/** A part of the year for people. */
export function seasonText({ first, last }: SeasonChoice, language: Language): string {
  return language.say("filters.season", { first: dayOfYearText(first, language), last: dayOfYearText(last, language) });
}
