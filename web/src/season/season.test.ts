import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayOfYear, monthAndDay } from "../text/days";
import { dayAt, pointAt, ring, sectorPath } from "./circle";
import { between, monthOf, months, nearestStart, solarTerms, YEAR_DAYS } from "./terms";

const sum = (numbers: Float64Array): number => numbers.reduce((total, number) => total + number, 0);

describe("the circle of the year", () => {
  it("gives every part of the year the same area, also round the new year", () => {
    const arcs = fc.array(fc.tuple(fc.double({ min: 0, max: 365.24, noNaN: true }), fc.double({ min: 0.5, max: 100, noNaN: true })), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(arcs, (drawn) => {
        const sums = ring(drawn, 180);
        // Each is cut off at four deviations, and sampled at the middles of columns.
        expect(sum(sums) / drawn.length).toBeGreaterThan(0.97);
        expect(sum(sums) / drawn.length).toBeLessThan(1.03);
      }),
    );
  });

  it("is highest at the middle of a part", () => {
    const sums = ring([[2, 30]], 365);
    expect(sums.indexOf(Math.max(...sums))).toBeLessThan(4);
    expect(sums[360]).toBeGreaterThan(0);
    expect(sums[180]).toBe(0);
  });

  it("reads a place back from the point that was drawn for it", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 365, noNaN: true }), (day) => {
        const { x, y } = pointAt(day, 80);
        expect(dayAt(x, y)).toBeCloseTo(day, 6);
      }),
    );
    expect(pointAt(0, 10)).toEqual({ x: 0, y: -10 });
  });

  it("draws the long way round for a sector of more than half", () => {
    expect(sectorPath(0, 100, 1, 2)).toContain("A2 2 0 0 1");
    expect(sectorPath(300, 200, 1, 2)).toContain("A2 2 0 1 1");
    expect(sectorPath(0, YEAR_DAYS, 1, 2)).toContain("A2 2 0 1 1");
  });
});

describe("parts of the year", () => {
  it("follow each other without a gap, and the last ends where the first begins", () => {
    for (const parts of [months, solarTerms]) {
      parts.forEach((part, at) => expect((part.last + 1) % 365).toBe(parts[(at + 1) % parts.length]?.first));
    }
    expect([months.length, solarTerms.length]).toEqual([12, 24]);
  });

  it("snap to the nearest beginning of a solar term, round the new year too", () => {
    const day = (month: number, of: number): number => dayOfYear(month, of) ?? Number.NaN;
    expect(nearestStart(day(2, 6))).toBe(day(2, 4));
    expect(nearestStart(364)).toBe(day(1, 5));
    expect(between(day(2, 4), day(3, 5))).toEqual({ first: day(2, 4), last: day(3, 4) });
    expect(between(3, 3)).toBeNull();
    expect(monthOf(day(12, 31))?.number).toBe(12);
  });

  it("have a month and a day, which give the day back", () => {
    for (let day = 0; day < 365; day += 1) expect(dayOfYear(...monthAndDay(day))).toBe(day);
    expect([dayOfYear(2, 29), dayOfYear(0, 1), dayOfYear(13, 1), dayOfYear(4, 31)]).toEqual([null, null, null, null]);
    expect(monthAndDay(364)).toEqual([12, 31]);
  });
});
