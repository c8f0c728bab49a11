import { test } from "@playwright/test";
import { fileURLToPath } from "node:url";
import { classicalModel, packages, site } from "../e2e/support/paths";
import { StaticServer } from "../e2e/support/server";
import { numberFrom } from "./support/options";
import { peerFolder } from "./support/peer";
import { summary } from "./support/statistics";

/** Rounds, in each of which every encoder has its turn. */
const ROUNDS = numberFrom("ALMANAC_BENCH_ROUNDS", 5);
/** Encodings per turn. */
const TIMES = numberFrom("ALMANAC_BENCH_TIMES", 30);
/** Encodings on the GPU at each length; 0 leaves it out. A software adapter takes seconds for each. */
const GPU_TIMES = numberFrom("ALMANAC_BENCH_GPU_TIMES", 3);

/** What `encode.js` puts on the page. */
interface Page {
  load(options: { model: string; classical: string; peer: string; withGpu: boolean }): Promise<void>;
  textOf(name: string, tokens: number): string;
  measure(name: string, text: string, times: number): Promise<number[]>;
  agreement(one: string, other: string, text: string): Promise<number>;
}

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

test("encoding a query of 16 and 64 tokens", async ({ page }) => {
  const server = new StaticServer({
    "/bench/pkg/": packages,
    "/bench/ort/": path("./node_modules/onnxruntime-web/dist"),
    "/bench/peer/": peerFolder(),
    "/bench/site/": site,
    "/bench/classical/": classicalModel,
    "/bench/": path("./page"),
  });
  await server.start();
  page.on("pageerror", (error) => console.log(`page error: ${error.message}`));
  await page.goto(`${server.origin}/bench/`);
  await page.waitForFunction(() => "load" in globalThis && "measure" in globalThis);
  await page.evaluate((options) => (globalThis as unknown as Page).load(options), {
    model: "./site/model/",
    classical: "./classical/",
    peer: "./peer/model.onnx",
    withGpu: GPU_TIMES > 0,
  });

  const rivals = ["Almanac CPU", "onnxruntime-web", "Almanac CPU, farming books"];
  const taken = new Map<string, number[]>();
  const turn = async (name: string, tokens: number, times: number): Promise<void> => {
    const millis = await page.evaluate(
      async ([who, length, count]) => {
        const here = globalThis as unknown as Page;
        return here.measure(who, here.textOf(who, length), count);
      },
      [name, tokens, times] as const,
    );
    const row = `${name}, ${tokens} tokens`;
    taken.set(row, [...(taken.get(row) ?? []), ...millis]);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const tokens of [16, 64]) {
      // Turns are taken in the opposite order every other round, so that neither always runs on a warmer machine.
      for (const name of round % 2 === 0 ? rivals : [...rivals].reverse()) await turn(name, tokens, TIMES);
    }
  }
  if (GPU_TIMES > 0) for (const tokens of [16, 64]) await turn("Almanac GPU", tokens, GPU_TIMES);

  const cosine = await page.evaluate(async () => {
    const here = globalThis as unknown as Page;
    return here.agreement("Almanac CPU", "onnxruntime-web", here.textOf("Almanac CPU", 16));
  });
  const adapter = await page.evaluate(async () => (await navigator.gpu.requestAdapter())?.info.architecture ?? "none");
  console.log(`\n${ROUNDS} rounds of ${TIMES} encodings, interleaved; GPU adapter: ${adapter}; vectors agree with cosine ${cosine.toFixed(4)}`);
  for (const [name, millis] of taken) console.log(summary(name, millis));
  await server.stop();
});
