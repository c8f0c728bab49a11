import { test } from "@playwright/test";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { chromiumPath } from "../e2e/support/chromium";
import { repository, scratch, site } from "../e2e/support/paths";
import { StaticServer } from "../e2e/support/server";
import { numberFrom } from "./support/options";
import { median } from "./support/statistics";

const ROUNDS = numberFrom("ALMANAC_BENCH_ROUNDS", 3);

/** What is measured. */
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;

/** What of the page's own speed is told. */
const TIMES = ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift", "speed-index"] as const;

interface Report {
  categories: Record<string, { score: number | null; auditRefs: { id: string }[] }>;
  audits: Record<string, { title: string; score: number | null; scoreDisplayMode: string; numericValue?: number }>;
}

test("Lighthouse's figures of the page", async () => {
  const whole = process.env["ALMANAC_SITE"] || join(repository, "dist");
  const folder = existsSync(join(whole, "index", "manifest.json")) ? whole : site;
  const { documents } = JSON.parse(await readFile(join(folder, "index", "manifest.json"), "utf8")) as { documents: number };
  const lighthouse = fileURLToPath(new URL("node_modules/lighthouse/cli/index.js", import.meta.url));
  const server = new StaticServer({ "/": folder });
  // As static hosts do: text and programs are compressed.
  server.fault = (path, served) => {
    if (!/\.(?:html|js|css|json|wasm|svg|webmanifest)$|\/$/.test(path)) return served;
    const body = gzipSync(served.body);
    return { ...served, body, headers: { ...served.headers, "Content-Encoding": "gzip", "Content-Length": String(body.length) } };
  };
  await server.start();
  for (const device of ["mobile", "desktop"] as const) {
    const reports: Report[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const output = join(scratch, `lighthouse-${device}-${round}.json`);
      const options = [`--output-path=${output}`, "--output=json", "--quiet", `--only-categories=${CATEGORIES.join(",")}`, "--chrome-flags=--headless=new --no-sandbox"];
      if (device === "desktop") options.push("--preset=desktop");
      await promisify(execFile)("node", [lighthouse, `${server.origin}/`, ...options], { env: { ...process.env, CHROME_PATH: chromiumPath() }, maxBuffer: 64_000_000 });
      reports.push(JSON.parse(await readFile(output, "utf8")) as Report);
    }
    console.log(`\nLighthouse on a ${device}, ${documents} records, ${ROUNDS} rounds`);
    const line = (name: string, unit: string, values: number[]): void => console.log(`${name.padEnd(28)} median ${median(values).toFixed(unit === "" ? 3 : 0).padStart(7)} ${unit}`);
    for (const name of CATEGORIES) line(name, "of 100", reports.map(({ categories }) => 100 * (categories[name]?.score ?? Number.NaN)));
    for (const name of TIMES) line(name, name.endsWith("shift") ? "" : "ms", reports.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN));
    const last = reports.at(-1);
    const relevant = new Set(CATEGORIES.flatMap((name) => last?.categories[name]?.auditRefs.map(({ id }) => id) ?? []));
    const failed = Object.entries(last?.audits ?? {}).filter(([id, { score }]) => relevant.has(id) && score !== null && score < 0.9);
    for (const [id, { title, score }] of failed) console.log(`  below 90: ${id} (${(100 * (score ?? 0)).toFixed(0)}): ${title}`);
  }
  await server.stop();
});
