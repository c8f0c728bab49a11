import { test } from "@playwright/test";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { runNative } from "../e2e/support/native";
import { modelFolder, repository, site } from "../e2e/support/paths";
import { StaticServer } from "../e2e/support/server";

/** The same records for both: the first of the shipped collection. */
const RECORDS = 10_000;

/** What both are asked, words that museums hold. */
const QUERIES = ["portrait of a woman", "glass bowl", "steel mill at night"];

const cache = join(process.env.ALMANAC_CACHE || join(homedir(), ".cache", "almanac"));
const folder = join(cache, "bench", `bytes-${RECORDS}`);

interface MuseumObject {
  id: string;
  title?: string;
  creation_date?: string;
  medium?: string;
  classification?: string;
  department?: string;
  credit_line?: string;
  accession_number?: string;
  creator?: { full_name?: string; nationality?: string }[];
}

function rows(): string[] {
  const packed = readFileSync(join(repository, "collections", "cmoa", "objects.jsonl.gz"));
  return gunzipSync(packed).toString("utf8").split("\n").slice(0, RECORDS);
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** A record as a museum's site would show it. */
function pageOf(object: MuseumObject): string {
  const creators = (object.creator ?? []).flatMap((c) => [c.full_name, c.nationality]);
  const facts = [object.creation_date, object.medium, object.classification, ...creators, object.department, object.credit_line, object.accession_number];
  const list = facts.filter((fact) => fact !== undefined && fact !== "").map((fact) => `<li>${escaped(String(fact))}</li>`);
  const title = escaped(object.title ?? object.id);
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main data-pagefind-body><h1>${title}</h1><ul>${list.join("")}</ul></main></body></html>`;
}

/** Lets Pagefind index one page a record, once. */
function pagefind(): string {
  const pages = join(folder, "pages");
  if (existsSync(join(pages, "pagefind", "pagefind.js"))) return pages;
  mkdirSync(pages, { recursive: true });
  rows().forEach((row, at) => writeFileSync(join(pages, `${at}.html`), pageOf(JSON.parse(row) as MuseumObject)));
  const program = fileURLToPath(new URL("./node_modules/.bin/pagefind", import.meta.url));
  const run = spawnSync(program, ["--site", pages], { encoding: "utf8" });
  if (run.status !== 0) throw new Error(`pagefind ended with ${run.status}: ${run.stderr}`);
  return pages;
}

/** Builds this project's index of the same records, with the whole collection's vectors where they are kept. */
async function almanac(): Promise<string> {
  const index = join(folder, "index");
  const input = join(folder, "objects.jsonl");
  mkdirSync(folder, { recursive: true });
  writeFileSync(input, `${rows().join("\n")}\n`);
  const kept = join(cache, "index", "cmoa", ".almanac-cache");
  if (!existsSync(index) && existsSync(kept)) cpSync(kept, join(index, ".almanac-cache"), { recursive: true });
  const config = join(repository, "collections", "cmoa", "collection.toml");
  await runNative("almanac-index", ["build", "--input", input, "--config", config, "--model", modelFolder(), "--out", index]);
  await runNative("almanac-index", ["prune", index]);
  return index;
}

/** Bytes and number of the files below a folder, without those whose names begin with a dot. */
function weigh(below: string): { bytes: number; files: number } {
  const entries = readdirSync(below, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && !join(entry.parentPath, entry.name).slice(below.length).includes("/."));
  return { bytes: files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0), files: files.length };
}

/** What a host has sent: as it lies on the disk, and as it goes through a host that compresses. */
class Meter {
  #raw = 0;
  #packed = 0;
  readonly #sizes = new Map<string, number>();

  /** Weighs everything that a server sends from now on; `html` is what it answers at its root. */
  watch(server: StaticServer, html: string): void {
    server.fault = (path, served) => {
      const sent = path === "/" ? { ...served, status: 200, type: "text/html; charset=utf-8", body: Buffer.from(html) } : served;
      this.#raw += sent.body.length;
      const packed = this.#sizes.get(path) ?? Math.min(sent.body.length, gzipSync(sent.body, { level: 6 }).length);
      this.#sizes.set(path, packed);
      this.#packed += packed;
      return sent;
    };
  }

  toString(): string {
    return `${kilobytes(this.#raw)}, ${kilobytes(this.#packed)} gzip`;
  }
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0).padStart(8)} kB`;

test(`bytes of ${RECORDS} records`, async ({ browser }) => {
  const [pages, index] = [pagefind(), await almanac()];
  const [theirs, ours] = [weigh(join(pages, "pagefind")), weigh(index)];
  console.log(`\n${RECORDS} records as pages and as an index, bytes as served without compression by the host`);
  console.log(`Pagefind, all files        ${kilobytes(theirs.bytes)} in ${theirs.files} files`);
  console.log(`Almanac index, all files   ${kilobytes(ours.bytes)} in ${ours.files} files, vectors among them`);

  const server = new StaticServer({ "/index/": index, "/pages/": pages, "/": site });
  await server.start();
  const first = `first query`;
  const all = `${QUERIES.length} queries`;

  let meter = new Meter();
  meter.watch(server, "<!doctype html><html lang=\"en\"><title>Bench</title><link rel=\"icon\" href=\"data:,\"><p>Bench</p></html>");
  let context = await browser.newContext();
  let page = await context.newPage();
  await page.goto(`${server.origin}/`);
  await page.addScriptTag({ type: "module", content: "import * as search from '/pages/pagefind/pagefind.js'; globalThis.pagefind = search;" });
  await page.waitForFunction(() => "pagefind" in globalThis);
  for (const [at, query] of QUERIES.entries()) {
    const found = await page.evaluate(async (text) => {
      const { pagefind: search } = globalThis as unknown as {
        pagefind: { search(query: string): Promise<{ results: { data(): Promise<unknown> }[] }> };
      };
      const { results } = await search.search(text);
      await Promise.all(results.slice(0, 10).map((result) => result.data()));
      return results.length;
    }, query);
    console.log(`Pagefind, "${query}": ${found} pages found`);
    if (at === 0) console.log(`Pagefind, ${first} with ten results: ${meter}`);
  }
  console.log(`Pagefind, ${all}: ${meter}`);
  await context.close();

  for (const [what, attributes] of [["words and dates alone", "words-only"], ["with the model", ""]] as const) {
    meter = new Meter();
    meter.watch(server, `<!doctype html><html lang="en"><title>Bench</title><link rel="icon" href="data:,"><script type="module" src="assets/almanac-search.js"></script><almanac-search index="index/" model="model/" backend="cpu" ${attributes}></almanac-search></html>`);
    context = await browser.newContext();
    page = await context.newPage();
    await page.goto(`${server.origin}/`);
    for (const [at, query] of QUERIES.entries()) {
      await page.getByRole("searchbox").fill(query);
      await page.getByRole("searchbox").press("Enter");
      await page.waitForFunction(
        (stage) => {
          const element = document.querySelector("almanac-search") as unknown as { state: string; info: unknown } | null;
          return element?.state === "results" && (stage === "words" || element.info !== null);
        },
        attributes === "" ? "full" : "words",
        { timeout: 120_000 },
      );
      await page.waitForTimeout(3000);
      if (at === 0) console.log(`Almanac, ${what}, ${first}: ${meter}`);
    }
    console.log(`Almanac, ${what}, ${all}: ${meter}`);
    await context.close();
  }
  await server.stop();
  rmSync(join(folder, "objects.jsonl"), { force: true });
});
