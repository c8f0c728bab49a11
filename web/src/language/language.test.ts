import { describe, expect, it } from "vitest";
import { builtIn, english, languageTag, ownLanguage } from "./choose";
import { en } from "./en";
import { readStrings } from "./own";
import { placesOf, type Key } from "./table";
import { zhHans } from "./zh-hans";

const keys = Object.keys(en) as Key[];

describe("the Chinese sentences", () => {
  it("are all there, with the same places as the English ones", () => {
    expect(Object.keys(zhHans).sort()).toEqual([...keys].sort());
    for (const key of keys) expect(placesOf(zhHans[key]), key).toEqual(placesOf(en[key]));
  });

  it("are not left in English", () => {
    const left = keys.filter((key) => !/[\p{sc=Han}]/u.test(zhHans[key]) && /[a-z]{4}/i.test(zhHans[key].replace(/\{\w+\}/g, "")));
    expect(left).toEqual([]);
  });
});

describe("a sentence", () => {
  it("is filled once: braces in a value stay text", () => {
    expect(english.say("filters.value", { value: "{count}", count: "3" })).toBe("{count} (3)");
  });

  it("counts nouns by the language's rules", () => {
    expect(english.counted("records", 1)).toBe("1 record");
    expect(english.counted("results", 28_258)).toBe("28,258 results");
    expect(builtIn("zh").counted("results", 1)).toBe("1 条结果");
  });
});

describe("a site's own sentences", () => {
  it("replace some and leave the rest English", () => {
    const strings = readStrings('{"box.search": "Chercher"}');
    expect(strings["box.search"]).toBe("Chercher");
    expect(strings["box.retry"]).toBe(en["box.retry"]);
  });

  it.each([
    ['{"box.serch": "x", "toString": "y"}', /"box\.serch", "toString"/],
    ['{"box.search": 3}', /"box\.search" is not text/],
    ['{"box.search": "{query}"}', /"box\.search" has no place \{query\}/],
    ["[]", /not a JSON object/],
    ["<!doctype html>", /not JSON/],
  ])("in %s are refused by name", (json, message) => {
    expect(() => readStrings(json)).toThrow(message);
  });

  it("hold in a language whose tag is none", () => {
    expect(ownLanguage("not a tag!", readStrings('{"box.search": "?"}')).say("box.search")).toBe("?");
  });
});

describe("the language", () => {
  it.each([
    ["zh", "zh-Hans"],
    ["zh-CN", "zh-Hans"],
    ["zh-Hant-TW", "zh-Hans"],
    ["en-US", "en"],
    ["fr", "en"],
    ["", "en"],
    ["zhx", "en"],
  ])("for %j is %j", (tag, chosen) => {
    expect(builtIn(tag).tag).toBe(chosen);
  });

  it("is that of the nearest element that says one, out of shadow trees too", () => {
    document.documentElement.lang = "en";
    const outer = document.createElement("div");
    outer.lang = "zh";
    const root = outer.attachShadow({ mode: "open" });
    const inner = document.createElement("p");
    root.append(inner);
    document.body.replaceChildren(outer);
    expect(languageTag(inner)).toBe("zh");
    inner.lang = "fr";
    expect(languageTag(inner)).toBe("fr");
    expect(languageTag(document.body)).toBe("en");
  });
});
