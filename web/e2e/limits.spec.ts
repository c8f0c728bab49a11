import { chromium, type Page } from "@playwright/test";
import { chromiumArguments, chromiumPath } from "./support/chromium";
import { expect, open, reach, searchFor, test, workerPrelude } from "./support/fixtures";
import type { Fault } from "./support/server";
import { PAGE_BYTES, withMemoryFor } from "./support/wasm";

const query = "boats on a stormy sea";

const alert = (page: Page) => page.locator("almanac-search [part=failure]");

const memoryFor = (bytes: number): Fault => (path, served) =>
  /almanac_cpu.*\.wasm$/.test(path) ? { ...served, body: withMemoryFor(served.body, Math.floor(bytes / PAGE_BYTES)) } : served;

test.describe("a browser", () => {
  test.use({ allowedConsole: [/instantiateStreaming/] });

  test("whose engine has no vector instructions is told so, with the browsers that have them", async ({ server }) => {
    // Switched off in the engine itself, which then refuses the program as an old one does.
    const browser = await chromium.launch({ executablePath: chromiumPath(), args: [...chromiumArguments, "--js-flags=--no-enable-ssse3 --no-enable-sse4-1 --no-enable-avx"] });
    try {
      const page = await browser.newPage();
      await open(page, server, "?backend=cpu");
      expect(await reach(page, ["failed", "ready"])).toBe("failed");
      await expect(alert(page)).toContainText("This search cannot run here.");
      await expect(alert(page)).toContainText(/too old for the search: it lacks the vector instructions.*Safari from 16\.4/);
    } finally {
      await browser.close();
    }
  });

  test("without WebAssembly is told so", async ({ page, server }) => {
    server.fault = workerPrelude(() => {
      Reflect.deleteProperty(globalThis, "WebAssembly");
    });
    await open(page, server, "?backend=cpu");
    expect(await reach(page, ["failed", "ready"])).toBe("failed");
    await expect(alert(page)).toContainText("This search cannot run here.");
    await expect(alert(page)).toContainText(/no WebAssembly, or it is switched off.*Firefox from 89/);
  });
});

test.describe("memory that cannot grow", () => {
  test("any more leaves words and dates, and says that there is not enough of it", async ({ page, server }) => {
    server.fault = memoryFor(12_000_000);
    await open(page, server, "?backend=cpu");
    await expect(alert(page)).toContainText("There is not enough memory for this search.");
    await expect(alert(page)).toContainText("Search by words and dates still works");
    await page.getByRole("searchbox").fill("oil on canvas");
    expect(await reach(page, ["results", "no-match"])).toBe("results");
    await expect(alert(page)).toBeVisible();
  });

  test("at all is told in a sentence, and a visit with more of it works", async ({ page, server }) => {
    const noStore: Fault = (_path, served) => ({ ...served, headers: { ...served.headers, "Cache-Control": "no-store" } });
    server.fault = (path, served) => noStore(path, memoryFor(0)(path, served));
    await open(page, server, "?backend=cpu");
    expect(await reach(page, ["failed", "ready"])).toBe("failed");
    await expect(alert(page)).toContainText("There is not enough memory for this search.");
    server.fault = noStore;
    await page.getByRole("button", { name: "Retry" }).click();
    expect((await searchFor(page, query)).documents.length).toBe(10);
    await expect(alert(page)).toBeHidden();
  });
});
