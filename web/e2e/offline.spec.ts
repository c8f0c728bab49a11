import type { BrowserContext, Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, FAILED_FILE, forgetFound, foundBy, open, reach, reachFull, searchFor, SUB_PATH, test, workerPrelude } from "./support/fixtures";
import type { Found } from "../src/protocol";
import { indexFolder } from "./support/paths";
import type { Served, StaticServer } from "./support/server";

const query = "boats on a stormy sea";

// Without a network the browser itself notes each attempt to use it.
test.use({ allowedConsole: [FAILED_FILE] });

/** A host that lets nothing be kept but what the program keeps itself. */
const noStore = (served: Served): Served => ({ ...served, headers: { ...served.headers, "Cache-Control": "no-store" } });

/** Opens the page and waits until it would open again without a network. */
async function visit(page: Page, server: StaticServer): Promise<void> {
  server.fault = (_path, served) => noStore(served);
  await open(page, server, "?backend=cpu");
  await reachFull(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await expect(page.locator("almanac-search [part=keep], almanac-search [part=kept]:not(:empty)").first()).toBeVisible();
}

async function keepAll(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Keep for offline use/ }).click();
  await expect(page.locator("almanac-search [part=kept]")).toHaveText("Kept on this device: the search works offline.");
}

/** Takes the network away altogether. */
async function goOffline(context: BrowserContext, server: StaticServer): Promise<void> {
  await context.setOffline(true);
  await server.stop();
}

/** Loads the page again and gives what it finds. */
async function again(page: Page): Promise<Found> {
  await page.reload();
  return searchFor(page, query);
}

/** The names of the files kept. */
const keptFiles = (page: Page): Promise<string[]> =>
  page.evaluate(async () => (await (await caches.open("almanac-files")).keys()).map(({ url }) => new URL(url).pathname.split("/").pop() ?? ""));

async function manifest(): Promise<{ files: { kind: string; file: string; bytes: number; sha256: string }[] }> {
  return JSON.parse(await readFile(join(indexFolder, "manifest.json"), "utf8"));
}

async function vectorsFile(): Promise<string> {
  const found = (await manifest()).files.find(({ kind }) => kind === "vectors");
  if (found === undefined) throw new Error("the index has no vectors");
  return found.file;
}

test("after one visit and its consent, everything works without a network", async ({ page, server, context }) => {
  await visit(page, server);
  const before = await searchFor(page, query);
  await keepAll(page);
  await goOffline(context, server);
  const after = await again(page);
  expect(after.documents.map(({ id }) => id)).toEqual(before.documents.map(({ id }) => id));
  expect((await searchFor(page, "silver teapot")).stage).toBe("full");
});

test("after one visit without it, what was fetched is still searched", async ({ page, server, context }) => {
  await visit(page, server);
  await searchFor(page, query);
  await goOffline(context, server);
  expect((await again(page)).documents.length).toBe(10);
});

test("offline in the middle of the first download, words work, and meaning follows when the network is back", async ({ page, server, context }) => {
  server.fault = (path, served) => noStore(/\/weights-/.test(path) ? { ...served, cutAfter: 100_000 } : served);
  await open(page, server, "?backend=cpu");
  const alert = page.locator("almanac-search [part=failure]");
  await expect(alert).toContainText("Search by words and dates still works");
  await context.setOffline(true);
  await context.setOffline(false);
  server.fault = (_path, served) => noStore(served);
  await page.getByRole("button", { name: "Retry" }).click();
  await reachFull(page);
  expect((await searchFor(page, query)).documents.length).toBe(10);
});

test("a new manifest whose files are not there yet leaves the release that was kept", async ({ page, server }) => {
  await visit(page, server);
  const before = await searchFor(page, query);
  const files = await keptFiles(page);
  const old = await manifest();
  const next = { ...old, release: "next", files: old.files.map((file) => ({ ...file, file: `next-${file.file}` })) };
  server.fault = (path, served) => noStore(path.endsWith("manifest.json") ? { ...served, body: Buffer.from(JSON.stringify(next)) } : served);
  const after = await again(page);
  expect(after.documents.map(({ id }) => id)).toEqual(before.documents.map(({ id }) => id));
  expect(await keptFiles(page)).toEqual(expect.arrayContaining(files));
});

test("a new release takes the place of the old once it is whole, and the old files go", async ({ page, server }) => {
  await visit(page, server);
  const old = await manifest();
  const vectors = await vectorsFile();
  const next = { ...old, files: old.files.map((file) => (file.file === vectors ? { ...file, file: `next-${vectors}` } : file)) };
  const body = await readFile(join(indexFolder, vectors));
  server.fault = (path, served) => {
    if (path.endsWith("manifest.json")) return noStore({ ...served, body: Buffer.from(JSON.stringify(next)) });
    return noStore(path.endsWith(`next-${vectors}`) ? { status: 200, type: "application/octet-stream", body } : served);
  };
  await page.reload();
  await reachFull(page);
  await expect.poll(() => keptFiles(page)).not.toContain(vectors);
  expect(await keptFiles(page)).toContain(`next-${vectors}`);
});

