import type { Page } from "@playwright/test";
import type { Found } from "../src/protocol";
import { expect, forgetFound, foundBy, holdBack, open, pageWith, reach, reachFull, test } from "./support/fixtures";
import { nativeSearch } from "./support/native";

/** Everything of the model but its card. */
const modelFiles = /\/model\/(?!card)/;
const query = "oil on canvas, landscape";

const status = (page: Page) => page.locator("almanac-search #status");
const titles = (page: Page): Promise<string[]> => page.locator("almanac-search [data-title]").allTextContents();

/** Notes every sentence that the live region holds from now on. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const region = document.querySelector("almanac-search")?.shadowRoot?.querySelector("#status");
    if (region === null || region === undefined) throw new Error("there is no live region");
    const said: string[] = [];
    Object.assign(globalThis, { said });
    new MutationObserver(() => said.push(region.textContent ?? "")).observe(region, { childList: true, characterData: true, subtree: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
}

test("words and dates are answered before the model is there, and meaning once it is", async ({ page, server }) => {
  const { fault, release } = holdBack(modelFiles);
  server.fault = fault;
  await open(page, server, "?backend=cpu");
  await reach(page, ["ready"]);
  await expect(status(page)).toContainText("by words and dates");
  await expect(page.getByRole("progressbar")).toBeVisible();
  await page.getByRole("searchbox").fill(query);
  const words = await foundBy(page, "words");
  expect(words.by).toMatchObject({ meaning: false, words: true });
  expect(words.documents.length).toBeGreaterThan(0);
  expect(words.documents.every(({ cosine }) => cosine === null)).toBe(true);
  await expect(status(page)).toContainText("by words and dates");
  release();
  const full = await foundBy(page, "full");
  expect(full.by.meaning).toBe(true);
  expect(full.documents.map(({ id }) => id)).toEqual((await nativeSearch(query)).map(({ id }) => id));
  await expect(page.getByRole("progressbar")).toBeHidden();
});

test("the list does not jump when the full answer comes: items stay, with focus and place", async ({ page, server }) => {
  await page.setViewportSize({ width: 700, height: 500 });
  const { fault, release } = holdBack(modelFiles);
  server.fault = fault;
  await open(page, server, "?backend=cpu");
  await reach(page, ["ready"]);
  await page.getByRole("searchbox").fill(query);
  const words = await foundBy(page, "words");
  const wanted = await nativeSearch(query);
  // A document that both answers hold.
  const at = words.documents.findIndex(({ id }, place) => place >= 2 && wanted.some((hit) => hit.id === id));
  expect(at, "the two answers share a document below the second").toBeGreaterThanOrEqual(2);
  const before = await page.evaluate((place) => {
    const root = document.querySelector("almanac-search")?.shadowRoot;
    const item = root?.querySelectorAll<HTMLElement>("[part=result]")[place];
    const title = item?.querySelector<HTMLElement>("[data-title]");
    if (item === undefined || title === null || title === undefined) throw new Error("there is no such item");
    title.focus();
    item.scrollIntoView({ block: "center" });
    Object.assign(globalThis, { item });
    return item.getBoundingClientRect().top;
  }, at);
  const said = await listen(page);
  release();
  await foundBy(page, "full");
  const after = await page.evaluate(() => {
    const { item } = globalThis as unknown as { item: HTMLElement };
    const root = document.querySelector("almanac-search")?.shadowRoot;
    return { connected: item.isConnected, focused: item.contains(root?.activeElement ?? null), top: item.getBoundingClientRect().top };
  });
  expect(after).toMatchObject({ connected: true, focused: true });
  const scrolled = await page.evaluate(() => scrollY);
  // At the very top or bottom of a page nothing can be scrolled further.
  if (scrolled > 0 && scrolled < (await page.evaluate(() => document.documentElement.scrollHeight - innerHeight))) {
    expect(Math.abs(after.top - before)).toBeLessThan(2);
  }
  expect((await said()).filter((sentence) => sentence.includes("result")).length).toBe(1);
});

test("while one types, words answer first and the live region tells one count", async ({ page, server }) => {
  // The page's own clock, since a busy machine would make pauses between the keys that nobody made.
  await page.clock.install();
  await open(page, server, "?backend=cpu");
  await reachFull(page);
  const stages = await page.evaluateHandle(() => {
    const seen: string[] = [];
    document.addEventListener("almanac-results", (event) => seen.push((event as CustomEvent<Found>).detail.stage));
    return seen;
  });
  const said = await listen(page);
  await page.getByRole("searchbox").focus();
  await page.clock.pauseAt(Date.now() + 60_000);
  for (const key of "oil on canvas") {
    await page.keyboard.type(key);
    await page.clock.runFor(60);
  }
  await foundBy(page, "words");
  await page.clock.runFor(150);
  await foundBy(page, "full");
  const seen = await stages.jsonValue();
  expect(seen[0]).toBe("words");
  expect(seen.at(-1)).toBe("full");
  await expect(status(page)).toContainText("found in");
  expect((await said()).filter((sentence) => sentence.includes("found in")).length).toBe(1);
});

test("where data is saved the model is fetched only on request, with its size told first", async ({ page, server }) => {
  server.fault = pageWith((html) => html.replace(" autoload", " autoload words-only"));
  await open(page, server, "?backend=cpu");
  await reach(page, ["ready"]);
  await page.getByRole("searchbox").fill(query);
  await foundBy(page, "words");
  await page.waitForLoadState("networkidle");
  expect(server.requests.filter((path) => modelFiles.test(path))).toEqual([]);
  const offer = page.getByRole("button", { name: /^Search by meaning too \([\d.]+ MB\)$/ });
  await forgetFound(page);
  await offer.click();
  await foundBy(page, "full");
  await expect(offer).toBeHidden();
  expect(server.requests.some((path) => modelFiles.test(path))).toBe(true);
});

test("a browser that saves data is taken at its word", async ({ page, server }) => {
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "connection", { get: () => ({ saveData: true }) }));
  await open(page, server, "?backend=cpu");
  await reach(page, ["ready"]);
  await expect(page.getByRole("button", { name: /Search by meaning too/ })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(server.requests.filter((path) => modelFiles.test(path))).toEqual([]);
});

test("a large download shows its size and how far it is", async ({ page, server }) => {
  const { fault, release } = holdBack(/\/model\/.*tokenizer/);
  server.fault = fault;
  await open(page, server, "?backend=cpu");
  await reach(page, ["ready"]);
  await expect(status(page)).toContainText(/\([\d.]+ MB\)/);
  await expect(page.locator("almanac-search .progress")).toContainText(/[\d.]+ MB of [\d.]+ MB/);
  release();
  await reachFull(page);
  expect(await titles(page)).toEqual([]);
});
