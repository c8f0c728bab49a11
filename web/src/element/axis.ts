import type { Language } from "../language/table";
import { civilDay } from "../text/days";
import { ticks, type Tick } from "../timeline/ticks";
import { placeOf, type View } from "../timeline/view";
import { yearText } from "./dates";
import { h } from "./dom";

/** Marks that fit beside each other on a narrow screen. */
const MOST_TICKS = 6;

/** The marks below a view, for the eye alone: the sliders say the years. */
export function axisNodes(view: View, language: Language): HTMLElement[] {
  return ticks(view, MOST_TICKS).map((tick) => {
    const node = h("span", { class: "tick" }, tickText(tick, language));
    node.style.setProperty("--at", String(placeOf(tick.day, view)));
    return node;
  });
}

/** A mark for people; a year before our era is said as such. */
export function tickText({ day, unit }: Tick, language: Language): string {
  const { year, month, day: ofMonth } = civilDay(day);
  if (unit === "year") return yearText(year, language);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, ofMonth);
  const parts = unit === "day" ? ({ day: "numeric", month: "short" } as const) : ({ month: "short" } as const);
  return new Intl.DateTimeFormat(language.tag, { ...parts, year: "numeric", timeZone: "UTC", ...(year > 0 ? {} : { era: "short" }) }).format(date);
}
