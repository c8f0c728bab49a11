import type { Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Door, Encoder, GpuDoor, Index } from "../../src/door";
import { DEEP_PATH, LAB_PATH, SUB_PATH, TINY_PATH } from "./fixtures";
import { deep, indexFolder, site, tiny } from "./paths";
import type { StaticServer } from "./server";

/** An encoder of either backend, as these pages use it. */
export interface LabEncoder extends Pick<Encoder, "tokens"> {
  encode(text: string): Promise<Float32Array>;
}

/** A model: where it lies, and where the server has it. */
export interface ServedModel {
  folder: string;
  path: string;
}

/** The site's own model. */
const siteModel: ServedModel = { folder: join(site, "model"), path: `${SUB_PATH}model/` };
/** The models and indexes that a bare page can load, by where they lie on the server and on this machine. */
const sites = {
  real: { path: SUB_PATH, model: join(site, "model"), index: indexFolder },
  tiny: { path: TINY_PATH, ...tiny },
  deep: { path: DEEP_PATH, ...deep },
};

/** Opens a bare page with both encoders of a site, and its index, as `lab`. */
export async function openLab(page: Page, server: StaticServer, which: keyof typeof sites): Promise<void> {
  const { path, model, index } = sites[which];
  const { weights, tokenizer } = JSON.parse(await readFile(join(model, "card.json"), "utf8")) as {
    weights: { parts: { file: string }[] };
    tokenizer: { file: string };
  };
  const { files } = JSON.parse(await readFile(join(index, "manifest.json"), "utf8")) as { files: { file: string; kind: string }[] };
  await page.goto(`${server.origin}${LAB_PATH}`);
  await page.waitForFunction(() => "door" in globalThis);
  await page.evaluate(
    async ({ path, parts, tokenizer, files }) => {
      const { door } = globalThis as unknown as { door: Door };
      const read = async (file: string): Promise<Uint8Array> => new Uint8Array(await (await fetch(path + file)).arrayBuffer());
      const weights = new Uint8Array(await new Blob((await Promise.all(parts.map((part) => read(`model/${part}`)))) as BlobPart[]).arrayBuffer());
      const card = await read("model/card.json");
      const index = door.Index.open(await read("index/manifest.json"));
      for (const file of files) index.add_file(file, await read(`index/${file}`));
      const cpu = door.Encoder.load(card, weights, await read(`model/${tokenizer}`));
      Object.assign(globalThis, { lab: { card, weights, index, cpu } });
    },
    { path, parts: weights.parts.map(({ file }) => file), tokenizer: tokenizer.file, files: files.filter(({ kind }) => !["documents", "postings"].includes(kind)).map(({ file }) => file) },
  );
}

/** What a bare page holds of a site. */
export interface Lab {
  card: Uint8Array;
  weights: Uint8Array;
  index: Index & { nearest(vector: Float32Array, k: number): { document: number; score: number }[] };
  cpu: Encoder;
}

/** Loads an encoder on a bare page, as `encoder`, from the module of its backend; the one for the CPU is `cpuEncoder`. */
export async function loadEncoder(page: Page, server: StaticServer, backend: "cpu" | "gpu", model = siteModel): Promise<void> {
  const card = JSON.parse(await readFile(join(model.folder, "card.json"), "utf8")) as {
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
      model: model.path,
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
