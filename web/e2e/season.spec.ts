import type { Page } from "@playwright/test";
import axe from "axe-core";
import type { Found } from "../src/protocol";
import { expect, forgetFound, foundBy, open, pageWith, reach, reachFull, searchFor, test } from "./support/fixtures";
import type { StaticServer } from "./support/server";

const dial = (page: Page) => page.locator("almanac-search [part=dial]");
const group = (page: Page) => page.locator("almanac-search [part=dial-group]");
const titles = ({ documents }: Found): string[] => documents.map(({ title }) => title).sort();

/** Opens the book of the farming year with everything that its twelve months are like. */
async function openYear(page: Page, server: StaticServer, language = "en"): Promise<Found> {
  server.fault = pageWith((html) => html.replace('index="./index/"', 'index="./seasons/" results="20"').replace('<html lang="en">', `<html lang="${language}">`));
  await open(page, server, "?backend=cpu&q=%E7%A8%AE");
  await reachFull(page);
  if ((await reach(page, ["results", "no-match"])) === "no-match") await page.locator("almanac-search [part=nearest]").click();
  return foundBy(page, "full");
}

/** Drags from one day of the year to another, clockwise. */
async function drag(page: Page, first: number, last: number): Promise<void> {
  await dial(page).scrollIntoViewIfNeeded();
  const box = await dial(page).boundingBox();
  if (box === null) throw new Error("the dial is not shown");
  const point = (day: number): [number, number] => {
    const angle = (day / 365.2425) * 2 * Math.PI;
    return [box.x + box.width / 2 + Math.sin(angle) * box.width * 0.3, box.y + box.height / 2 - Math.cos(angle) * box.height * 0.3];
  };
  await page.mouse.move(...point(first));
  await page.mouse.down();
  for (let day = first; day <= last; day += 5) await page.mouse.move(...point(day));
  await page.mouse.move(...point(last));
  await page.mouse.up();
}

test("a collection with lunar months shows a ring of months, and an arc drawn on it is the filter", async ({ page, server }) => {
  const all = await openYear(page, server);
  expect(all.dates.seasonless).toBe(2);
  await expect(group(page)).toHaveAttribute("open", "");
  await expect(group(page)).toContainText("Time of year: 12 results with one");
  await forgetFound(page);
  // From the start of autumn to the start of winter: lunar months seven to nine, and those at their edges.
  await drag(page, 218, 311);
  const autumn = await foundBy(page, "full");
  await expect(page).toHaveURL(/season=08-07\.\.11-06/);
  const wanted = ["七月", "八月", "九月"];
  expect(titles(autumn)).toEqual(expect.arrayContaining(wanted));
  for (const other of ["正月", "三月", "十二月", "論土", "論水"]) expect(titles(autumn)).not.toContain(other);
  await expect(page.getByLabel("From the beginning of")).toHaveValue("term 15");
  await expect(page.getByLabel("To the end of")).toHaveValue("term 20");
  await expect(page.locator("almanac-search [part=filters-title]")).toHaveText("Filters (1)");
  await forgetFound(page);
  await page.goBack();
  expect(titles(await foundBy(page, "full"))).toEqual(titles(all));
});

test("an arc may pass the new year, and a press on a month chooses it", async ({ page, server }) => {
  await openYear(page, server);
  await forgetFound(page);
  await drag(page, 325, 325 + 75);
  expect(titles(await foundBy(page, "full"))).toEqual(expect.arrayContaining(["十一月", "十二月"]));
  await expect(page).toHaveURL(/season=11-22\.\.02-03/);
  await forgetFound(page);
  await dial(page).getByText("Jun", { exact: true }).click();
  expect(titles(await foundBy(page, "full"))).toEqual(expect.arrayContaining(["五月"]));
  await expect(page).toHaveURL(/season=06-01\.\.06-30/);
});

test("two lists do by keys what the pointer does, and All year takes it back", async ({ page, server }) => {
  const all = await openYear(page, server);
  const from = page.getByLabel("From the beginning of");
  await from.focus();
  await forgetFound(page);
  await page.keyboard.type("Start of Spring");
  const spring = await foundBy(page, "full");
  expect(spring.matching).toBeLessThan(5);
  await expect(from).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("To the end of")).toBeFocused();
  await forgetFound(page);
  await page.keyboard.type("May");
  expect((await foundBy(page, "full")).matching).toBeGreaterThan(spring.matching);
  await expect(page).toHaveURL(/season=02-04\.\.05-31/);
  await page.keyboard.press("Tab");
  await forgetFound(page);
  await page.keyboard.press("Enter");
  expect(titles(await foundBy(page, "full"))).toEqual(titles(all));
  await expect(from).toBeFocused();
});

test("in Chinese the 24 solar terms stand around the ring, and axe finds nothing wrong", async ({ page, server }) => {
  await openYear(page, server, "zh-CN");
  await expect(dial(page).locator(".term")).toHaveCount(24);
  await expect(dial(page)).toContainText("立春");
  await expect(page.getByLabel("自", { exact: true })).toBeVisible();
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => (await (globalThis as unknown as { axe: typeof axe }).axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`));
  expect(violations).toEqual([]);
});

test("where hardly anything tells the time of year there is no ring until one is asked for", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  const found = await searchFor(page, "a chair");
  expect((found.ranked - found.dates.seasonless) * 10).toBeLessThan(found.ranked);
  await expect(group(page)).toBeHidden();
  await page.goto(`${page.url()}&season=06-01..06-30`);
  await reachFull(page);
  await reach(page, ["results", "no-match"]);
  await expect(page.locator("almanac-search [part=filters-season]")).toHaveText("Time of year: 1 June to 30 June.");
});

test("a narrow screen holds the ring without scrolling sideways", async ({ page, server }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openYear(page, server);
  await expect(dial(page)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
