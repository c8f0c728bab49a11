import type { Page } from "@playwright/test";
import type { GpuDoor, SelfTest } from "../src/door";
import { cosine, openLab, type Lab } from "./support/encoder";
import { expect, test } from "./support/fixtures";
import { nativeVectors } from "./support/native";
import { tiny } from "./support/paths";
import { queries } from "./support/queries";

interface LabPage {
  lab: Lab;
  gpuDoor(instance?: number): Promise<GpuDoor>;
}

/** Loads encoders on the GPU of a bare page: each device anew, with so many loads of the model, and tests each load on a golden sentence. */
async function selfTests(page: Page, devices: number, loads: number): Promise<SelfTest[]> {
  return page.evaluate(
    async ({ devices, loads }) => {
      const { lab, gpuDoor } = globalThis as unknown as LabPage;
      const tests: SelfTest[] = [];
      for (let device = 0; device < devices; device += 1) {
        const door = await gpuDoor(device);
        for (let load = 0; load < loads; load += 1) {
          const encoder = await door.GpuEncoder.load(lab.card, lab.weights);
          tests.push(await encoder.self_test(lab.cpu.golden_ids(1)));
          encoder.free();
        }
      }
      return tests;
    },
    { devices, loads },
  );
}

async function expectAdapter(page: Page): Promise<void> {
  const adapter = await page.evaluate(async () => (await navigator.gpu.requestAdapter())?.info.architecture ?? null);
  expect(adapter, "the browser must offer a WebGPU adapter, or this test proves nothing").not.toBeNull();
}

test("a model of more tensors than a queue holds arrives whole on the GPU twenty times out of twenty, on two devices", async ({ page, server }) => {
  test.setTimeout(300_000);
  await openLab(page, server, "deep");
  await expectAdapter(page);
  const tests = await selfTests(page, 2, 10);
  expect(tests.length).toBe(20);
  for (const { passed, worst_cosine } of tests) expect({ passed, exact: worst_cosine >= 0.999 }).toEqual({ passed: true, exact: true });
});

test(`${queries.length} queries have the same vectors and the same ten nearest on the GPU and on the CPU`, async ({ page, server }) => {
  test.setTimeout(300_000);
  expect(new Set(queries).size).toBe(50);
  await openLab(page, server, "tiny");
  await expectAdapter(page);
  const native = await nativeVectors(queries, "float32", tiny.model);
  const answers = await page.evaluate(
    async ({ queries, native }) => {
      const { lab, gpuDoor } = globalThis as unknown as LabPage;
      const door = await gpuDoor();
      const gpu = await door.GpuEncoder.load(lab.card, lab.weights);
      const answers = [];
      for (const [at, query] of queries.entries()) {
        const onGpu = await gpu.encode(lab.cpu.ids(query, "query"));
        const onCpu = await lab.cpu.encode(query, "query");
        const nearest = (vector: Float32Array, k: number): { document: number; score: number }[] => lab.index.nearest(vector, k).map(({ document, score }) => ({ document, score }));
        answers.push({
          gpu: [...onGpu],
          integers: [...onCpu],
          tenOnGpu: nearest(onGpu, 10),
          // All of them, so that a tie may be told from a mistake.
          float32: nearest(Float32Array.from(native[at] ?? []), 100),
        });
      }
      return answers;
    },
    { queries, native },
  );
  for (const [at, { gpu, integers, tenOnGpu, float32 }] of answers.entries()) {
    expect(cosine(gpu, native[at] ?? []), queries[at]).toBeGreaterThanOrEqual(0.9999);
    // The CPU computes in integers: what these lose is the bound of every model that is imported.
    expect(cosine(gpu, integers), queries[at]).toBeGreaterThanOrEqual(0.99);
    const scores = new Map(float32.map(({ document, score }) => [document, score]));
    const misplaced = tenOnGpu.filter(({ document }, place) => !(Math.abs((scores.get(document) ?? Number.NaN) - (float32[place]?.score ?? Number.NaN)) < 1e-4));
    expect({ query: queries[at], ten: tenOnGpu.length, misplaced }).toEqual({ query: queries[at], ten: 10, misplaced: [] });
  }
});
