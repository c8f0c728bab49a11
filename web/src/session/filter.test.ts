import { describe, expect, it } from "vitest";
import { fakeInfo } from "../testing/fake-door";
import { firstDayOf, lastDayOf } from "../text/days";
import { conditions, doorFilter, knownFilter, noFilter, sameFilter } from "./filter";

const arms = { label: "Department", value: "Arms" };
const prints = { label: "Department", value: "Prints" };

describe("a filter", () => {
  it("that lets everything pass is none for the index", () => {
    expect(doorFilter(noFilter, fakeInfo)).toBeUndefined();
    expect(doorFilter({ ...noFilter, undated: true }, fakeInfo)).toBeUndefined();
  });

  it("of years runs from the first day of one to the last day of the other, and is open where none is given", () => {
    expect(doorFilter({ ...noFilter, from: 1850, to: 1859 }, fakeInfo)).toEqual({ first: 675_334, last: 678_985, undated: false });
    expect(doorFilter({ ...noFilter, to: 0, undated: true }, fakeInfo)).toEqual({ first: null, last: 0, undated: true });
    expect(firstDayOf(1850)).toBe(Date.UTC(1850, 0, 1) / 86_400_000 + 719_163);
    expect(lastDayOf(1859)).toBe(Date.UTC(1859, 11, 31) / 86_400_000 + 719_163);
  });

  it("of facets names them by number", () => {
    expect(doorFilter({ ...noFilter, facets: [arms, prints] }, fakeInfo)).toEqual({ facets: [[0, 1], [0, 0]] });
  });

  it("parts what the index has from what it does not have", () => {
    const strange = [{ label: "Department", value: "Magic" }, { label: "Owner", value: "Arms" }];
    const { known, unknown } = knownFilter({ ...noFilter, facets: [arms, ...strange] }, fakeInfo);
    expect(known.facets).toEqual([arms]);
    expect(unknown).toEqual(strange);
    expect(doorFilter({ ...noFilter, facets: strange }, fakeInfo)).toBeUndefined();
  });

  it("is the same whatever the order of its facets", () => {
    expect(sameFilter({ ...noFilter, facets: [arms, prints] }, { ...noFilter, facets: [prints, arms] })).toBe(true);
    expect(sameFilter({ ...noFilter, facets: [arms] }, { ...noFilter, facets: [prints] })).toBe(false);
    expect(sameFilter(noFilter, { ...noFilter, from: 0 })).toBe(false);
  });

  it("counts its years as one condition", () => {
    expect(conditions({ ...noFilter, from: 1, to: 2, undated: true, facets: [arms, prints] })).toBe(3);
    expect(conditions({ ...noFilter, season: { first: 0, last: 30 } })).toBe(1);
    expect(conditions(noFilter)).toBe(0);
  });
});
