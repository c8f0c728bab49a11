import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatBytes, formatMillis, formatNoun } from "./format";
import { safeLink } from "./link";
import { cleanQuery, MAX_QUERY_UNITS } from "./query";

const base = "https://museum.example/repo/sub/";
const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

describe("query", () => {
  it("never yields a lone surrogate, a double space or more than the limit, whatever is typed", () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 1500 });
    fc.assert(
      fc.property(units, (codes) => {
        const { text } = cleanQuery(codes.map((code) => String.fromCharCode(code)).join(""));
        expect(text).not.toMatch(loneSurrogate);
        expect(text).not.toMatch(/\s\s/);
        expect(text.length).toBeLessThanOrEqual(MAX_QUERY_UNITS);
      }),
    );
  });

  it("leaves well-formed short text alone", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }).filter((text) => !/\s/.test(text)), (text) => {
        expect(cleanQuery(text)).toEqual({ text, shortened: false });
      }),
    );
  });

  it("does not split a surrogate pair at the limit", () => {
    const typed = `${"a".repeat(MAX_QUERY_UNITS - 1)}😀b`;
    expect(cleanQuery(typed)).toEqual({ text: "a".repeat(MAX_QUERY_UNITS - 1), shortened: true });
  });

  it("says that a ten thousand character paste was shortened", () => {
    expect(cleanQuery("word ".repeat(2000)).shortened).toBe(true);
  });

  it("replaces an unpaired surrogate with U+FFFD", () => {
    expect(cleanQuery("a\uD800b \uDC00").text).toBe("a\uFFFDb \uFFFD");
  });
});

describe("link", () => {
  it.each([
    "javascript:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://museum.example/1",
    "https://user:secret@museum.example/",
    "http://",
    "",
    "   ",
  ])("refuses %j", (link) => {
    expect(safeLink(link, base)).toBeNull();
  });

  it("keeps web links and resolves relative ones inside the sub-path", () => {
    expect(safeLink("http://collection.example/a?item=1", base)?.href).toBe("http://collection.example/a?item=1");
    expect(safeLink("objects/1.html", base)?.href).toBe("https://museum.example/repo/sub/objects/1.html");
  });

  it("gives only http and https, whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.string().map((text) => `javascript:${text}`)), (link) => {
        const url = safeLink(link, base);
        if (url !== null) expect(["http:", "https:"]).toContain(url.protocol);
      }),
    );
  });
});

describe("format", () => {
  it("writes bytes in decimal units and never shows a four-digit number of them", () => {
    expect(formatBytes(0)).toBe("0 bytes");
    expect(formatBytes(999)).toBe("999 bytes");
    expect(formatBytes(999_600)).toBe("1.0 MB");
    expect(formatBytes(24_310_000)).toBe("24.3 MB");
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e11 }), (bytes) => {
        expect(Number.parseFloat(formatBytes(bytes))).toBeLessThan(1000);
      }),
    );
  });

  it("writes times and counts for people", () => {
    expect(formatMillis(31.4)).toBe("31 ms");
    expect(formatMillis(11_200)).toBe("11.2 s");
    expect(formatNoun(1, "result")).toBe("1 result");
    expect(formatNoun(28_258, "record")).toBe("28,258 records");
  });
});
