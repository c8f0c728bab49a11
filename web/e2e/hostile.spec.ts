import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, FAILED_FILE, forgetFound, open, reach, reachFull, SUB_PATH, test as base } from "./support/fixtures";
import { runNative } from "./support/native";
import { modelFolder, scratch, site } from "./support/paths";
import { payloads } from "./support/payloads";
import { StaticServer } from "./support/server";

/** Where a browser reports what the policy has stopped. */
const REPORTS = "/csp-reports";

/** What a host that can send headers sends with every answer. */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types almanac",
  `report-uri ${REPORTS}`,
].join("; ");

const folder = join(scratch, "hostile");

/** An index in which every field of every record is a payload, and so are the labels and the collection's title. */
async function buildHostile(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const records = payloads.map((text, at) => {
    const other = payloads[(at * 7 + 3) % payloads.length] ?? text;
    return { id: `${at} ${text}`, title: `${text} ${at}`, text: `${other} embroidered`, words: text, date: text, url: text, image: other, note: text, facet: text };
  });
  await writeFile(join(folder, "records.jsonl"), records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  const label = JSON.stringify(payloads[0]);
  const config = [
    `title = ${JSON.stringify(payloads[1])}`,
    "",
    "[fields]",
    'id = "id"\ntitle = "title"\ndate = "date"\nurl = "url"\nimage = "image"',
    'text = ["text"]\nwords = ["words"]\nfacets = ["facet"]',
    "",
    "[show]",
    `${label} = "note"`,
    `${JSON.stringify(payloads[2])} = "facet"`,
  ].join("\n");
  await writeFile(join(folder, "collection.toml"), `${config}\n`);
  const paths = ["--input", join(folder, "records.jsonl"), "--config", join(folder, "collection.toml"), "--out", join(folder, "index")];
  await runNative("almanac-index", ["build", ...paths, "--model", modelFolder()]);
}

const test = base.extend({
  server: async ({}, use) => {
    const server = new StaticServer({ [`${SUB_PATH}index/`]: join(folder, "index"), [SUB_PATH]: site });
    await server.start();
    server.fault = (path, served) => {
      // Pictures from elsewhere would leave the site, which is for its owner to allow.
      const body = path === SUB_PATH ? Buffer.from(served.body.toString("utf8").replace(" remote-images", "")) : served.body;
      return { ...served, body, headers: { "Content-Security-Policy": policy } };
    };
    await use(server);
    await server.stop();
  },
});

test.beforeAll(buildHostile);

// A payload is also the address of a picture, which this host does not have.
test.use({ allowedConsole: [FAILED_FILE] });

/** Opens everything that can be opened, and sees that nothing ran and nothing was stopped. */
async function expectTame(page: Page, server: StaticServer): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelector("almanac-search")?.shadowRoot?.querySelectorAll("details") ?? []) details.open = true;
  });
  await page.waitForTimeout(300);
  const seen = await page.evaluate(() => {
    const root = document.querySelector("almanac-search")?.shadowRoot;
    const strange = root?.querySelectorAll("script, iframe, object, embed, base, meta, link, video, audio, marquee, form:not([role=search])").length;
    const links = [...(root?.querySelectorAll<HTMLAnchorElement>("a[href]") ?? [])].map(({ protocol }) => protocol);
    const attributes = [...(root?.querySelectorAll("*") ?? [])].flatMap((node) => node.getAttributeNames()).filter((name) => name.startsWith("on"));
    return { pwned: "pwned" in globalThis, strange, links: links.filter((protocol) => !/^https?:$/.test(protocol)), attributes };
  });
  expect(seen).toEqual({ pwned: false, strange: 0, links: [], attributes: [] });
  expect(server.requests.filter((path) => path.startsWith(REPORTS))).toEqual([]);
}

test("200 payloads in every field of every record stay text, and no policy has to stop one", async ({ page, server }) => {
  expect(new Set(payloads).size).toBeGreaterThanOrEqual(200);
  await open(page, server, "?backend=cpu&from=1&undated=1");
  await reach(page, ["results"]);
  const titles = page.locator("almanac-search [data-title]");
  for (let shown = 10; shown < 200; shown += 10) {
    await page.getByRole("button", { name: /^More results/ }).click();
    await expect(titles).toHaveCount(shown + 10);
  }
  await expectTame(page, server);
  await page.locator("almanac-search [part=filters-title]").first().scrollIntoViewIfNeeded();
  // Values of facets are shown a hundred at a time.
  for (const more of await page.locator("almanac-search [part=more]").all()) await more.click();
  await expectTame(page, server);
});

test("payloads as queries and in the address stay text", async ({ page, server }) => {
  for (const payload of payloads.filter((_, at) => at % 20 === 0)) {
    const address = new URLSearchParams({ backend: "cpu", q: payload, from: payload, f: `${payload}:${payload}` });
    await open(page, server, `?${address.toString()}#${encodeURIComponent(payload)}`);
    await reachFull(page);
    await reach(page, ["results", "no-match", "ready"]);
    await expectTame(page, server);
  }
});

test("payloads as they are typed stay text", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  await reachFull(page);
  for (const payload of payloads.filter((_, at) => at % 4 === 1)) {
    await forgetFound(page);
    await page.getByRole("searchbox").fill(`${payload} “${payload}”`);
    await page.getByRole("searchbox").press("Enter");
    await page.waitForFunction(() => document.querySelector("almanac-search")?.state !== "searching");
  }
  await expectTame(page, server);
});
