import axe from "axe-core";
import type { Page } from "@playwright/test";
import { expect, forgetFound, foundBy, open, reach, reachFull, searchFor, test } from "./support/fixtures";

const query = "a work of art on paper";
const plot = (page: Page) => page.locator("almanac-search [part=timeline-plot]");
const slider = (page: Page, name: string) => page.getByRole("slider", { name });

test("a range drawn on the timeline is the filter, in the inputs and in the address", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  const before = await searchFor(page, query);
  const undated = before.dates.undated;
  await expect(page.locator("almanac-search [part=timeline-undated]")).toHaveText(undated === 0 ? "" : `${undated} results without a date.`);
  await plot(page).scrollIntoViewIfNeeded();
  const box = await plot(page).boundingBox();
  if (box === null) throw new Error("the timeline is not shown");
  await forgetFound(page);
  await page.mouse.move(box.x + box.width * 0.9, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 40, { steps: 5 });
  await page.mouse.up();
  // What lies in the range may be too far from the query to be shown unasked.
  const nearest = page.getByRole("button", { name: "Show the nearest anyway" });
  await page.waitForFunction(() => (globalThis as unknown as { found: unknown }).found !== null || document.querySelector("almanac-search")?.state === "no-match");
  if (await nearest.isVisible()) await nearest.click();
  const after = await foundBy(page, "full");
  expect(after.matching).toBeLessThan(before.matching);
  await expect(page).toHaveURL(/from=\d+&to=\d+/);
  const { from, to } = Object.fromEntries(new URL(page.url()).searchParams);
  await expect(slider(page, "First year")).toHaveAttribute("aria-valuetext", from ?? "");
  await page.locator("almanac-search [part=filters-title]").click();
  await expect(page.getByLabel("From year")).toHaveValue(from ?? "");
  await expect(page.getByLabel("To year")).toHaveValue(to ?? "");
  await page.getByLabel("To year").fill("");
  await page.getByLabel("To year").press("Enter");
  await expect(slider(page, "Last year")).toHaveAttribute("aria-valuetext", /not limited/);
});

test("the timeline is operated by keys alone, and axe finds nothing wrong with it", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  await searchFor(page, query);
  await slider(page, "First year").focus();
  await forgetFound(page);
  await page.keyboard.press("PageUp");
  await page.keyboard.press("ArrowRight");
  const found = await foundBy(page, "full");
  expect(found.matching).toBeGreaterThan(0);
  await expect(slider(page, "First year")).toBeFocused();
  const year = await slider(page, "First year").getAttribute("aria-valuetext");
  await expect(page).toHaveURL(new RegExp(`from=${year}`));
  await page.getByRole("button", { name: "Closer" }).press("Enter");
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => (await (globalThis as unknown as { axe: typeof axe }).axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`));
  expect(violations).toEqual([]);
});

test("years before Christ are said and read as such", async ({ page, server }) => {
  await open(page, server, `?backend=cpu&q=${encodeURIComponent(query)}&from=-499`);
  await reachFull(page);
  await foundBy(page, "full");
  await expect(slider(page, "First year")).toHaveAttribute("aria-valuetext", "500 BC");
  await expect(slider(page, "First year")).toHaveAttribute("aria-valuenow", "-499");
  await expect(page.locator("almanac-search .tick").filter({ hasText: /\b0\b/ })).toHaveCount(0);
});

test("filters without a query browse the collection, more at a time, and announce it", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  await reach(page, ["ready"]);
  await page.locator("almanac-search [part=filters-title]").click();
  await page.getByLabel("From year").fill("1850");
  await page.getByLabel("From year").press("Enter");
  await reach(page, ["results"]);
  const status = page.locator("almanac-search [part=status]");
  await expect(status).toHaveText(/records pass the filters; 10 results shown/);
  const titles = page.locator("almanac-search [data-title]");
  await expect(titles).toHaveCount(10);
  await page.getByRole("button", { name: /^More results/ }).press("Enter");
  await expect(titles).toHaveCount(20);
  await expect(status).toHaveText(/20 results shown/);
  await expect(titles.nth(10)).toBeFocused();
});

test("a narrow screen holds the timeline without scrolling sideways", async ({ page, server }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await open(page, server, "?backend=cpu");
  await searchFor(page, query);
  await expect(plot(page)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
