import type { Page } from "@playwright/test";
import axe from "axe-core";
import { damage, expect, open, reach, searchFor, SUB_PATH, test } from "./support/fixtures";
import type { StaticServer } from "./support/server";

const query = "boats on a stormy sea";

/** Violations that axe finds on the page, shadow trees included. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => (await (globalThis as unknown as { axe: typeof axe }).axe.run(document)).violations);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
}

/** Opens the page without its `autoload`, so that it stays idle. */
async function openIdle(page: Page, server: StaticServer): Promise<void> {
  server.fault = (path, served) =>
    path === SUB_PATH ? { ...served, body: Buffer.from(served.body.toString("utf8").replace(" autoload", "")) } : served;
  await open(page, server, "?backend=cpu");
  await reach(page, ["idle"]);
}

/** Opens the page on a host whose manifest is a web page. */
async function openFailed(page: Page, server: StaticServer): Promise<void> {
  server.fault = damage("/index/manifest.json", () => Buffer.from("<!doctype html>"));
  await open(page, server, "?backend=cpu");
  await reach(page, ["failed"]);
}

async function openResults(page: Page, server: StaticServer): Promise<void> {
  await open(page, server, "?backend=cpu");
  await searchFor(page, query);
  await page.getByText("Why this result").first().click();
}

async function openNoMatch(page: Page, server: StaticServer): Promise<void> {
  await open(page, server, "?backend=cpu");
  await page.getByRole("searchbox").fill("xxxxxxxxxxxx");
  await reach(page, ["no-match"]);
}

const states = { idle: openIdle, results: openResults, "no match": openNoMatch, failed: openFailed };

for (const scheme of ["light", "dark"] as const) {
  test.describe(`in ${scheme} colors`, () => {
    test.use({ colorScheme: scheme });
    for (const [name, reachState] of Object.entries(states)) {
      test(`axe finds nothing wrong in the state "${name}"`, async ({ page, server }) => {
        await reachState(page, server);
        expect(await violations(page)).toEqual([]);
      });
    }
  });
}

test.describe("on a screen of 320 pixels", () => {
  test.use({ viewport: { width: 320, height: 600 } });
  for (const [name, reachState] of Object.entries(states)) {
    test(`nothing scrolls sideways in the state "${name}"`, async ({ page, server }) => {
      await reachState(page, server);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    });
  }
});

test("a visitor with only a keyboard can search, read, open the explanation and begin again", async ({ page, server }) => {
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const inner = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
      return inner?.getAttribute("part") ?? inner?.tagName.toLowerCase() ?? "";
    });
  await open(page, server, "?backend=cpu");
  await reach(page, ["ready"]);
  await page.keyboard.press("/");
  expect(await focused()).toBe("input");
  await page.keyboard.type("portrait of a woman / oil on canvas");
  await page.keyboard.press("Enter");
  if ((await reach(page, ["results", "no-match"])) === "no-match") {
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await reach(page, ["results"]);
  }
  await expect(page.getByRole("searchbox")).toHaveValue("portrait of a woman / oil on canvas");

  const titleAt = (): Promise<number> =>
    page.evaluate(() => {
      const root = document.querySelector("almanac-search")?.shadowRoot;
      return [...(root?.querySelectorAll("[data-title]") ?? [])].findIndex((title) => title === root?.activeElement);
    });
  await page.keyboard.press("ArrowDown");
  expect(await titleAt()).toBe(0);
  await page.keyboard.press("ArrowDown");
  expect(await titleAt()).toBe(1);
  await page.keyboard.press("ArrowUp");
  expect(await titleAt()).toBe(0);
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("summary");
  await page.keyboard.press("Enter");
  await expect(page.getByText("similarity (cosine)").first()).toBeVisible();
  await page.keyboard.press("Escape");
  expect(await focused()).toBe("input");
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await reach(page, ["ready"]);
});

test("ten thousand characters with broken surrogates are searched in part, with a notice", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  await reach(page, ["ready"]);
  await page.evaluate(() => {
    document.querySelector("almanac-search")?.search("oil on canvas \uD800 portrait \uDC00 ".repeat(300).slice(0, 10_000));
  });
  await reach(page, ["results", "no-match"]);
  await expect(page.getByText("Only the first 1,000 characters")).toBeVisible();
});

test("text of a collection never runs, whatever its records hold", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  const found = await searchFor(page, "embroidered payload");
  expect(found.documents.filter((document) => document.id.startsWith("hostile:")).length).toBe(2);
  for (const summary of await page.getByText("Why this result").all()) await summary.click();
  expect(await page.evaluate(() => "pwned" in globalThis)).toBe(false);
  const root = page.locator("almanac-search");
  expect(await root.locator("ol script, ol iframe, ol svg").count()).toBe(0);
  const links = await root.locator("ol a").evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).protocol));
  expect(links.filter((protocol) => protocol !== "http:" && protocol !== "https:")).toEqual([]);
  await expect(root.getByText("<script>globalThis.pwned=1</script>").first()).toBeVisible();
});

test("the live region tells the count, and the page what was downloaded", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  await searchFor(page, query);
  await expect(page.locator("almanac-search #status")).toContainText(/10 (?:results|nearest)/);
  await page.locator("#downloads summary").click();
  for (const part of ["program", "model", "index", "documents"]) {
    await expect(page.locator(`#downloads-${part}`)).toHaveText(/^[1-9][\d.]* (?:bytes|kB|MB)$/);
  }
});

test("an example on the page is searched with one press", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  await reach(page, ["ready"]);
  await page.getByRole("button", { name: "a mother and her child" }).click();
  await expect(page.getByRole("searchbox")).toHaveValue("a mother and her child");
  await reach(page, ["results", "no-match"]);
});

test("the page's own thread fetches nothing of the program, the model or the index: the worker does", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  await searchFor(page, query);
  expect(page.workers().length).toBe(1);
  const fetched = await page.evaluate(() => performance.getEntriesByType("resource").map((entry) => new URL(entry.name).pathname));
  expect(fetched.filter((path) => /\.wasm$|\/model\/|\/index\//.test(path))).toEqual([]);
  expect(fetched.length).toBeGreaterThan(0);
});
