import type { Page } from "@playwright/test";
import { cosine, encodeAll, loadEncoder } from "./support/encoder";
import { expect, LAB_PATH, SUB_PATH, test } from "./support/fixtures";
import { nativeVectors } from "./support/native";
import { classicalModel, lab, packages, site } from "./support/paths";
import type { StaticServer } from "./support/server";

const MODEL_PATH = `${LAB_PATH}classical/`;

/** Loads the encoder of the farming books on a bare page. */
async function loadClassical(page: Page, server: StaticServer, backend: "cpu" | "gpu"): Promise<void> {
  server.remount({ [SUB_PATH]: site, [`${LAB_PATH}pkg/`]: packages, [MODEL_PATH]: classicalModel, [LAB_PATH]: lab });
  await loadEncoder(page, server, backend, { folder: classicalModel, path: MODEL_PATH });
}

/** Questions of today and passages as the books have them. */
const texts = [
  "如何防止旱灾",
  "豆子什么时候收割",
  "早稻和晚稻要搭配着种，有闰月的年份该怎么办？",
  "养蚕的方法",
  "凡耕之本，在於趣時，和土，務糞澤",
  "葉落盡則刈之，豆角三青兩黃",
  "凡田欲早晩相雜防嵗道有所宜",
  "种麦得时无不善",
  "1637年的造纸方法",
  "plough",
];

/** A passage without punctuation in traditional characters, and with it in simplified ones. */
const forms: readonly (readonly [string, string])[] = [
  ["凡五穀種子浥鬱則不生生者亦尋死", "凡五谷种子，浥郁则不生，生者亦寻死。"],
  ["葉落盡則刈之豆角三青兩黃", "叶落尽，则刈之。豆角三青两黄，"],
  ["慎無旱耕須草生至可耕時有雨即耕", "慎无旱耕。须草生，至可耕时，有雨即耕"],
];

test("classical vectors are the same bit by bit between native integers and WebAssembly", async ({ page, server }) => {
  await loadClassical(page, server, "cpu");
  const wasm = await encodeAll(page, texts);
  expect(wasm.length).toBe(texts.length);
  const native = await nativeVectors(texts, "integers", classicalModel);
  expect(native.map((vector) => vector.map(Math.fround))).toEqual(wasm);
});

test("classical vectors have a cosine of at least 0.9999 between native float32 and WebGPU", async ({ page, server }) => {
  test.setTimeout(300_000);
  await loadClassical(page, server, "gpu");
  // A software adapter takes seconds for each.
  const few = texts.slice(0, 3);
  const onGpu = await encodeAll(page, few);
  const native = await nativeVectors(few, "float32", classicalModel);
  expect(native.length).toBe(few.length);
  for (const [at, text] of few.entries()) {
    expect(cosine(native[at] ?? [], onGpu[at] ?? []), text).toBeGreaterThanOrEqual(0.9999);
  }
});

test("a passage without punctuation in traditional characters is near itself with it in simplified ones", async ({ page, server }) => {
  await loadClassical(page, server, "cpu");
  const vectors = await encodeAll(page, forms.flat());
  for (const [at, [bare]] of forms.entries()) {
    expect(cosine(vectors[2 * at] ?? [], vectors[2 * at + 1] ?? []), bare).toBeGreaterThanOrEqual(0.9);
  }
});
