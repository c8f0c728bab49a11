import type { Page } from "@playwright/test";
import axe from "axe-core";
import { damage, expect, FAILED_FILE, holdBack, open, pageWith, reach, reachFull, searchFor, test } from "./support/fixtures";
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
  server.fault = pageWith((html) => html.replace(" autoload", ""));
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
  await reachFull(page);
  await page.getByRole("searchbox").fill("xxxxxxxxxxxx");
  await reach(page, ["no-match"]);
}

/** Opens the page while the model is still on its way, with results by words. */
async function openWords(page: Page, server: StaticServer): Promise<void> {
  // Never released: the test ends first.
  server.fault = holdBack(/\/model\/(?!card)/).fault;
  await open(page, server, "?backend=cpu");
  await reach(page, ["ready"]);
  await page.getByRole("searchbox").fill("oil on canvas");
  await reach(page, ["results"]);
}

/** Opens the page where data is saved, so that the model is offered with its size. */
async function openOffered(page: Page, server: StaticServer): Promise<void> {
  server.fault = pageWith((html) => html.replace(" autoload", " autoload words-only"));
  await open(page, server, "?backend=cpu");
  await reach(page, ["ready"]);
  await expect(page.getByRole("button", { name: /Search by meaning too/ })).toBeVisible();
}

/** Opens the page with a date read, a date refused, the filters open, a year that is none, and an explanation. */
async function openFiltered(page: Page, server: StaticServer): Promise<void> {
  await open(page, server, "?backend=cpu&from=1800&to=1990");
  await searchFor(page, "paper of the 1850s, 雍正二十三年");
  await expect(page.locator("almanac-search [part=date-chip]")).toHaveCount(1);
  await expect(page.locator("almanac-search [part=refusal]")).toHaveCount(1);
  await page.locator("almanac-search [part=filters-title]").click();
  await page.getByLabel("From year").fill("soon");
  await page.getByLabel("From year").press("Enter");
  await expect(page.getByText("“soon” is no year")).toBeVisible();
  await page.getByText("Why this result").first().click();
}

/** Opens the page in Chinese, with results. */
async function openChinese(page: Page, server: StaticServer): Promise<void> {
  server.fault = pageWith((html) => html.replace('<html lang="en">', '<html lang="zh-CN">'));
  await open(page, server, "?backend=cpu&q=oil+on+canvas&from=1900");
  await reachFull(page);
  await reach(page, ["results"]);
  await page.locator("almanac-search [part=filters-title]").click();
}

/** Opens the page while its index is on the way. */
async function openLoading(page: Page, server: StaticServer): Promise<void> {
  // Never released: the test ends first.
  server.fault = holdBack(/\/index\/(?!manifest)/).fault;
  await open(page, server, "?backend=cpu");
  await reach(page, ["loading"]);
  await expect(page.getByRole("progressbar")).toBeVisible();
}

/** Opens the page, keeps all of it, and loads it again without a network. */
async function openOffline(page: Page, server: StaticServer): Promise<void> {
  await open(page, server, "?backend=cpu");
  await searchFor(page, query);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.getByRole("button", { name: /^Keep for offline use/ }).click();
  await expect(page.locator("almanac-search [part=kept]")).toHaveText(/^Kept on this device/);
  await page.context().setOffline(true);
  await page.reload();
  await searchFor(page, query);
}

/** Opens the page with a range half drawn on the timeline. */
async function openBrushing(page: Page, server: StaticServer): Promise<void> {
  await open(page, server, "?backend=cpu");
  await searchFor(page, "a work of art on paper");
  const plot = page.locator("almanac-search [part=timeline-plot]");
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  if (box === null) throw new Error("the timeline is not shown");
  await page.mouse.move(box.x + box.width * 0.8, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 4 });
  await expect(page.locator("almanac-search .range")).toBeVisible();
}

/** Opens the page with what is like a result. */
async function openLike(page: Page, server: StaticServer): Promise<void> {
  await open(page, server, "?backend=cpu");
  await searchFor(page, query);
  await page.locator("almanac-search [part=more-like]").first().click();
  await expect(page.locator("almanac-search [part=like-chip]")).toBeFocused();
  await reach(page, ["results"]);
}

