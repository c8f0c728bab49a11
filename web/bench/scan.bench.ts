import { test } from "@playwright/test";
import { fileURLToPath } from "node:url";
import { packages } from "../e2e/support/paths";
import { StaticServer } from "../e2e/support/server";
import { numberFrom } from "./support/options";
import { summary } from "./support/statistics";
import { indexOf } from "./support/synthetic";

const TIMES = numberFrom("ALMANAC_BENCH_TIMES", 50);

interface Page {
  scan(folder: string, times: number): Promise<{ passages: number; taken: number[] }>;
}

for (const count of [10_000, 100_000]) {
  test(`exact scan of ${count} passages for the ten best`, async ({ page }) => {
    const server = new StaticServer({
      "/bench/pkg/": packages,
      "/bench/index/": await indexOf(count),
      "/bench/": fileURLToPath(new URL("./page", import.meta.url)),
    });
    await server.start();
    await page.goto(`${server.origin}/bench/scan.html`);
    await page.waitForFunction(() => "scan" in globalThis);
    const { passages, taken } = await page.evaluate((times) => (globalThis as unknown as Page).scan("./index/", times), TIMES);
    console.log(summary(`scan of ${passages} passages`, taken));
    await server.stop();
  });
}
