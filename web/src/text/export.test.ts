import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foundDocument } from "../testing/found";
import { citation, creatorOf, type Cited } from "./citation";
import { csvOf, jsonOf } from "./export";

/** Cells of a CSV text, read as RFC 4180 says. */
function read(text: string): string[][] {
  const rows: string[][] = [];
  for (const line of text.slice(1).split(/\r\n(?=(?:[^"]*"[^"]*")*[^"]*$)/)) {
    if (line !== "") rows.push([...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, cell = ""]) => cell.replaceAll('""', '"')));
  }
  return rows;
}

describe("a table of results", () => {
  it("has a row for each, with the fields that any of them has", () => {
    const [head, first, second] = read(csvOf([foundDocument("a", { fields: [["medium", "oil, on canvas"]] }), foundDocument("b", { fields: [["maker", 'the "Old" shop']] })]));
    expect(head?.slice(-2)).toEqual(["medium", "maker"]);
    expect(first?.slice(-2)).toEqual(["oil, on canvas", ""]);
    expect(second?.slice(-2)).toEqual(["", 'the "Old" shop']);
  });

  it.each(["=1+1", "+1+1", "-2+3", "@SUM(A1)", " =1", "\t=1", "＝1", "=cmd|' /C calc'!A0", "\u200b=1", "|x"])("shows %j as text, never as a formula", (text) => {
    expect(read(csvOf([foundDocument("a", { title: text })]))[1]?.[2]).toBe(`'${text}`);
  });

  it("keeps plain text and negative numbers as they are", () => {
    expect(read(csvOf([foundDocument("a", { title: "a=b", date: "-499" })]))[1]?.slice(2, 4)).toEqual(["a=b", "-499"]);
  });

  it("never begins a cell with a formula, whatever the record says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (title) => {
        const shown = read(csvOf([foundDocument("a", { title })]))[1]?.[2] ?? "";
        return !/^[=+@\t\r]/.test(shown) && (!shown.startsWith("-") || /^-?\d+(?:\.\d+)?$/.test(shown));
      }),
    );
  });

  it("as JSON reads back as what was found", () => {
    const text = jsonOf([foundDocument("a", { fields: [["medium", "oil"]] })], { query: "boats", address: "https://museum.example/?q=boats", collection: "Museum" });
    expect(JSON.parse(text)).toMatchObject({ query: "boats", results: [{ rank: 1, id: "a", fields: [{ label: "medium", value: "oil" }] }] });
  });
});

describe("a citation", () => {
  const cited: Cited = {
    id: "cmoa:1/2",
    title: "Sea & Storm {50%}",
    date: "c. 1853",
    url: "https://museum.example/1",
    creator: "Jane Doe",
    collection: "Museum of Art",
    accessed: new Date(Date.UTC(2026, 0, 2, 12)),
  };

  it("names maker, work, date, place and address", () => {
    expect(citation(cited, "plain")).toBe("Sea & Storm {50%}. Jane Doe. c. 1853. Museum of Art, cmoa:1/2. https://museum.example/1");
    expect(citation(cited, "chicago")).toBe("Jane Doe. Sea & Storm {50%}. c. 1853. Museum of Art, cmoa:1/2. Accessed January 2, 2026. https://museum.example/1");
  });

  it("leaves out what is not known", () => {
    expect(citation({ ...cited, creator: null, date: null, url: null, collection: "" }, "chicago")).toBe("Sea & Storm {50%}. cmoa:1/2.");
  });

  it("in BibTeX has every sign escaped that BibTeX would read, and a key it accepts", () => {
    const text = citation(cited, "bibtex");
    expect(text).toMatch(/^@misc\{cmoa-1-2,\n/);
    expect(text).toContain("title = {{Sea \\& Storm \\{50\\%\\}}},");
    expect(text).toContain("year = {1853},");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (title) => {
        const plain = citation({ ...cited, title, id: title }, "bibtex").replace(/\\[{}]/g, "");
        let depth = 0;
        for (const sign of plain) {
          depth += sign === "{" ? 1 : sign === "}" ? -1 : 0;
          if (depth < 0) return false;
        }
        return depth === 0 && /^@misc\{[A-Za-z0-9-]+,$/.test(plain.split("\n")[0] ?? "");
      }),
    );
  });

  it("finds the maker by the name of its field", () => {
    expect(creatorOf([["medium", "oil"], ["Artist", " Jane "]])).toBe("Jane");
    expect(creatorOf([["medium", "oil"]])).toBeNull();
  });
});
