import type { Page } from "@playwright/test";
import type { DateOptions, Door } from "../src/door";
import { cosine, encodeAll, loadEncoder, type LabEncoder } from "./support/encoder";
import { expect, LAB_PATH, test } from "./support/fixtures";
import { nativeDates, nativeTokens, nativeVectors } from "./support/native";
import type { StaticServer } from "./support/server";
import { drawStrings, randomFrom } from "./support/strings";

const STRINGS = 5000;
const SEED = 20_260_101;

const sentences = [
  "boats on a stormy sea",
  "a mother and her child",
  "Textile fragment, satin with cut and uncut velvet",
  "Rockport Landscape - Gloucester area",
  "charcoal on laid paper, 1883",
  "silver bowl by Georg Jensen",
  "photograph of a steel mill at night",
  "a chair made of bent beech wood",
  "Le père Joseph, engraving",
  "café façade naïve Ünïcödé",
  "農桑輯要",
  "ありがとうございます",
  "שלום עולם",
  "مرحبا بالعالم",
  "👩‍👩‍👧‍👦 family",
  "x",
  "79.66.115",
  "c. 1860",
  "Who painted the old trees, and when did the museum acquire them?",
  "word ".repeat(200).trim(),
];

/** Texts for each set of options that dates are read by. */
const DATED_TEXTS = 1000;

const dateOptions: readonly DateOptions[] = [
  {},
  { anchor: "2024-03-15" },
  { preset: "cmoa", whole: true },
  { preset: "tate", lang: "en", whole: true },
  { lang: "zh", anchor: "1664-06-01" },
];

const dateParts = [
  ..."c. 1850|ca.1843–4|before 1928|19th century|late 1790s|2nd century BC|Edo period (1603–1867)|n.d.|1984-06~/2004|Y-17E7".split("|"),
  ..."3 May 1664|summer 1916|from 1914 to 1918|yesterday|three weeks ago|last century|printed|after|or|and|?|, |; | |. |\u3000".split("|"),
  ..."康熙三年五月|雍正二十三年|至元二年|萬曆丁亥|大清乾隆年製|清末|明朝|明代中期|五代後周|二月|芒種|去年|公元前221年|民國三十八年|，|。|至|或".split("|"),
];

/** Draws texts of one line: dates in a row, and dates among strings of all scripts. */
function drawDates(count: number, seed: number): string[] {
  const random = randomFrom(seed);
  const noise = drawStrings(count, seed).map((text) => text.replace(/[\r\n]/g, " "));
  return noise.map((text, at) => {
    const parts = Array.from({ length: 1 + Math.floor(random() * 5) }, () => dateParts[Math.floor(random() * dateParts.length)] ?? "");
    return at % 4 === 0 ? `${text} ${parts.join(" ")} ${text}` : parts.join(at % 4 === 1 ? "" : " ");
  });
}

/** Opens a bare page with the CPU module as `door`. */
async function openLab(page: Page, server: StaticServer): Promise<void> {
  await page.goto(`${server.origin}${LAB_PATH}`);
  await page.waitForFunction(() => "door" in globalThis);
}

test(`tokens are the same natively and in WebAssembly on ${STRINGS} strings of all scripts`, async ({ page, server }) => {
  test.setTimeout(300_000);
  const texts = drawStrings(STRINGS, SEED);
  expect(new Set(texts).size).toBeGreaterThan(STRINGS * 0.8);
  await loadEncoder(page, server, "cpu");
  const wasm = await page.evaluate((all) => {
    const { encoder } = globalThis as unknown as { encoder: LabEncoder };
    return all.map((text) => Array.from(encoder.tokens(text)));
  }, texts);
  const native = await nativeTokens(texts);
  expect(native.length).toBe(STRINGS);
  const differing = texts.filter((_, at) => JSON.stringify(native[at]) !== JSON.stringify(wasm[at]));
  expect(differing.map((text) => JSON.stringify(text))).toEqual([]);
  expect(new Set(native.map((ids) => ids.length)).size).toBeGreaterThan(20);
});

test("vectors have a cosine of at least 0.9999 between native and WebAssembly on 20 sentences", async ({ page, server }) => {
  await loadEncoder(page, server, "cpu");
  const wasm = await encodeAll(page, sentences);
  const native = await nativeVectors(sentences);
  expect(native.length).toBe(20);
  for (const [at, sentence] of sentences.entries()) {
    expect(cosine(native[at] ?? [], wasm[at] ?? []), sentence).toBeGreaterThanOrEqual(0.9999);
  }
});

test("vectors are the same bit by bit between native integers and WebAssembly on 20 sentences", async ({ page, server }) => {
  await loadEncoder(page, server, "cpu");
  const wasm = await encodeAll(page, sentences);
  expect(wasm.length).toBe(20);
  expect((await nativeVectors(sentences, "integers")).map((vector) => vector.map(Math.fround))).toEqual(wasm);
});

test(`dates are the same natively and in WebAssembly on ${DATED_TEXTS * dateOptions.length} texts`, async ({ page, server }) => {
  test.setTimeout(120_000);
  await openLab(page, server);
  const kinds = new Set<string>();
  for (const [at, options] of dateOptions.entries()) {
    const texts = drawDates(DATED_TEXTS, SEED + at);
    const wasm = await page.evaluate(
      ({ all, written }) => {
        const { door } = globalThis as unknown as { door: Door };
        return all.map((text) => door.dates(text, written));
      },
      { all: texts, written: JSON.stringify(options) },
    );
    const native = await nativeDates(texts, options);
    expect(native.length).toBe(DATED_TEXTS);
    const differing = texts.filter((_, text) => native[text] !== wasm[text]);
    expect(differing.map((text) => JSON.stringify(text)), JSON.stringify(options)).toEqual([]);
    for (const line of native) {
      const { found } = JSON.parse(line) as { found: { kind: string }[] };
      for (const { kind } of found) kinds.add(kind);
    }
  }
  expect([...kinds].sort()).toEqual(["all_of", "interval", "one_of", "open", "seasonal"]);
});

test("date options that mean nothing are refused as invalid input", async ({ page, server }) => {
  await openLab(page, server);
  const codes = await page.evaluate(() => {
    const { door } = globalThis as unknown as { door: Door };
    return ["", "[]", '{"preset":"louvre"}', '{"lang":"fr"}', '{"anchor":"2023-02-29"}', '{"day":1}'].map((options) => {
      try {
        return door.dates("1850", options);
      } catch (cause) {
        return cause instanceof Error && cause.name === "AlmanacError" ? (cause as Error & { code?: string }).code : "another error";
      }
    });
  });
  expect(codes).toEqual(Array.from({ length: 6 }, () => "invalid_input"));
});
