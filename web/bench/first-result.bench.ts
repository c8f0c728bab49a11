import { chromium, test, type Page } from "@playwright/test";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromiumArguments, chromiumPath } from "../e2e/support/chromium";
import { repository, site } from "../e2e/support/paths";
import type { Found, Stage } from "../src/protocol";
import { StaticServer } from "../e2e/support/server";
import { numberFrom } from "./support/options";
import { summary } from "./support/statistics";
import { TRANSFORMERS, transformersFolders } from "./support/transformers";

const ROUNDS = numberFrom("ALMANAC_BENCH_ROUNDS", 5);

const stages = ["words", "full"] as const;

/** Milliseconds since the page was opened. */
type Noted = Partial<Record<Stage, number>>;

/** Runs in the page: searches at once, and notes when the first results of each stage are shown. */
function searchAtOnce(): void {
  document.addEventListener("almanac-results", (event) => {
    const noted = globalThis as unknown as Noted;
    noted[(event as CustomEvent<Found>).detail.stage] ??= performance.now();
  });
  document.addEventListener("DOMContentLoaded", () => {
    void customElements.whenDefined("almanac-search").then(() => document.querySelector("almanac-search")?.search("boats on a stormy sea"));
  });
}

/** A page that finds records by meaning; it notes in `globalThis`, by stage, when it has. */
interface Rival {
  name: string;
  path: string;
  stages: readonly Stage[];
  prepare: (page: Page) => Promise<unknown>;
}

const rivals: readonly Rival[] = [
  { name: "Almanac, CPU", path: "/?backend=cpu", stages, prepare: (page) => page.addInitScript(searchAtOnce) },
  { name: TRANSFORMERS.replace("@huggingface/", ""), path: "/bench/transformers.html", stages: ["full"], prepare: async () => undefined },
];

test("time from opening the page to the first results", async () => {
  // The whole collection's site where there is one, else the suite's small one.
  const whole = process.env.ALMANAC_SITE || join(repository, "dist");
  const folder = existsSync(join(whole, "index", "manifest.json")) ? whole : site;
  const manifest = JSON.parse(await readFile(join(folder, "index", "manifest.json"), "utf8")) as { documents: number };
  const { library, runtime, models } = transformersFolders();
  const server = new StaticServer({
    "/bench/library/": library,
    "/bench/runtime/": runtime,
    "/bench/models/": models,
    "/bench/": fileURLToPath(new URL("./page", import.meta.url)),
    "/": folder,
  });
  await server.start();
  let sent = 0;
  server.fault = (_path, served) => {
    sent += served.body.length;
    return served;
  };
  const taken = new Map<string, number[]>();
  const bytes = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    // Turns are taken in the opposite order every other round, so that neither always runs on a warmer machine.
    for (const rival of round % 2 === 0 ? rivals : [...rivals].reverse()) {
      // A profile of its own, on disk: the warm visit then finds the files and the compiled modules in the cache.
      const profile = await mkdtemp(join(tmpdir(), "almanac-bench-"));
      for (const visit of ["cold", "warm"] as const) {
        sent = 0;
        const context = await chromium.launchPersistentContext(profile, { executablePath: chromiumPath(), args: chromiumArguments });
        const page = await context.newPage();
        page.on("pageerror", (error) => console.log(`page error: ${error.message}`));
        await rival.prepare(page);
        await page.goto(`${server.origin}${rival.path}`);
        const handle = await page.waitForFunction(() => {
          const { words, full } = globalThis as unknown as Noted;
          return full === undefined ? null : { words, full };
        }, undefined, { timeout: 120_000 });
        const noted = (await handle.jsonValue()) as Noted;
        for (const stage of rival.stages) {
          const row = `${rival.name}, ${visit}, ${stage === "words" ? "by words and dates" : "by meaning"}`;
          // Where all is there at once, nothing is shown by words alone.
          taken.set(row, [...(taken.get(row) ?? []), noted[stage] ?? noted.full ?? Number.NaN]);
          bytes.set(row, sent);
        }
        await page.waitForTimeout(1000);
        await context.close();
      }
      await rm(profile, { recursive: true, force: true });
    }
  }
  await server.stop();
  console.log(`\nfirst results over ${manifest.documents} records, served from this machine, uncompressed; cold is an empty profile, warm a second visit`);
  for (const [row, millis] of taken) console.log(`${summary(row.padEnd(46), millis)}   ${((bytes.get(row) ?? 0) / 1e6).toFixed(1)} MB sent`);
});
