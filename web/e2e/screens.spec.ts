import type { Page } from "@playwright/test";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, foundBy, open, pageWith, reach, reachFull, test } from "./support/fixtures";
import { difference } from "./support/likeness";
import { repository } from "./support/paths";
import type { StaticServer } from "./support/server";

/** Most of what stands on a screen that may differ from the one that is kept: what another font on another machine changes. */
const MOST = 0.1;

/** Part of the screen's width by which a box may be moved or widened; texts of another width do less. */
const AWAY = 0.04;

/** How many times as high, or as low, another font makes a box at most. */
const HIGHER = 1.6;

/** The boxes that make the layout: their place does not depend on how wide their text is. */
const BOXES = ["form", "input", "status", "filters", "timeline", "timeline-plot", "results", "result"];

const kept = (name: string): string => join(repository, "docs", "screenshots", "small", name);

/** Where each box begins and how wide it is, in parts of the screen's width, and its height in pixels; null where there is none. */
type Layout = Record<string, { left: number; width: number; height: number } | null>;

async function layoutOf(page: Page): Promise<Layout> {
  return page.evaluate((parts) => {
    const root = document.querySelector("almanac-search")?.shadowRoot;
    const measured = parts.map((part) => {
      const box = root?.querySelector(`[part=${part}]`)?.getBoundingClientRect();
      if (box === undefined || box.width === 0) return [part, null] as const;
      const share = (pixels: number): number => Number((pixels / innerWidth).toFixed(3));
      return [part, { left: share(box.left), width: share(box.width), height: Math.round(box.height) }] as const;
    });
    return Object.fromEntries(measured);
  }, BOXES);
}

/** What of a layout is not where it was. */
function moved(before: Layout, now: Layout): string[] {
  return BOXES.filter((part) => {
    const [old, box] = [before[part] ?? null, now[part] ?? null];
    if (old === null || box === null) return old !== box;
    const times = Math.max(old.height, box.height) / Math.max(1, Math.min(old.height, box.height));
    return Math.abs(old.left - box.left) > AWAY || Math.abs(old.width - box.width) > AWAY || times > HIGHER;
  });
}
const query = "works on paper from the 1970s";

/** Opens the page with results. */
async function openResults(page: Page, server: StaticServer, search = `q=${encodeURIComponent(query)}`, language = "en"): Promise<void> {
  server.fault = pageWith((html) => html.replace('<html lang="en">', `<html lang="${language}">`).replace('index="./index/"', 'index="./index/" results="3"'));
  await open(page, server, `?backend=cpu&${search}`);
  await reachFull(page);
  if ((await reach(page, ["results", "no-match"])) === "no-match") await page.locator("almanac-search [part=nearest]").click();
  await foundBy(page, "full");
  // Times are never the same twice.
  await page.evaluate(() => document.fonts.ready);
}

/** A part of the page as it is seen, without what the pointer or the caret adds. */
async function shot(page: Page): Promise<Buffer> {
  await page.mouse.move(0, 0);
  return page.screenshot({ animations: "disabled", caret: "hide" });
}

const screens: Record<string, { size: [number, number]; dark?: boolean; reach: (page: Page, server: StaticServer) => Promise<void> }> = {
  light: { size: [800, 900], reach: (page, server) => openResults(page, server) },
  dark: { size: [800, 900], dark: true, reach: (page, server) => openResults(page, server) },
  phone: { size: [390, 844], reach: (page, server) => openResults(page, server) },
  chinese: { size: [800, 900], reach: (page, server) => openResults(page, server, "q=paper&from=1900", "zh-CN") },
  timeline: {
    size: [800, 600],
    reach: async (page, server) => {
      await openResults(page, server, "q=paper&from=1930&to=1979");
      await page.locator("almanac-search [part=timeline]").evaluate((node) => node.scrollIntoView({ block: "start" }));
    },
  },
};

/** The layouts that are kept, by screen. */
async function keptLayouts(): Promise<Record<string, Layout>> {
  const file = kept("layout.json");
  return existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as Record<string, Layout>) : {};
}

for (const [name, screen] of Object.entries(screens)) {
  test(`the screen "${name}" looks as it is kept in the documents`, async ({ page, server, context }) => {
    await page.setViewportSize({ width: screen.size[0], height: screen.size[1] });
    await page.emulateMedia({ colorScheme: screen.dark === true ? "dark" : "light", reducedMotion: "reduce" });
    await screen.reach(page, server);
    const [now, layout] = [await shot(page), await layoutOf(page)];
    const file = kept(`${name}.png`);
    if (process.env["ALMANAC_KEEP_SCREENSHOTS"] === "1") {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, now);
      await writeFile(kept("layout.json"), `${JSON.stringify({ ...(await keptLayouts()), [name]: layout }, null, 1)}\n`);
    }
    if (!existsSync(file)) throw new Error(`${file} is missing: ALMANAC_KEEP_SCREENSHOTS=1 makes it`);
    expect(moved((await keptLayouts())[name] ?? {}, layout), "the boxes that are not where they were").toEqual([]);
    expect(await difference(context, await readFile(file), now), "the part of the screen that has changed").toBeLessThan(MOST);
  });
}

test("another font is no difference, and a broken layout is one", async ({ page, server, context }) => {
  await page.setViewportSize({ width: 800, height: 900 });
  await openResults(page, server);
  const [good, layout] = [await shot(page), await layoutOf(page)];
  const changes = async (css: string): Promise<{ picture: number; boxes: string[] }> => {
    await page.evaluate((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      document.adoptedStyleSheets = [sheet];
      const root = document.querySelector("almanac-search")?.shadowRoot;
      if (root === null || root === undefined) throw new Error("there is no search");
      root.adoptedStyleSheets = [...root.adoptedStyleSheets.slice(0, 1), sheet];
    }, css);
    return { picture: await difference(context, good, await shot(page)), boxes: moved(layout, await layoutOf(page)) };
  };
  const face = (serif: string, sans: string): string =>
    `:root { --serif: ${serif}; --sans: ${sans} } almanac-search { --almanac-serif: ${serif}; --almanac-sans: ${sans} }`;
  const fonts = {
    "wider faces": face("'DejaVu Serif'", "'DejaVu Sans'"),
    "narrower faces": face("'Liberation Serif'", "'Liberation Sans'"),
  };
  const breaks = {
    "no timeline": ".timeline { display: none !important }",
    "a narrow page": "body { max-width: 25rem !important }",
    "a list in columns": "ol { display: flex }",
    "the wrong colors": ":host { --paper: #000; --ink: #fff } body { background: #000 !important; color: #fff }",
    "a plot without its height": ".plot { block-size: 30rem !important }",
    "no style at all": ":host { all: initial } * { all: revert !important }",
  };
  for (const [name, css] of Object.entries(fonts)) {
    const { picture, boxes } = await changes(css);
    expect.soft(boxes, name).toEqual([]);
    expect.soft(picture, name).toBeLessThan(MOST);
  }
  for (const [name, css] of Object.entries(breaks)) {
    const { picture, boxes } = await changes(css);
    expect.soft(boxes.length > 0 || picture > MOST, `${name}: ${picture.toFixed(3)} ${boxes.join(" ")}`).toBe(true);
  }
});
