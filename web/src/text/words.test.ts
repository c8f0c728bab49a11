import { describe, expect, it } from "vitest";
import { saidWords } from "./words";

describe("matched terms", () => {
  it("are said once, and not again as parts of a code", () => {
    expect(saidWords(["bowl", "79.66", "115", "#79.66.115", "bowl"])).toEqual(["bowl", "79.66.115"]);
  });

  it("of characters are said as the pairs they stand in, and alone where they stand alone", () => {
    expect(saidWords(["乾", "隆", "乾隆", "瓶"])).toEqual(["乾隆", "瓶"]);
  });

  it("of words with spaces may lie inside others", () => {
    expect(saidWords(["art", "artist"])).toEqual(["art", "artist"]);
  });

  it("leave out the exact forms that stand beside them", () => {
    expect(saidWords(["rontgen", "=röntgen"])).toEqual(["rontgen"]);
  });
});
