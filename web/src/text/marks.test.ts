import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markedRanges } from "./marks";

const marked = (text: string, terms: string[]): string[] => markedRanges(text, terms).map(([start, end]) => text.slice(start, end));

describe("marks", () => {
  it("are whole words, whatever their case and accents", () => {
    expect(marked("A Café, façade and cafeteria; CAFE\u0301!", ["cafe", "facade"])).toEqual(["Café", "façade", "CAFE\u0301"]);
  });

  it("hold accents that are written apart", () => {
    expect(marked("nai\u0308ve", ["naive"])).toEqual(["nai\u0308ve"]);
  });

  it("of characters without spaces stand inside longer runs, and neighbours are one", () => {
    expect(marked("大清乾隆年製", ["乾隆", "隆年"])).toEqual(["乾隆年"]);
  });

  it("hold a phrase with its spaces", () => {
    expect(marked("Oil on canvas, oil on board", ["oil on canvas"])).toEqual(["Oil on canvas"]);
  });

  it("hold an accession number as it stands", () => {
    expect(marked("no. 79.66.115 and 179.66.115", ["79.66.115"])).toEqual(["79.66.115"]);
  });

  it("are plurals too, which an index may cut down", () => {
    expect(marked("Vases, cities, boxes and a vase of glass", ["vase", "city", "boxe"])).toEqual(["Vases", "cities", "boxes", "vase"]);
    expect(marked("as 5s", ["a", "5"])).toEqual([]);
  });

  it("of nothing are none", () => {
    expect(markedRanges("text", [])).toEqual([]);
    expect(markedRanges("text", ["", " ", "\u0301"])).toEqual([]);
  });

  it("lie in order inside the text, never overlap and never split a surrogate pair", () => {
    const text = fc.string({ unit: "binary", maxLength: 40 });
    fc.assert(
      fc.property(text, fc.array(fc.string({ unit: "binary", minLength: 1, maxLength: 3 }), { maxLength: 5 }), (passage, terms) => {
        let last = 0;
        for (const [start, end] of markedRanges(passage, [...terms, passage.slice(0, 3)])) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(passage.slice(start, end)).toBe(passage.slice(start, end).toWellFormed());
          last = end;
        }
        expect(last).toBeLessThanOrEqual(passage.length);
      }),
    );
  });
});