/** Opens a book of the farming year with its ring of months and an arc on it. */
async function openDial(page: Page, server: StaticServer): Promise<void> {
  server.fault = pageWith((html) => html.replace('index="./index/"', 'index="./seasons/"'));
  await open(page, server, "?backend=cpu&q=%E7%A8%AE&season=02-04..05-04");
  await reachFull(page);
  if ((await reach(page, ["results", "no-match"])) === "no-match") await page.locator("almanac-search [part=nearest]").click();
  await expect(page.locator("almanac-search [part=dial]")).toBeVisible();
}

/** Opens the lesson at its last step. */
async function openLesson(page: Page, server: StaticServer): Promise<void> {
  await open(page, server, "?backend=cpu&demo=5&q=paper+of+the+1970s");
  await expect(page.locator("almanac-lesson [data-record]").first()).toBeVisible();
}

const states = {
  idle: openIdle,
  loading: openLoading,
  results: openResults,
  "no match": openNoMatch,
  failed: openFailed,
  "results by words": openWords,
  "model offered": openOffered,
  "dates and filters": openFiltered,
  "in Chinese": openChinese,
  offline: openOffline,
  "a range being drawn": openBrushing,
  "more like this": openLike,
  "the dial of the year": openDial,
  lesson: openLesson,
};

/** Without a network the browser itself notes each attempt to use it. */
function saidIn(state: string): RegExp[] {
  return state === "offline" ? [FAILED_FILE] : [];
}

for (const scheme of ["light", "dark"] as const) {
  test.describe(`in ${scheme} colors`, () => {
    test.use({ colorScheme: scheme });
    for (const [name, reachState] of Object.entries(states)) {
      test.describe(name, () => {
        test.use({ allowedConsole: saidIn(name) });
        test(`axe finds nothing wrong in the state "${name}"`, async ({ page, server }) => {
          await reachState(page, server);
          expect(await violations(page)).toEqual([]);
        });
      });
    }
  });
}

test.describe("on a screen of 320 pixels", () => {
  test.use({ viewport: { width: 320, height: 600 } });
  for (const [name, reachState] of Object.entries(states)) {
    test.describe(name, () => {
      test.use({ allowedConsole: saidIn(name) });
      test(`nothing scrolls sideways in the state "${name}"`, async ({ page, server }) => {
        await reachState(page, server);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      });
    });
  }
});

test.describe("zoomed to 200 %", () => {
  // What a window of 1280 by 720 pixels shows at twice the size.
  test.use({ viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 });
  for (const name of ["results", "dates and filters", "the dial of the year", "lesson"] as const) {
    test(`nothing is cut off or scrolls sideways in the state "${name}"`, async ({ page, server }) => {
      await states[name](page, server);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(640);
      const beyond = await page.evaluate(() => {
        const root = document.querySelector("almanac-search")?.shadowRoot;
        const shown = [...(root?.querySelectorAll<HTMLElement>("button, input, a, summary, h3, p") ?? [])].filter((node) => node.getClientRects().length > 0 && !node.classList.contains("hidden-text"));
        return shown.filter((node) => node.getBoundingClientRect().right > innerWidth + 1).map((node) => node.textContent);
      });
      expect(beyond).toEqual([]);
    });
  }
});

test("for visitors who want less motion nothing moves", async ({ page, server }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openLike(page, server);
  const moving = await page.evaluate(() => {
    const root = document.querySelector("almanac-search")?.shadowRoot;
    const styled = [document.documentElement, ...(root?.querySelectorAll("*") ?? [])].map((node) => getComputedStyle(node));
    const lasting = styled.filter(({ transitionDuration, animationName }) => transitionDuration !== "0s" || animationName !== "none");
    return { lasting: lasting.length, smooth: styled.filter(({ scrollBehavior }) => scrollBehavior === "smooth").length, running: document.getAnimations().length };
  });
  expect(moving).toEqual({ lasting: 0, smooth: 0, running: 0 });
});

