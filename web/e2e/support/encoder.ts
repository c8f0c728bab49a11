import type { Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Door, Encoder, GpuDoor } from "../../src/door";
import { LAB_PATH, SUB_PATH } from "./fixtures";
import { site } from "./paths";
import type { StaticServer } from "./server";

/** An encoder of either backend, as these pages use it. */
export interface LabEncoder extends Pick<Encoder, "tokens"> {
  encode(text: string): Promise<Float32Array>;
}

/** Loads an encoder on a bare page, as `encoder`, from the module of its backend; the one for the CPU is `cpuEncoder`. */
export async function loadEncoder(page: Page, server: StaticServer, backend: "cpu" | "gpu"): Promise<void> {
  const card = JSON.parse(await readFile(join(site, "model", "card.json"), "utf8")) as {
    weights: { parts: { file: string }[] };
    tokenizer: { file: string };
  };
  await page.goto(`${server.origin}${LAB_PATH}`);
  await page.waitForFunction(() => "door" in globalThis);
  await page.evaluate(
    async ({ model, parts, tokenizer, backend }) => {
      const { door, gpuDoor } = globalThis as unknown as { door: Door; gpuDoor: () => Promise<GpuDoor> };
      const read = async (file: string): Promise<Uint8Array> => new Uint8Array(await (await fetch(model + file)).arrayBuffer());
      const weights = new Uint8Array(await new Blob((await Promise.all(parts.map(read))) as BlobPart[]).arrayBuffer());
      const card = await read("card.json");
      const onCpu = door.Encoder.load(card, weights, await read(tokenizer));
      const onGpu = backend === "gpu" ? await (await gpuDoor()).GpuEncoder.load(card, weights) : null;
      const encoder: LabEncoder = {
        tokens: (text) => onCpu.tokens(text),
        encode: (text) => onGpu?.encode(onCpu.ids(text, "query")) ?? onCpu.encode(text, "query"),
      };
      Object.assign(globalThis, { encoder, cpuEncoder: onCpu });
    },
    {
      model: `${SUB_PATH}model/`,
      parts: card.weights.parts.map((part) => part.file),
      tokenizer: card.tokenizer.file,
      backend,
    },
  );
}

/** Encodes texts as queries with the page's `encoder`. */
export async function encodeAll(page: Page, texts: readonly string[]): Promise<number[][]> {
  return page.evaluate(async (all) => {
    const { encoder } = globalThis as unknown as { encoder: LabEncoder };
    const vectors: number[][] = [];
    for (const text of all) vectors.push(Array.from(await encoder.encode(text)));
    return vectors;
  }, texts);
}

/** The cosine of two vectors; NaN where their lengths differ. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, value, at) => sum + value * (y[at] ?? Number.NaN), 0);
  return a.length === b.length ? dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)) : Number.NaN;
}
