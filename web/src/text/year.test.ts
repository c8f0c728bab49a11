import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseYear } from "./year";

describe("a year", () => {
  it.each([
    ["1850", 1850],
    [" 1850 ", 1850],
    ["+79", 79],
    ["AD 79", 79],
    ["79 CE", 79],
    ["79 a.d.", 79],
    ["500 BC", -499],
    ["500BCE", -499],
    ["500 b.c.e.", -499],
    ["BC 500", -499],
    ["1 BC", 0],
    ["2 BC", -1],
    ["0", 0],
    ["-500", -500],
    ["−500", -500],
    ["–500", -500],
    ["公元前500年", -499],
    ["前 500", -499],
    ["公元1850年", 1850],
    ["１８５０", 1850],
  ])("written %j is the astronomical year %d", (typed, year) => {
    expect(parseYear(typed)).toBe(year);
  });

  it.each(["", " ", "0 BC", "AD 0", "c. 1850", "1850s", "1850-1860", "-500 BC", "1e3", "12.5", "9999999", "--5", "BC", "年"])(
    "is not %j",
    (typed) => {
      expect(parseYear(typed)).toBeNull();
    },
  );

  it("before Christ grows toward the year 1 without a gap", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), (bc) => {
        expect(parseYear(`${bc + 1} BC`)).toBe((parseYear(`${bc} BCE`) ?? Number.NaN) - 1);
      }),
    );
    expect(parseYear("1 BC")).toBe((parseYear("1") ?? Number.NaN) - 1);
  });

  it("is never read as minus zero", () => {
    expect(Object.is(parseYear("-0"), 0)).toBe(true);
  });
});
