import type { Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, open, reach, reachFull, searchFor, test, TINY_PATH, workerPrelude } from "./support/fixtures";
import { misplaced, nativeSearch, type NativeHit } from "./support/native";
import { site, tiny, tinyNext } from "./support/paths";
import type { Fault, Served, StaticServer } from "./support/server";

const query = "boats on a stormy sea";

// A host that is gone is noted by the browser itself; the bare error is this suite's own, of a wait that a failed search ends.
test.use({ allowedConsole: [/Failed to load resource|fetching the script|^uncaught: Error$/] });

/** A host that lets nothing be kept but what the program keeps itself. */
const noStore = (served: Served): Served => ({ ...served, headers: { ...served.headers, "Cache-Control": "no-store" } });
const healthy: Fault = (_path, served) => noStore(served);

/** Has the host publish one of the two releases. */
function publish(server: StaticServer, { model, index }: typeof tiny): void {
  server.remount({ [`${TINY_PATH}model/`]: model, [`${TINY_PATH}index/`]: index, [TINY_PATH]: site });
}

const releaseOf = async ({ index }: typeof tiny): Promise<string> => (JSON.parse(await readFile(join(index, "manifest.json"), "utf8")) as { release: string }).release;

/**
 * Asks the open page, whose ranking must be that of the release it says it searches; where a part
 * of it cannot be had, a sentence must say which.
 */
async function expectOneRelease(page: Page, rankings: Map<string, NativeHit[]>, when: string): Promise<string> {
  const alert = page.locator("almanac-search [part=failure]");
  const cutFile = /\S+ (?:could not be fetched|was cut off)/;
  await page.waitForFunction(() => {
    const element = document.querySelector("almanac-search");
    return element?.stage === "full" || element?.shadowRoot?.querySelector<HTMLElement>("[part=failure]")?.hidden === false;
  });
  const { stage, release } = await page.evaluate(() => {
    const element = document.querySelector("almanac-search");
    return { stage: element?.stage ?? null, release: element?.info?.release ?? "" };
  });
  expect([...rankings.keys()], when).toContain(release);
  if (stage !== "full") {
    expect(when).toMatch(/cut/);
    await expect(alert).toContainText(cutFile);
    await expect(alert).toContainText("Search by words and dates still works");
    await page.getByRole("searchbox").fill("oil on canvas");
    await reach(page, ["results", "no-match", "failed"]);
    return release;
  }
  const found = await searchFor(page, query).catch((cause: unknown) => cause as Error);
  if (found instanceof Error) {
    expect(when, found.message).toMatch(/cut/);
    await expect(alert).toContainText(cutFile);
    return release;
  }
  expect(misplaced(found.documents.map(({ id }) => id), rankings.get(release) ?? []), `${when}, release ${release}`).toEqual([]);
  return release;
}

