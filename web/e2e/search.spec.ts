import type { Page } from "@playwright/test";
import type { Shares } from "../src/door";
import { readFile } from "node:fs/promises";
import { expect, open, pageWith, reach, reachFull, searchFor, settledBackend, SUB_PATH, test } from "./support/fixtures";
import { nativeSearch } from "./support/native";
import { objects } from "./support/paths";

const queries = [
  "boats on a stormy sea",
  "a mother and her child",
  "furniture made of wood",
  "drawing of a building for a city",
  "portrait of a woman, oil on canvas",
  "café façade, 京都, naïve",
  "silver from the 18th century",
  "photographs taken before 1930",
  '"oil on canvas" landscape',
];

/** Compares the page's top ten with the native one: the same objects for the same reasons in the same order, numbers within 0.001. */
async function expectNativeRanking(page: Page, query: string, timeout?: number): Promise<string | null> {
  const [found, native] = [await searchFor(page, query, timeout), await nativeSearch(query)];
  expect(native.length).toBe(10);
  expect(found.documents.map(({ id }) => id), query).toEqual(native.map(({ id }) => id));
  const told = ({ passage, words, time, exact }: { passage: string; words: string[]; time: unknown; exact: boolean }): object => ({ passage, words, time, exact });
  expect(found.documents.map(told), query).toEqual(native.map(told));
  const numbers = ({ score, shares, cosine }: { score: number; shares: Shares; cosine: number | null }): number[] => [
    ...[score, shares.meaning, shares.words, shares.time],
    ...(cosine === null ? [] : [cosine]),
  ];
  for (const [at, document] of found.documents.entries()) {
    const [here, there] = [numbers(document), native[at] === undefined ? [] : numbers(native[at])];
    expect(here.length).toBe(there.length);
    for (const [which, number] of here.entries()) expect(Math.abs(number - (there[which] ?? Number.NaN)), query).toBeLessThan(1e-3);
  }
  return found.backend;
}

test("search on the CPU gives the native top ten in the same order", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  for (const query of queries) expect(await expectNativeRanking(page, query)).toBe("cpu");
  const shown = await page.getByRole("listitem").count();
  expect(shown).toBeGreaterThanOrEqual(10);
});

test("search on WebGPU gives the native top ten in the same order", async ({ page, server }) => {
  test.setTimeout(600_000);
  await open(page, server, "?backend=gpu");
  const adapter = await page.evaluate(async () => (await navigator.gpu.requestAdapter())?.info.architecture ?? null);
  expect(adapter, "the browser must offer a WebGPU adapter, or this test proves nothing").not.toBeNull();
  const choice = await settledBackend(page, 300_000);
  expect(choice, choice.reason).toMatchObject({ chosen: "gpu", trying: false });
  for (const query of queries.slice(0, 2)) expect(await expectNativeRanking(page, query, 180_000)).toBe("gpu");
  await expect(page.locator("almanac-search [part=backend]")).toContainText("encoded on the GPU");
});

test("under a sub-path every request stays below it", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  await searchFor(page, "boats on a stormy sea");
  expect(server.requests.length).toBeGreaterThan(5);
  expect(server.requests.filter((path) => !path.startsWith(SUB_PATH))).toEqual([]);
});

test("nothing of the model or the index is fetched before the search is first used", async ({ page, server }) => {
  server.fault = pageWith((html) => html.replace(" autoload", ""));
  await open(page, server, "?backend=cpu");
  await page.waitForLoadState("networkidle");
  const large = (path: string): boolean => /\/(?:model|index)\/|\.wasm$|\/worker-/.test(path);
  expect(server.requests.filter(large)).toEqual([]);
  await page.getByRole("searchbox").focus();
  await reach(page, ["ready"]);
  expect(server.requests.some(large)).toBe(true);
});

test("no request carries the words of a query", async ({ page, server }) => {
  const urls: string[] = [];
  const bodies: (string | null)[] = [];
  page.on("request", (request) => {
    urls.push(request.url());
    bodies.push(request.postData());
  });
  await open(page, server, "?backend=cpu");
  await searchFor(page, "zanzibar quixotic lighthouse");
  expect(urls.filter((url) => /zanzibar|quixotic|lighthouse/.test(decodeURIComponent(url)))).toEqual([]);
  expect(bodies.filter((body) => body !== null)).toEqual([]);
});

test("fast typing ends with the full results of the last query, and nothing stale after them", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  await reachFull(page);
  await page.evaluate(() => {
    const kept = globalThis as unknown as { stages: string[] };
    kept.stages = [];
    document.addEventListener("almanac-results", (event) => kept.stages.push((event as CustomEvent<{ stage: string }>).detail.stage));
  });
  const query = "portrait of a woman, oil on canvas";
  await page.getByRole("searchbox").pressSequentially(query, { delay: 15 });
  await page.waitForFunction(() => (globalThis as unknown as { stages: string[] }).stages.includes("full"));
  await page.waitForTimeout(1000);
  const stages = await page.evaluate(() => (globalThis as unknown as { stages: string[] }).stages);
  // One at the end, and perhaps one where this machine paused long enough in between.
  expect(stages.filter((stage) => stage === "full").length).toBeLessThanOrEqual(2);
  expect(stages.at(-1)).toBe("full");
  const found = await page.evaluate(() => (globalThis as unknown as { found: { documents: { id: string }[] } }).found);
  const native = await nativeSearch(query);
  expect(found.documents.map((document) => document.id)).toEqual(native.map((hit) => hit.id));
});

test("meaningless text gives no close match, and the nearest on request", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  await reachFull(page);
  await page.getByRole("searchbox").fill("xxxxxxxxxxxx");
  expect(await reach(page, ["results", "no-match"])).toBe("no-match");
  await expect(page.getByRole("status").first()).toContainText("No close match");
  await page.getByRole("button", { name: "Show the nearest anyway" }).click();
  await reach(page, ["results"]);
  await expect(page.getByRole("status").first()).toContainText("No close match");
});

test("two lines put the search on a page of one's own", async ({ page, server }) => {
  const own = `<!doctype html><html lang="en"><title>Our museum</title><link rel="icon" href="data:,">
    <script type="module" src="assets/almanac-search.js"></script>
    <almanac-search index="index/" model="model/"></almanac-search>`;
  server.fault = pageWith(() => own);
  await open(page, server, "?backend=cpu");
  expect(await expectNativeRanking(page, "a mother and her child")).toBe("cpu");
});

test("an accession number comes first, with its reason", async ({ page, server }) => {
  const cut = (await readFile(objects, "utf8")).split("\n").filter((line) => line !== "");
  const wanted = cut.map((line) => JSON.parse(line) as { id: string; accession_number: string }).slice(0, 3);
  await open(page, server, "?backend=cpu");
  for (const { id, accession_number: number } of wanted) {
    const [first] = (await searchFor(page, number)).documents;
    expect(first, number).toMatchObject({ id, exact: true });
    await page.getByText("Why this result").first().click();
    await expect(page.getByText("Holds a phrase or number of your search exactly").first()).toBeVisible();
  }
});
