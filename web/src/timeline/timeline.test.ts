import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { civilDay, firstDayOf, lastDayOf } from "../text/days";
import { bumpOf, density, type DaySpan } from "./density";
import { ticks } from "./ticks";
import { closed, moved, placeOf, wholeView, yearAt, zoomed } from "./view";

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
const year = (number: number): DaySpan => [firstDayOf(number), lastDayOf(number)];
const open = { from: null, to: null };

describe("a date as a bump", () => {
  it("has the mean and the variance of its interval", () => {
    expect(bumpOf([10, 10]).mean).toBe(10.5);
    const { mean, deviation } = bumpOf([1, 12]);
    expect(mean).toBe(7);
    expect(deviation ** 2).toBeCloseTo(12);
  });

  it("has area 1, however vague the date is", () => {
    for (const span of [year(1850), [firstDayOf(1801), lastDayOf(1900)] as const, [firstDayOf(1850), firstDayOf(1850)] as const]) {
      expect(sum(density([bumpOf(span)], { start: firstDayOf(1000), end: firstDayOf(2700) }, 500))).toBeCloseTo(1, 3);
    }
  });

  it("of a sharp date is higher than that of a vague one", () => {
    const view = { start: firstDayOf(1700), end: firstDayOf(2000) };
    const peak = (span: DaySpan): number => Math.max(...density([bumpOf(span)], view, 300));
    expect(peak(year(1850))).toBeGreaterThan(5 * peak([firstDayOf(1801), lastDayOf(1900)]));
  });

  it("adds to the others", () => {
    const view = { start: 0, end: 1000 };
    const [a, b] = [bumpOf([100, 200]), bumpOf([150, 400])];
    const both = density([a, b], view, 50);
    const [one, other] = [density([a], view, 50), density([b], view, 50)];
    both.forEach((value, at) => expect(value).toBeCloseTo((one[at] ?? 0) + (other[at] ?? 0)));
  });
});

describe("the view", () => {
  it("shows every date and the years asked for", () => {
    const view = wholeView([year(1850), [firstDayOf(-499), Number.POSITIVE_INFINITY]], { from: -999, to: 1900 });
    expect(view?.start).toBeLessThanOrEqual(firstDayOf(-999));
    expect(view?.end).toBeGreaterThan(lastDayOf(1900));
    expect(wholeView([[Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]], open)).toBeNull();
  });

  it("closes what is open where everything ends", () => {
    const whole = { start: 0, end: 100 };
    const spans: DaySpan[] = [[Number.NEGATIVE_INFINITY, 50], [50, Number.POSITIVE_INFINITY], [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY], [3, 4]];
    expect(closed(spans, whole)).toEqual([[0, 50], [50, 99], [3, 4]]);
  });

  it("zooms about a day that keeps its place, from millennia to days, and never leaves the whole", () => {
    const whole = { start: firstDayOf(-3000), end: firstDayOf(2100) };
    const about = firstDayOf(1850);
    let view = whole;
    for (let step = 0; step < 20; step += 1) view = zoomed(view, 1 / 3, about, whole);
    expect(view.end - view.start).toBe(10);
    expect(placeOf(about, view)).toBeCloseTo(placeOf(about, whole), 3);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(1 / 3, 3), fc.double({ min: -1, max: 1, noNaN: true })), { maxLength: 30 }), (steps) => {
        let at = whole;
        for (const [factor, part] of steps) at = moved(zoomed(at, factor, (at.start + at.end) / 2, whole), part, whole);
        return at.start >= whole.start - 1e-6 && at.end <= whole.end + 1e-6 && at.end > at.start;
      }),
    );
  });

  it("gives back the year that lies at a place", () => {
    const view = { start: firstDayOf(-10), end: firstDayOf(11) };
    for (const wanted of [-10, -1, 0, 1, 5, 10]) expect(yearAt(placeOf(firstDayOf(wanted), view), view)).toBe(wanted);
    expect(yearAt(1, view)).toBe(10);
  });
});

describe("the marks of the axis", () => {
  const years = (from: number, to: number): number[] => ticks({ start: firstDayOf(from), end: firstDayOf(to) }, 8).map(({ day }) => civilDay(day).year);

  it("are round in both eras and name no year zero", () => {
    expect(years(-1100, 1600)).toEqual([-999, -499, 1, 500, 1000, 1500]);
    expect(years(-3, 3)).toEqual([-3, -2, -1, 0, 1, 2]);
  });

  it("are few, in order and inside the view at any zoom", () => {
    fc.assert(
      fc.property(fc.integer({ min: -9999, max: 9999 }), fc.double({ min: 1, max: 7, noNaN: true }), (start, power) => {
        const view = { start: firstDayOf(start) + 37.5, end: firstDayOf(start) + 37.5 + 10 ** power };
        const days = ticks(view, 8).map(({ day }) => day);
        const ordered = days.every((day, at) => at === 0 || day > (days[at - 1] ?? 0));
        return days.length >= 1 && days.length <= 14 && ordered && days.every((day) => day >= view.start && day < view.end);
      }),
    );
  });

  it("are months and days where there is room", () => {
    const start = firstDayOf(1850);
    expect(new Set(ticks({ start, end: start + 200 }, 8).map(({ unit }) => unit))).toEqual(new Set(["year", "month"]));
    expect(ticks({ start: start + 3, end: start + 13 }, 8).every(({ unit }) => unit === "day")).toBe(true);
  });
});