test("a visitor with only a keyboard can search, read, open the explanation and begin again", async ({ page, server }) => {
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const inner = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
      return inner?.getAttribute("part") ?? inner?.tagName.toLowerCase() ?? "";
    });
  await open(page, server, "?backend=cpu");
  await reachFull(page);
  await page.keyboard.press("/");
  expect(await focused()).toBe("input");
  await page.keyboard.type("portrait of a woman / oil on canvas");
  await page.keyboard.press("Enter");
  if ((await reach(page, ["results", "no-match"])) === "no-match") {
    for (const stop of ["button", "filters-title", "nearest"]) {
      await page.keyboard.press("Tab");
      expect(await focused()).toBe(stop);
    }
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
  await expect(page.getByText("Similarity of meaning (cosine)").first()).toBeVisible();
  await page.keyboard.press("Escape");
  expect(await focused()).toBe("input");
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await reach(page, ["ready"]);
});

test("a visitor with only a keyboard can drop the dates, set years, choose a facet and clear all", async ({ page, server }) => {
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const inner = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
      return inner?.getAttribute("part") ?? (inner?.id || inner?.getAttribute("type")) ?? inner?.tagName.toLowerCase() ?? "";
    });
  const tabTo = async (stop: string): Promise<void> => {
    await page.keyboard.press("Tab");
    expect(await focused()).toBe(stop);
  };
  await open(page, server, "?backend=cpu");
  await searchFor(page, "paper of the 1970s");
  await tabTo("button");
  await tabTo("dates-switch");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Dates are searched for as plain words.")).toBeVisible();
  expect(await focused()).toBe("dates-switch");
  await page.keyboard.press("Enter");
  await expect(page.locator("almanac-search [part=date-chip]")).toBeVisible();
  await tabTo("filters-title");
  await page.keyboard.press("Enter");
  await tabTo("year");
  await page.keyboard.type("1900");
  await tabTo("year");
  await page.keyboard.type("1999");
  await tabTo("checkbox");
  await tabTo("checkbox");
  await page.keyboard.press("Space");
  await expect(page.locator("almanac-search [part=filters-title]")).toHaveText("Filters (2)");
  await expect(page.locator("almanac-search [part=matching]")).toHaveText(/pass the filters\.$/);
  for (let step = 0; step < 80 && (await focused()) !== "clear"; step += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.locator("almanac-search [part=filters-title]")).toHaveText("Filters");
  expect(await focused()).toBe("filters-title");
});

for (const direction of ["rtl", "ltr"]) {
  test(`written ${direction}, nothing scrolls sideways and the bars begin at the start`, async ({ page, server }) => {
    server.fault = pageWith((html) => html.replace('<html lang="en">', `<html lang="en" dir="${direction}">`));
    await open(page, server, "?backend=cpu");
    await searchFor(page, query);
    await page.getByText("Why this result").first().click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    const [row, bar] = [page.locator("almanac-search .shares > div").first(), page.locator("almanac-search .shares .share").first()];
    const [rowBox, barBox] = [await row.boundingBox(), await bar.boundingBox()];
    if (rowBox === null || barBox === null) throw new Error("there are no bars");
    const middle = barBox.x + barBox.width / 2;
    const label = await row.locator("dt").boundingBox();
    expect((label?.x ?? 0) < middle).toBe(direction === "ltr");
  });
}

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

test("a page's own colors, faces and styles of parts win over the element's", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  await searchFor(page, query);
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("almanac-search { --almanac-accent: rgb(0, 90, 60); --almanac-serif: monospace } almanac-search::part(result) { border-block-start-width: 7px } almanac-search::part(more-like) { text-transform: uppercase }");
    document.adoptedStyleSheets = [sheet];
  });
  const root = page.locator("almanac-search");
  await expect(root.locator("[part=button]")).toHaveCSS("background-color", "rgb(0, 90, 60)");
  await expect(root.locator("[part=title]").first()).toHaveCSS("font-family", "monospace");
  await expect(root.locator("[part=result]").first()).toHaveCSS("border-block-start-width", "7px");
  await expect(root.locator("[part=more-like]").first()).toHaveCSS("text-transform", "uppercase");
});
