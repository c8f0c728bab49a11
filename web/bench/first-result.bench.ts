import { chromium, test } from "@playwright/test";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromiumArguments, chromiumPath } from "../e2e/support/chromium";
import { repository, site } from "../e2e/support/paths";
import type { Found, Stage } from "../src/protocol";
import { StaticServer } from "../e2e/support/server";
import { numberFrom } from "./support/options";
import { summary } from "./support/statistics";

const ROUNDS = numberFrom("ALMANAC_BENCH_ROUNDS", 5);

/** Runs in the page: searches at once, and notes when the first results of each stage are shown. */
function searchAtOnce(): void {
  document.addEventListener("almanac-results", (event) => {
    const noted = globalThis as unknown as Partial<Record<Stage, number>>;
    noted[(event as CustomEvent<Found>).detail.stage] ??= performance.now();
  });
  document.addEventListener("DOMContentLoaded", () => {
    void customElements.whenDefined("almanac-search").then(() => document.querySelector("almanac-search")?.search("boats on a stormy sea"));
  });
}

test("time from opening the page to the first results", async () => {
  // The whole collection's site where there is one, else the suite's small one.
  const whole = process.env.ALMANAC_SITE || join(repository, "dist");
  const folder = existsSync(join(whole, "index", "manifest.json")) ? whole : site;
  const manifest = JSON.parse(await readFile(join(folder, "index", "manifest.json"), "utf8")) as { documents: number };
  const server = new StaticServer({ "/": folder });
  await server.start();
  const taken = { cold: { words: [] as number[], full: [] as number[] }, warm: { words: [] as number[], full: [] as number[] } };
  for (let round = 0; round < ROUNDS; round += 1) {
    // A profile of its own, on disk: the warm visit then finds the files and the compiled modules in the cache.
    const profile = await mkdtemp(join(tmpdir(), "almanac-bench-"));
    for (const visit of ["cold", "warm"] as const) {
      const context = await chromium.launchPersistentContext(profile, { executablePath: chromiumPath(), args: chromiumArguments });
      const page = await context.newPage();
      await page.addInitScript(searchAtOnce);
      await page.goto(`${server.origin}/?backend=cpu`);
      for (const stage of ["words", "full"] as const) {
        const handle = await page.waitForFunction((which) => (globalThis as unknown as Partial<Record<Stage, number>>)[which], stage, { timeout: 120_000 });
        taken[visit][stage].push((await handle.jsonValue()) ?? Number.NaN);
      }
      await page.waitForTimeout(1000);
      await context.close();
    }
    await rm(profile, { recursive: true, force: true });
  }
  await server.stop();
  console.log(`\nfirst results over ${manifest.documents} records, served from this machine, uncompressed`);
  for (const [stage, what] of [["words", "by words and dates"], ["full", "by meaning too"]] as const) {
    console.log(summary(`cold (empty profile), ${what}`, taken.cold[stage]));
    console.log(summary(`warm (second visit), ${what}`, taken.warm[stage]));
  }
});