test("a kept file that was damaged is found out by its checksum and fetched again", async ({ page, server }) => {
  await visit(page, server);
  const vectors = await vectorsFile();
  await page.evaluate(async (name) => {
    const cache = await caches.open("almanac-files");
    const request = (await cache.keys()).find(({ url }) => url.endsWith(name));
    if (request === undefined) throw new Error(`${name} is not kept`);
    const bytes = new Uint8Array(await (await cache.match(request))?.arrayBuffer() ?? new ArrayBuffer(1));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await cache.put(request, new Response(bytes));
  }, vectors);
  server.requests.length = 0;
  await page.reload();
  await reachFull(page);
  expect(server.requests.filter((path) => path.endsWith(vectors))).toHaveLength(1);
  expect(server.requests.filter((path) => path.includes("/weights-"))).toEqual([]);
  expect((await searchFor(page, query)).documents.length).toBe(10);
});

test("a web page in place of a file is never kept", async ({ page, server }) => {
  const vectors = await vectorsFile();
  server.fault = (path, served) => noStore(path.endsWith(vectors) ? { ...served, body: Buffer.from("<!doctype html>Log in") } : served);
  await open(page, server, "?backend=cpu");
  await expect(page.locator("almanac-search [part=failure]")).toContainText("is a web page");
  expect(await keptFiles(page)).not.toContain(vectors);
});

test("a browser without room searches all the same, and says so when asked to keep", async ({ page, server }) => {
  server.fault = workerPrelude(() => {
    Cache.prototype.put = () => Promise.reject(new DOMException("Quota exceeded.", "QuotaExceededError"));
  });
  await open(page, server, "?backend=cpu");
  expect((await searchFor(page, query)).documents.length).toBe(10);
  await page.getByRole("button", { name: /^Keep for offline use/ }).click();
  await expect(page.locator("almanac-search [part=kept]")).toHaveText(/could not all be kept.*no room/);
  expect((await searchFor(page, "silver teapot")).stage).toBe("full");
});

for (const [what, prelude] of [
  [
    "is blocked",
    () => {
      Object.defineProperty(globalThis, "caches", {
        get: () => {
          throw new DOMException("blocked", "SecurityError");
        },
      });
    },
  ],
  ["is not there, as in a private window", () => Object.defineProperty(globalThis, "caches", { value: undefined })],
] as const) {
  test(`a browser whose storage ${what} offers nothing and searches all the same`, async ({ page, server }) => {
    server.fault = workerPrelude(prelude as () => void);
    await open(page, server, "?backend=cpu");
    expect((await searchFor(page, query)).documents.length).toBe(10);
    await expect(page.getByRole("button", { name: /^Keep for offline use/ })).toBeHidden();
  });
}

test("a new version waits for the visitor, and takes over when asked", async ({ page, server }) => {
  await visit(page, server);
  await expect(page.locator("almanac-search [part=update]")).toBeHidden();
  server.fault = (path, served) => noStore(path === `${SUB_PATH}sw.js` ? { ...served, body: Buffer.concat([served.body, Buffer.from("\n// next\n")]) } : served);
  await page.reload();
  await expect(page.locator("almanac-search [part=update]")).toContainText("A new version is ready.");
  await reach(page, ["ready", "results"]);
  await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Reload" }).click()]);
  await reachFull(page);
  await expect(page.locator("almanac-search [part=update]")).toBeHidden();
});

test("a build with a file missing is not taken, and the page stays as it is", async ({ page, server }) => {
  await visit(page, server);
  server.fault = (path, served) => {
    if (path === `${SUB_PATH}sw.js`) return noStore({ ...served, body: Buffer.from(served.body.toString("utf8").replaceAll("icon-maskable.svg", "icon-gone.svg")) });
    return noStore(served);
  };
  await page.reload();
  await reachFull(page);
  await page.waitForTimeout(1000);
  await expect(page.locator("almanac-search [part=update]")).toBeHidden();
  expect((await searchFor(page, query)).documents.length).toBe(10);
});

test("the kill switch takes the service worker back", async ({ page, server }) => {
  await visit(page, server);
  server.fault = (path, served) => noStore(path.endsWith("/kill.json") ? { ...served, body: Buffer.from('{"kill":true}') } : served);
  await page.reload();
  const shells = (): Promise<string[]> => page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("almanac-shell")));
  // The page loads again, and may register the worker anew; each visit takes it back.
  await expect.poll(() => shells().catch(() => ["loading"]), { timeout: 30_000 }).toEqual([]);
  await forgetFound(page).catch(() => undefined);
  await reachFull(page);
  expect((await searchFor(page, query)).documents.length).toBe(10);
  await foundBy(page, "full");
});

test("nested addresses that are no page of this site are left to the server", async ({ page, server }) => {
  await visit(page, server);
  const response = await page.goto(`${server.origin}${SUB_PATH}a/b/`);
  expect(response?.status()).toBe(404);
});
