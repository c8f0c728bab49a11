import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { civilDay, firstDayOf, isoDay, lastDayOf } from "./days";

/** The day number of a date by the platform's own calendar. */
function dayOf(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() / 86_400_000 + 719_163;
}

const years = fc.integer({ min: -200_000, max: 200_000 });

describe("day numbers", () => {
  it("count from 1 on the first day of the year 1", () => {
    expect(firstDayOf(1)).toBe(1);
    expect(lastDayOf(0)).toBe(0);
    expect(civilDay(0)).toEqual({ year: 0, month: 12, day: 31 });
  });

  it("of a year's ends are those of the platform's calendar, before Christ too", () => {
    fc.assert(
      fc.property(years, (year) => {
        expect(firstDayOf(year)).toBe(dayOf(year, 1, 1));
        expect(lastDayOf(year)).toBe(dayOf(year, 12, 31));
      }),
    );
  });

  it("give back the date they were made of", () => {
    fc.assert(
      fc.property(years, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }), (year, month, day) => {
        expect(civilDay(dayOf(year, month, day))).toEqual({ year, month, day });
      }),
    );
  });

  it("know leap days", () => {
    expect(civilDay(dayOf(2000, 2, 29))).toEqual({ year: 2000, month: 2, day: 29 });
    expect(lastDayOf(1900) - firstDayOf(1900)).toBe(364);
    expect(lastDayOf(0) - firstDayOf(0)).toBe(365);
  });
});

describe("today", () => {
  it("is the visitor's own date, not that of another time zone", () => {
    expect(isoDay(new Date(2026, 0, 5, 0, 30))).toBe("2026-01-05");
    expect(isoDay(new Date(2026, 11, 31, 23, 59))).toBe("2026-12-31");
  });
});
