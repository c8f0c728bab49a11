import type { Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Door, Encoder } from "../src/door";
import { expect, LAB_PATH, SUB_PATH, test } from "./support/fixtures";
import { nativeTokens, nativeVectors } from "./support/native";
import { site } from "./support/paths";
import type { StaticServer } from "./support/server";
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

/** Loads the CPU encoder on a bare page, as `encoder`. */
async function loadEncoder(page: Page, server: StaticServer): Promise<void> {
  const card = JSON.parse(await readFile(join(site, "model", "card.json"), "utf8")) as {
    weights: { parts: { file: string }[] };
    tokenizer: { file: string };
  };
  await page.goto(`${server.origin}${LAB_PATH}`);
  await page.waitForFunction(() => "door" in globalThis);
  await page.evaluate(
    async ({ model, parts, tokenizer }) => {
      const { door } = globalThis as unknown as { door: Door };
      const read = async (file: string): Promise<Uint8Array> => new Uint8Array(await (await fetch(model + file)).arrayBuffer());
      const weights = new Uint8Array(await new Blob((await Promise.all(parts.map(read))) as BlobPart[]).arrayBuffer());
      const encoder = await door.Encoder.load(await read("card.json"), weights, await read(tokenizer), "cpu");
      (globalThis as unknown as { encoder: Encoder }).encoder = encoder;
    },
    {
      model: `${SUB_PATH}model/`,
      parts: card.weights.parts.map((part) => part.file),
      tokenizer: card.tokenizer.file,
    },
  );
}

test(`tokens are the same natively and in WebAssembly on ${STRINGS} strings of all scripts`, async ({ page, server }) => {
  test.setTimeout(300_000);
  const texts = drawStrings(STRINGS, SEED);
  expect(new Set(texts).size).toBeGreaterThan(STRINGS * 0.8);
  await loadEncoder(page, server);
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
  await loadEncoder(page, server);
  const wasm = await page.evaluate(async (all) => {
    const { encoder } = globalThis as unknown as { encoder: Encoder };
    const vectors: number[][] = [];
    for (const text of all) vectors.push(Array.from(await encoder.encode(text, "query")));
    return vectors;
  }, sentences);
  const native = await nativeVectors(sentences);
  expect(native.length).toBe(20);
  for (const [at, sentence] of sentences.entries()) {
    expect(cosine(native[at] ?? [], wasm[at] ?? []), sentence).toBeGreaterThanOrEqual(0.9999);
  }
});

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, value, at) => sum + value * (y[at] ?? Number.NaN), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
