import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import type { AlmanacSearch } from "../src/element/almanac-search";
import { StaticServer } from "./support/server";
import { scratch, site } from "./support/paths";
import { runNative } from "./support/native";

const stick = join(scratch, "stick");
const bundle = join(stick, "town museum");

test.beforeAll(async () => {
  await rm(stick, { recursive: true, force: true });
  await mkdir(stick, { recursive: true });
  await runNative("xtask", ["bundle", "--site", site, "--out", bundle, "--zip"]);
});

/** Searches the bundle below an address, and gives the titles found and every address asked for. */
async function searchAt(page: Page, address: string): Promise<{ titles: string[]; outside: string[] }> {
  const outside: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(new URL(address).origin)) outside.push(request.url());
  });
  await page.goto(`${address}?backend=cpu`);
  await page.waitForFunction(() => document.querySelector<AlmanacSearch>("almanac-search")?.stage === "full");
  await page.getByRole("searchbox").fill("oil on canvas");
  await page.getByRole("searchbox").press("Enter");
  await expect(page.locator("almanac-search #status")).toContainText("found in");
  return { titles: await page.locator("almanac-search [data-title]").allTextContents(), outside };
}

test("a bundle below any path of a plain server is searched by meaning, and asks no other host", async ({ page }) => {
  const server = new StaticServer({ "/loans/2026/": stick });
  await server.start();
  const { titles, outside } = await searchAt(page, `${server.origin}/loans/2026/${encodeURIComponent(basename(bundle))}/`);
  expect(titles.length).toBe(10);
  expect(outside).toEqual([]);
  await server.stop();
});

test("Python's own server, which the note names, is enough", async ({ page }) => {
  const port = await freePort();
  const python = spawn("python3", ["-m", "http.server", String(port), "--bind", "127.0.0.1"], { cwd: dirname(bundle), stdio: "ignore" });
  const missing = await Promise.race([once(python, "spawn").then(() => false), once(python, "error").then(() => true)]);
  test.skip(missing, "there is no python3 on this machine, so its server was not tried");
  try {
    await expect(async () => expect((await fetch(`http://127.0.0.1:${port}/`)).ok).toBe(true)).toPass();
    const { titles } = await searchAt(page, `http://127.0.0.1:${port}/${encodeURIComponent(basename(bundle))}/`);
    expect(titles.length).toBe(10);
  } finally {
    python.kill();
  }
});

test("the note says how to open it, and the zip file holds what the folder holds", async () => {
  expect(await readFile(join(bundle, "README.txt"), "utf8")).toContain("python3 -m http.server");
  const zip = await readFile(`${bundle}.zip`);
  expect(zip.subarray(0, 2).toString()).toBe("PK");
  expect(zip.includes("town museum/index/manifest.json")).toBe(true);
});

test("opened by a double click, the page says what it needs instead", async ({ page }) => {
  await page.goto(`file://${join(bundle, "index.html").split("/").map(encodeURIComponent).join("/")}`);
  await expect(page.locator("#not-started")).toBeVisible();
  await expect(page.getByText("python3 -m http.server")).toBeVisible();
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
