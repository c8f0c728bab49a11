import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAddress, writeAddress } from "./address";
import { noAsk, type Ask } from "./ask";
import { noFilter } from "./filter";

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).map((drawn) => drawn.toWellFormed());
const asks = fc.record<Ask>({
  query: fc.stringMatching(/^[a-z:&?#%=+ 乾隆é"]{0,20}$/).map((drawn) => drawn.trim().replace(/ +/g, " ")),
  time: fc.boolean(),
  filter: fc.record({
    from: fc.option(fc.integer({ min: -9999, max: 1000 })),
    to: fc.option(fc.integer({ min: 1001, max: 9999 })),
    undated: fc.boolean(),
    facets: fc.array(fc.record({ label: text, value: text }), { maxLength: 3 }),
    season: fc.option(fc.record({ first: fc.integer({ min: 0, max: 364 }), last: fc.integer({ min: 0, max: 364 }) })),
  }),
  like: fc.option(fc.record({ document: fc.nat({ max: 999_999_999 }), id: text })),
});

describe("an address", () => {
  it("gives back the question that was written into it", () => {
    fc.assert(
      fc.property(asks, (ask) => {
        expect(readAddress(writeAddress("?backend=cpu", ask))).toEqual({ ask, notices: [] });
      }),
    );
  });

  it("keeps what belongs to others and leaves out what is not asked", () => {
    expect(writeAddress("?backend=cpu&q=old&from=3", { ...noAsk, query: "boats" })).toBe("?backend=cpu&q=boats");
    expect(writeAddress("?q=old", noAsk)).toBe("");
  });

  it("reads years as people write them", () => {
    expect(readAddress("?from=500+BC&to=-10").ask.filter).toMatchObject({ from: -499, to: -10 });
  });

  it("tells of years that cannot be read, and leaves them out", () => {
    const { ask, notices } = readAddress("?q=a&from=soon&to=1850");
    expect(ask.filter).toEqual({ ...noFilter, to: 1850 });
    expect(notices).toEqual([{ about: "year", value: "soon" }]);
  });

  it("tells of years in the wrong order, and keeps the first", () => {
    const { ask, notices } = readAddress("?from=1900&to=1800");
    expect(ask.filter).toMatchObject({ from: 1900, to: null });
    expect(notices).toEqual([{ about: "year", value: "1800" }]);
  });

  it("writes a time of year as months and days, and tells of one that is none", () => {
    const winter = { ...noAsk, filter: { ...noFilter, season: { first: 334, last: 58 } } };
    expect(writeAddress("", winter)).toBe("?season=12-01..02-28");
    for (const value of ["02-30..03-01", "13-01..13-02", "spring"]) {
      const { ask, notices } = readAddress(`?season=${value}`);
      expect(ask.filter.season).toBeNull();
      expect(notices).toEqual([{ about: "season", value }]);
    }
  });

  it("names a record whose like is asked for by place and name, and tells of one that is neither", () => {
    const like = { document: 7, id: "cmoa:objects/1: a" };
    expect(readAddress(writeAddress("?q=boats", { ...noAsk, query: "boats", like })).ask).toEqual({ ...noAsk, query: "boats", like });
    const { ask, notices } = readAddress("?like=boats");
    expect(ask.like).toBeNull();
    expect(notices).toEqual([{ about: "like", value: "boats" }]);
  });

  it("tells of a facet without a label", () => {
    expect(readAddress("?f=nothing").notices).toEqual([{ about: "facet", value: "nothing" }]);
  });

  it("cuts a query of any length, and what it says of it", () => {
    expect(readAddress(`?q=${"a".repeat(5000)}`).ask.query).toHaveLength(1000);
    expect(readAddress(`?from=${"b".repeat(5000)}`).notices).toEqual([{ about: "year", value: `${"b".repeat(60)}…` }]);
  });
});
