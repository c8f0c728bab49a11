import type { Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Branch, Encoder } from "../src/door";
import { loadEncoder } from "./support/encoder";
import { expect, test } from "./support/fixtures";
import { nativeTimes } from "./support/native";
import { branchFolder } from "./support/paths";

const texts = [
  "3 March 1850",
  "Born in Vienna on May 3rd, 1850.",
  "the early 19th century",
  "c. 1850",
  "from 1914 to 1918",
  "44 BC",
  "twenty years ago",
  "last year",
  "the day before yesterday",
  "two centuries ago",
  "MDCCLXIV",
  "eighteen fifty-three",
  "乾隆十二年",
  "十九世纪初",
  "去年",
  "a bronze vessel from the river valley",
  "The painter was born in 1850. He died in 1901.",
  "word ".repeat(400).trim(),
  "",
];

const anchors = ["1664-06-01", "2024-03-15"];

/** Days from 0001-01-01, which is day 1, to an ISO day. */
const dayNumber = (iso: string): number => (Date.parse(iso) - Date.parse("0001-01-01")) / 86_400_000 + 1;

/** Loads the branch of the repository on the page, as `branch`. */
async function loadBranch(page: Page): Promise<void> {
  const card = await readFile(join(branchFolder, "branch.json"), "utf8");
  const { weights } = JSON.parse(card) as { weights: { file: string } };
  const bytes = (await readFile(join(branchFolder, weights.file))).toString("base64");
  await page.evaluate(
    ({ card, bytes }) => {
      const global = globalThis as unknown as { door: { Branch: { load(card: Uint8Array, weights: Uint8Array): Branch } }; branch: Branch };
      const read = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
      global.branch = global.door.Branch.load(new TextEncoder().encode(card), read);
    },
    { card, bytes },
  );
}

test("the temporal branch reads the same times natively and in WebAssembly, and moves with the anchor", async ({ page, server }) => {
  await loadEncoder(page, server, "cpu");
  await loadBranch(page);
  const read: number[][][] = [];
  for (const anchor of anchors) {
    const wasm = await page.evaluate(
      ({ all, day }) => {
        const { branch, cpuEncoder } = globalThis as unknown as { branch: Branch; cpuEncoder: Encoder };
        return all.map((text) => Array.from(branch.time(cpuEncoder, text, day)));
      },
      { all: texts, day: dayNumber(anchor) },
    );
    const native = await nativeTimes(texts, anchor);
    expect(native.length).toBe(texts.length);
    for (const [at, text] of texts.entries()) {
      const [mean = Number.NaN, length = Number.NaN] = wasm[at] ?? [];
      const [nativeMean = Number.NaN, nativeLength = Number.NaN] = native[at] ?? [];
      expect(Math.abs(mean - nativeMean), text).toBeLessThanOrEqual(1e-3 * nativeLength);
      expect(Math.abs(length / nativeLength - 1), text).toBeLessThanOrEqual(1e-3);
    }
    read.push(wasm);
  }
  const mean = (anchor: number, text: string): number => read[anchor]?.[texts.indexOf(text)]?.[0] ?? Number.NaN;
  expect(Math.abs(mean(1, "last year") - mean(0, "last year") - 360 * 365.2425)).toBeLessThan(400);
  expect(mean(1, "3 March 1850")).toBe(mean(0, "3 March 1850"));
});
