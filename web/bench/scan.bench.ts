import { test } from "@playwright/test";
import { fileURLToPath } from "node:url";
import { packages } from "../e2e/support/paths";
import { StaticServer } from "../e2e/support/server";
import { numberFrom } from "./support/options";
import { summary } from "./support/statistics";
import { indexOf } from "./support/synthetic";

const TIMES = numberFrom("ALMANAC_BENCH_TIMES", 50);

/**
 * Voy takes its vectors as JavaScript numbers, which 100,000 passages would fill the memory with,
 * and a graph of so many takes minutes to build.
 */
const MOST_FOR_SLOW = 10_000;

interface Page {
  load(folder: string, withSlow: boolean): Promise<{ passages: number; bytes: number; names: string[] }>;
  measure(name: string, times: number): number[];
  agreement(): [string, number][];
}

for (const count of [10_000, 100_000]) {
  test(`the ten nearest of ${count} passages`, async ({ page }) => {
    test.setTimeout(600_000);
    const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
    const server = new StaticServer({
      "/bench/pkg/": packages,
      "/bench/index/": await indexOf(count),
      "/bench/peers/": here("./node_modules"),
      "/bench/": here("./page"),
    });
    await server.start();
    await page.goto(`${server.origin}/bench/scan.html`);
    await page.waitForFunction(() => "load" in globalThis);
    const { names, bytes } = await page.evaluate(
      (withSlow) => (globalThis as unknown as Page).load("./index/", withSlow),
      count <= MOST_FOR_SLOW,
    );
    const taken = new Map<string, number[]>(names.map((name) => [name, []]));
    // In turn, so that a disturbance of the machine falls on all alike.
    for (let round = 0; round < 5; round += 1) {
      for (const name of names) {
        const part = await page.evaluate(
          ([name, times]) => (globalThis as unknown as Page).measure(name, times),
          [name, Math.ceil(TIMES / 5)] as const,
        );
        taken.get(name)?.push(...part);
      }
    }
    for (const [name, millis] of taken) console.log(summary(`${count} passages, ${name}`, millis));
    for (const name of ["Almanac, exact scan", "sum over the int8 bytes"]) {
      const millis = taken.get(name) ?? [];
      const mean = millis.reduce((sum, one) => sum + one, 0) / millis.length;
      console.log(`${count} passages, ${name}: ${bytes} bytes at ${(bytes / mean / 1e6).toFixed(1)} GB/s`);
    }
    for (const [name, share] of await page.evaluate(() => (globalThis as unknown as Page).agreement())) {
      console.log(`${count} passages, ${name}: ${(share * 100).toFixed(1)} % of the ten best by float32`);
    }
    await server.stop();
  });
}
