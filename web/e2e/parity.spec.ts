import type { Encoder } from "../src/door";
import { cosine, encodeAll, loadEncoder } from "./support/encoder";
import { expect, test } from "./support/fixtures";
import { nativeTokens, nativeVectors } from "./support/native";
import { drawStrings } from "./support/strings";

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

test(`tokens are the same natively and in WebAssembly on ${STRINGS} strings of all scripts`, async ({ page, server }) => {
  test.setTimeout(300_000);
  const texts = drawStrings(STRINGS, SEED);
  expect(new Set(texts).size).toBeGreaterThan(STRINGS * 0.8);
  await loadEncoder(page, server, "cpu");
  const wasm = await page.evaluate((all) => {
    const { encoder } = globalThis as unknown as { encoder: Encoder };
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
