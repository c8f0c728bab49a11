import { gzipSync } from "node:zlib";
import type { AlmanacSearch } from "../src/element/almanac-search";
import { expect, FAILED_FILE, holdBack, open, reach, reachFull, searchFor, test, workerPrelude } from "./support/fixtures";
import { nativeSearch } from "./support/native";

const query = "boats on a stormy sea";

test("a host that compresses everything is searched all the same, and no progress passes its end", async ({ page, server }) => {
  server.fault = (_path, served) => {
    const body = gzipSync(served.body);
    return { ...served, body, headers: { ...served.headers, "Content-Encoding": "gzip", "Content-Length": String(body.length) } };
  };
  await page.addInitScript(() => {
    const seen: number[] = [];
    Object.assign(globalThis, { seen });
    const look = (): void => {
      const bar = document.querySelector("almanac-search")?.shadowRoot?.querySelector("progress");
      if (bar?.hasAttribute("value") === true) seen.push(bar.value / bar.max, bar.value > bar.max ? 2 : 0);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await open(page, server, "?backend=cpu");
  const found = await searchFor(page, query);
  expect(found.documents.map(({ id }) => id)).toEqual((await nativeSearch(query)).map(({ id }) => id));
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: number[] }).seen);
  expect(Math.max(0, ...seen)).toBeLessThanOrEqual(1);
});

test("no request asks for a part of a file", async ({ page, server, context }) => {
  const ranges: string[] = [];
  context.on("request", (request) => {
    if (request.headers()["range"] !== undefined) ranges.push(request.url());
  });
  await open(page, server, "?backend=cpu");
  await searchFor(page, query);
  expect(ranges).toEqual([]);
});

test.describe("broken lengths", () => {
  test.use({ allowedConsole: [FAILED_FILE] });
  test("a host that tells half the length of the weights is refused by file name", async ({ page, server }) => {
    server.fault = (path, served) => {
      if (!/\/model\/weights/.test(path)) return served;
      const half = served.body.subarray(0, served.body.length >> 1);
      return { ...served, body: half, headers: { ...served.headers, "Content-Length": String(half.length) } };
    };
    await open(page, server, "?backend=cpu");
    await expect(page.locator("almanac-search [part=failure]")).toContainText(/weights.*ended after \d+ of \d+ bytes/);
    server.fault = null;
    await page.getByRole("button", { name: "Retry" }).click();
    await reachFull(page);
  });

  test("a site that is updated while the page is open says so, and loading the page again mends it", async ({ page, server }) => {
    await open(page, server, "?backend=cpu");
    await reachFull(page);
    server.fault = (path, served) => {
      if (path.endsWith("/index/manifest.json")) return { ...served, body: Buffer.from(served.body.toString("utf8").replace(/"title":\s*"[^"]*"/, '"title":"New"')) };
      return /\/index\/(documents|postings)/.test(path) ? { ...served, status: 404 } : served;
    };
    await page.getByRole("searchbox").fill(query);
    await page.getByRole("searchbox").press("Enter");
    await expect(page.locator("almanac-search [part=failure]")).toContainText("since the site was updated: load the page again");
    server.fault = null;
    await page.reload();
    await reachFull(page);
    await reach(page, ["results", "no-match"]);
  });
});

test.describe("without memory", () => {
  test.use({ allowedConsole: [/memory/i, /instantiate/i] });
  test("a browser that has none left says so in a sentence", async ({ page, server }) => {
    server.fault = workerPrelude(() => {
      const refuse = async (): Promise<never> => {
        throw new RangeError("WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance");
      };
      Object.assign(WebAssembly, { instantiate: refuse, instantiateStreaming: refuse });
    });
    await open(page, server, "?backend=cpu");
    await expect(page.locator("almanac-search [part=failure]")).toContainText("There is not enough memory for this search.");
  });
});

test("two pages that open together download the model once", async ({ page, server, context }) => {
  // Nothing may come from the browser's own cache: only what the program keeps counts.
  const { fault, release } = holdBack(/\/model\/weights/);
  server.fault = (path, served) => fault(path, { ...served, headers: { ...served.headers, "Cache-Control": "no-store" } });
  const other = await context.newPage();
  await Promise.all([page, other].map((one) => open(one, server, "?backend=cpu")));
  await Promise.all([page, other].map((one) => reach(one, ["ready"])));
  await expect.poll(() => server.requests.filter((path) => /\/model\/weights/.test(path)).length).toBeGreaterThan(0);
  // Long enough for the second to ask, if it did.
  await page.waitForTimeout(1_000);
  release();
  await Promise.all([page, other].map((one) => reachFull(one)));
  const weights = server.requests.filter((path) => /\/model\/weights/.test(path));
  expect(weights.length).toBe(new Set(weights).size);
  await other.close();
});

test("loading and searching never hold the page for long", async ({ page, server }) => {
  await page.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(globalThis, { tasks });
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask", buffered: true });
  });
  await open(page, server, "?backend=cpu");
  await searchFor(page, query);
  await page.getByRole("searchbox").pressSequentially(" at night", { delay: 40 });
  await reach(page, ["results", "no-match"]);
  const tasks = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks);
  // A busy machine stretches every task; what blocks a page, as reading an index would, takes seconds.
  expect(Math.max(0, ...tasks)).toBeLessThan(300);
});

