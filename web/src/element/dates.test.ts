import { describe, expect, it } from "vitest";
import { builtIn, english, ownLanguage } from "../language/choose";
import { readStrings } from "../language/own";
import { dated } from "../testing/found";
import { firstDayOf, lastDayOf } from "../text/days";
import type { QueryDate } from "../door";
import { readingText, spanText, yearText } from "./dates";

const chinese = builtIn("zh");
const base = dated.dates[0];
if (base === undefined) throw new Error("the sample holds a date");
const date = (change: Partial<QueryDate>): QueryDate => ({ ...base, ...change });

describe("a year", () => {
  it("before the year 1 is said without a year zero", () => {
    expect(yearText(0, english)).toBe("1 BC");
    expect(yearText(-499, english)).toBe("500 BC");
    expect(yearText(1850, english)).toBe("1850");
    expect(yearText(-220, chinese)).toBe("公元前221年");
  });
});

describe("a reading", () => {
  it("in English is the index's own", () => {
    expect(readingText(date({}), english)).toBe("1850s → 1850 to 1859");
    expect(spanText(date({}), english)).toBe("1850 to 1859");
    expect(spanText(date({ reading: "always" }), english)).toBe("always");
  });

  it.each([
    [{}, "1850s → 1850年至1859年"],
    [{ match: "1853", first: firstDayOf(1853), last: lastDayOf(1853) }, "1853 → 1853年"],
    [{ match: "before 1 AD", first: null, last: lastDayOf(0) }, "before 1 AD → 公元前1年及以前"],
    [{ match: "after 1850", first: firstDayOf(1851), last: null }, "after 1850 → 1851年及以后"],
    [{ match: "3 May 1664", first: firstDayOf(1664) + 123, last: firstDayOf(1664) + 123 }, "3 May 1664 → 1664年5月3日"],
    [{ match: "spring", reading: "spring → March to May", seasonal: true }, "spring → March to May"],
  ])("in Chinese is made of its days: %j", (change, text) => {
    expect(readingText(date(change), chinese)).toBe(text);
  });

  it("in a site's own language uses its sentences and its months", () => {
    const french = ownLanguage("fr", readStrings('{"span.range": "{first} à {last}"}'));
    expect(spanText(date({ last: firstDayOf(1851) }), french)).toBe("1850 à 1 janvier 1851");
  });
});
