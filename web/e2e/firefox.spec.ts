import { existsSync } from "node:fs";
import { expect, test } from "@playwright/test";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import type { AlmanacSearch } from "../src/element/almanac-search";
import type { Stage } from "../src/protocol";
import { SUB_PATH } from "./support/fixtures";
import { nativeSearch } from "./support/native";
import { site } from "./support/paths";
import { StaticServer } from "./support/server";

/** Firefox's path: `ALMANAC_FIREFOX`, else where Linux distributions put it. */
const firefox = [process.env["ALMANAC_FIREFOX"] ?? "", "/usr/bin/firefox-esr", "/usr/bin/firefox"].find((path) => path !== "" && existsSync(path));

const query = "boats on a stormy sea";

// Playwright drives only a Firefox of its own; this one is driven by WebDriver BiDi.
test.describe("in an ordinary Firefox", () => {
  test.skip(firefox === undefined, "there is no Firefox on this machine (ALMANAC_FIREFOX names one), so nothing was tried in it");

  let browser: Browser;
  let server: StaticServer;
  let page: Page;

  test.beforeEach(async () => {
    server = new StaticServer({ [SUB_PATH]: site });
    await server.start();
    browser = await puppeteer.launch({ browser: "firefox", executablePath: firefox ?? "", headless: true });
    page = await browser.newPage();
  });

  test.afterEach(async () => {
    await browser.close();
    await server.stop().catch(() => undefined);
  });

  /** Waits until a search may rest on a stage. */
  const stage = (wanted: Stage): Promise<unknown> =>
    page.waitForFunction((name) => document.querySelector<AlmanacSearch>("almanac-search")?.stage === name, { timeout: 60_000 }, wanted);

  /** Searches, and gives the titles that stand in the list once the answer is there. */
  const search = async (text: string): Promise<string[]> => {
    await page.evaluate((asked) => document.querySelector<AlmanacSearch>("almanac-search")?.search(asked), text);
    const settled = await page.waitForFunction(
      () => {
        const element = document.querySelector<AlmanacSearch>("almanac-search");
        const root = element?.shadowRoot;
        if (element?.state === "no-match") root?.querySelector<HTMLElement>("[part=nearest]")?.click();
        if (element?.state === "failed") throw new Error(root?.querySelector("[part=failure]")?.textContent ?? "it failed");
        if (element?.state !== "results" || root?.querySelector("[aria-busy=true]")) return null;
        return [...(root?.querySelectorAll("[data-title]") ?? [])].map((title) => title.textContent ?? "");
      },
      { timeout: 60_000 },
    );
    return (await settled.jsonValue()) ?? [];
  };

  test("words are searched, and then meaning on the CPU, as the native search ranks", async () => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(`${server.origin}${SUB_PATH}?backend=cpu`);
    await stage("full");
    expect(await search("oil on canvas")).toHaveLength(10);
    const ids = await search(query);
    expect(ids).toEqual((await nativeSearch(query)).map(({ title }) => title));
    expect(errors).toEqual([]);
  });

  test("after one visit the page opens and searches without its server", async () => {
    await page.goto(`${server.origin}${SUB_PATH}?backend=cpu`);
    await stage("full");
    const before = await search(query);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null, { timeout: 60_000 });
    await page.evaluate(() => document.querySelector("almanac-search")?.shadowRoot?.querySelector<HTMLElement>("[part=keep]")?.click());
    await page.waitForFunction(() => (document.querySelector("almanac-search")?.shadowRoot?.querySelector("[part=kept]")?.textContent ?? "") !== "", { timeout: 60_000 });
    await server.stop();
    await page.reload();
    await stage("full");
    expect(await search(query)).toEqual(before);
  });
});