for (const { locale, timezoneId } of [
  { locale: "ar-EG", timezoneId: "Pacific/Kiritimati" },
  { locale: "th-TH", timezoneId: "America/Los_Angeles" },
]) {
  test.describe(`in ${timezoneId} with ${locale}`, () => {
    test.use({ locale, timezoneId });
    test("dates, readings and order are the same as anywhere", async ({ page, server }) => {
      await open(page, server, "?backend=cpu");
      const dated = "works on paper from the 1970s";
      const found = await searchFor(page, dated);
      expect(found.documents.map(({ id }) => id)).toEqual((await nativeSearch(dated)).map(({ id }) => id));
      await expect(page.locator("almanac-search [part=date-chip]")).toHaveText("1970s → 1970 to 1979");
      const days = await page.evaluate(() => document.querySelector<AlmanacSearch>("almanac-search")?.info?.days);
      expect(days?.every(Number.isInteger)).toBe(true);
    });
  });
}

test("a query of marks that turn the writing round, and one of ten thousand words, end in bounded time", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  await reachFull(page);
  for (const text of ["\u202eboats\u2066 sea\u2069 \u202d1850s", Array.from({ length: 10_000 }, (_, at) => `w${at}`).join(" ")]) {
    await page.evaluate((asked) => document.querySelector("almanac-search")?.search(asked), text);
    await reach(page, ["results", "no-match"], 20_000);
  }
  await expect(page.getByText("Only the first 1,000 characters")).toBeVisible();
});

test("a worker that dies at work is started again once, and the query it died on is answered", async ({ page, server }) => {
  const dying = workerPrelude(() => {
    self.addEventListener("message", (event: MessageEvent<{ name: string }>) => {
      if (event.data.name !== "search") return;
      // While the search waits for its postings.
      setTimeout(() => {
        throw new WebAssembly.RuntimeError("unreachable");
      });
    });
  });
  let started = 0;
  server.fault = (path, served) => {
    if (!/\/worker-[^/]*\.js$/.test(path)) return served;
    started += 1;
    return { ...(started === 1 ? dying(path, served) : served), headers: { "Cache-Control": "no-store" } };
  };
  await open(page, server, "?backend=cpu");
  await reachFull(page);
  await page.getByRole("searchbox").fill(query);
  await page.getByRole("searchbox").press("Enter");
  await reach(page, ["results", "no-match"]);
  expect(started).toBe(2);
  await reachFull(page);
});

for (const [name, body] of Object.entries({ "that throws": "throw new Error('broken')", "that is a web page": "<!doctype html>" })) {
  test.describe(`with a service worker ${name}`, () => {
    test.use({ allowedConsole: [/ServiceWorker|service worker|broken|script|Uncaught|Unexpected/i] });
    test("the search works as without one", async ({ page, server }) => {
      server.fault = (path, served) => (path.endsWith("/sw.js") ? { ...served, body: Buffer.from(body) } : served);
      await open(page, server, "?backend=cpu");
      expect((await searchFor(page, query)).documents.length).toBe(10);
      expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
    });
  });
}