test("an update cut off at any request leaves one whole release, with and without the host", async ({ page, server }) => {
  test.setTimeout(300_000);
  const releases = [tiny, tinyNext] as const;
  const [old, next] = [await releaseOf(tiny), await releaseOf(tinyNext)];
  expect(old).not.toBe(next);
  const rankings = new Map<string, NativeHit[]>();
  for (const [at, release] of [old, next].entries()) rankings.set(release, await nativeSearch(query, { site: releases[at] ?? tiny, k: 30 }));
  server.fault = healthy;
  publish(server, tiny);
  await open(page, server, "?backend=cpu", TINY_PATH);
  await reachFull(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  expect(await expectOneRelease(page, rankings, "at first")).toBe(old);
  await expect(page.locator("almanac-search [part=keep], almanac-search [part=kept]:not(:empty)").first()).toBeVisible();
  let cuts = 0;
  for (let nth = 1; ; nth += 1) {
    // The two take turns, so that each is an update of the other.
    const wanted = nth % 2 === 1 ? next : old;
    publish(server, wanted === next ? tinyNext : tiny);
    let asked = 0;
    server.fault = (_path, served) => {
      asked += 1;
      return asked < nth ? noStore(served) : { ...served, cutAfter: 0 };
    };
    await open(page, server, "?backend=cpu", TINY_PATH);
    const during = await expectOneRelease(page, rankings, `cut at request ${nth}`);
    const cut = asked >= nth;
    // The host is gone altogether, as after a power cut on the way.
    server.fault = (_path, served) => ({ ...served, cutAfter: 0 });
    await open(page, server, "?backend=cpu", TINY_PATH);
    await expectOneRelease(page, rankings, `without a host after a cut at request ${nth}`);
    server.fault = healthy;
    await open(page, server, "?backend=cpu", TINY_PATH);
    expect(await expectOneRelease(page, rankings, `mended after a cut at request ${nth}`)).toBe(wanted);
    if (!cut) {
      expect(during).toBe(wanted);
      break;
    }
    cuts += 1;
  }
  // Card, manifest, and the index's own files.
  expect(cuts).toBeGreaterThanOrEqual(6);
});

test("a browser whose room ends at any file keeps whole files only, and searches all the same", async ({ page, server }) => {
  test.setTimeout(300_000);
  server.fault = healthy;
  const native = await nativeSearch(query, { site: tiny, k: 30 });
  const known = new Map<string, number>();
  for (const folder of [tiny.model, tiny.index]) {
    const text = await readFile(join(folder, folder === tiny.model ? "card.json" : "manifest.json"), "utf8");
    for (const [, file, bytes] of text.matchAll(/"file":\s*"([^"]+)",\s*"bytes":\s*(\d+)/g)) known.set(file ?? "", Number(bytes));
  }
  expect(known.size).toBeGreaterThan(6);
  let refusals = 0;
  for (let nth = 1; ; nth += 1) {
    const full = workerPrelude((last: number) => {
      const put = Cache.prototype.put;
      const room = { asked: 0 };
      Object.assign(globalThis, { room });
      Cache.prototype.put = function (request, response) {
        room.asked += 1;
        if (room.asked < last) return put.call(this, request, response);
        return Promise.reject(new DOMException("Quota exceeded.", "QuotaExceededError"));
      };
    }, nth);
    server.fault = (path, served) => noStore(path.endsWith("/sw.js") ? { ...served, status: 404 } : full(path, served));
    await open(page, server, "?backend=cpu", TINY_PATH);
    expect(misplaced((await searchFor(page, query)).documents.map(({ id }) => id), native), `with room for ${nth - 1} files`).toEqual([]);
    const keep = page.getByRole("button", { name: /^Keep for offline use/ });
    const kept = page.locator("almanac-search [part=kept]:not(:empty)");
    await expect(keep.or(kept).first()).toBeVisible();
    if (await keep.isVisible()) await keep.click();
    await expect(kept).toHaveText(/no room|works offline/);
    const whole = (await kept.textContent())?.includes("works offline") === true;
    const sizes = await page.evaluate(async () => {
      const cache = await caches.open("almanac-files");
      const sizes: [string, number][] = [];
      for (const request of await cache.keys()) sizes.push([new URL(request.url).pathname.split("/").pop() ?? "", (await (await cache.match(request))?.arrayBuffer())?.byteLength ?? -1]);
      await caches.delete("almanac-files");
      return sizes;
    });
    for (const [file, bytes] of sizes) if (file !== "almanac-release") expect({ file, bytes }).toEqual({ file, bytes: known.get(file) });
    if (whole) break;
    refusals += 1;
  }
  expect(refusals).toBeGreaterThanOrEqual(6);
});

test("storage that the browser has emptied between two visits is filled again", async ({ page, server }) => {
  server.fault = healthy;
  await open(page, server, "?backend=cpu", TINY_PATH);
  await searchFor(page, query);
  await page.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name);
  });
  server.requests.length = 0;
  await page.reload();
  await searchFor(page, query);
  const again = server.requests.filter((path) => /\/weights-/.test(path));
  expect(again).toHaveLength(1);
});

test("on any day and with a clock that is wrong, dates and order are the same, and last year is that clock's", async ({ page, server }) => {
  server.fault = healthy;
  await page.clock.setFixedTime(new Date("1999-12-31T23:59:59"));
  await open(page, server, "?backend=cpu", TINY_PATH);
  const dated = "works on paper from the 1970s";
  const native = await nativeSearch(dated, { site: tiny, k: 30 });
  expect(misplaced((await searchFor(page, dated)).documents.map(({ id }) => id), native)).toEqual([]);
  const chip = page.locator("almanac-search [part=date-chip]");
  await expect(chip).toHaveText("1970s → 1970 to 1979");
  await searchFor(page, "painted last year");
  await expect(chip).toHaveText(/→ 1998$/);
});
