import type { Page } from "@playwright/test";
import type { IndexInfo } from "../src/door";
import type { Found } from "../src/protocol";
import { expect, forgetFound, foundBy, open, reach, reachFull, searchFor, test } from "./support/fixtures";
import { nativeSearch, type NativeOptions } from "./support/native";

const query = "a work of art on paper";
const all = 100;

const infoOf = (page: Page): Promise<IndexInfo> =>
  page.evaluate(() => {
    const info = document.querySelector("almanac-search")?.info;
    if (info === null || info === undefined) throw new Error("there is no index");
    return info;
  });

/** Opens the page at an address with the search done in full, asking for the nearest where nothing is close. */
async function openAt(page: Page, origin: Parameters<typeof open>[1], address: string): Promise<Found> {
  await open(page, origin, `?backend=cpu&${address}`);
  await reachFull(page);
  if ((await reach(page, ["results", "no-match"])) === "no-match") {
    await page.getByRole("button", { name: "Show the nearest anyway" }).click();
  }
  return foundBy(page, "full");
}

const cases: { name: string; address: string; native: NativeOptions }[] = [
  { name: "a decade", address: "from=1930&to=1939", native: { from: 1930, to: 1939 } },
  { name: "an open start", address: "to=1700", native: { to: 1700 } },
  { name: "an open end", address: "from=1990", native: { from: 1990 } },
  { name: "years before Christ", address: "from=500+BC&to=1550", native: { from: -499, to: 1550 } },
  { name: "a span inside a vague date", address: "from=1840&to=1842", native: { from: 1840, to: 1842 } },
  { name: "undated records too", address: "from=1990&undated=1", native: { from: 1990, undated: true } },
];

for (const { name, address, native } of cases) {
  test(`${name}: what passes is what the native search lets pass`, async ({ page, server }) => {
    const passing = await nativeSearch(query, { ...native, k: all });
    expect(passing.length).toBeGreaterThan(0);
    const found = await openAt(page, server, `q=${encodeURIComponent(query)}&${address}`);
    expect(found.matching).toBe(passing.length);
    expect(found.documents.map(({ id }) => id)).toEqual(passing.slice(0, 10).map(({ id }) => id));
    await expect(page.locator("almanac-search [part=filters-title]")).toHaveText("Filters (1)");
  });
}

test("a date passes when it overlaps the years, at the edge too", async ({ page, server }) => {
  // "1835-1845" and "19th century" overlap 1845; 1846 meets only the second.
  const ids = async (years: string): Promise<string[]> => {
    const found = await openAt(page, server, `q=${encodeURIComponent("Potpourri")}&${years}`);
    return found.documents.filter(({ date }) => date === "1835-1845").map(({ id }) => id);
  };
  expect(await ids("from=1845&to=1845")).toHaveLength(1);
  expect(await ids("from=1846&to=1846")).toHaveLength(0);
});

test("facets of one label are alternatives, those of two combine with the years", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  await searchFor(page, query);
  const [facet] = (await infoOf(page)).facets;
  if (facet === undefined) throw new Error("the index has no facet");
  const [first, second] = facet.values;
  if (first === undefined || second === undefined) throw new Error("the facet has fewer than two values");
  await page.locator("almanac-search [part=filters-title]").click();
  const group = page.getByRole("group", { name: facet.label });
  const choose = async (value: string): Promise<Found> => {
    await forgetFound(page);
    await group.getByRole("checkbox", { name: value }).check();
    if ((await reach(page, ["results", "no-match"])) === "no-match") await page.getByRole("button", { name: "Show the nearest anyway" }).click();
    return foundBy(page, "full");
  };
  expect((await choose(first.value)).matching).toBe(first.count);
  const both = await choose(second.value);
  expect(both.matching).toBe(first.count + second.count);
  const facets = [first, second].map(({ value }) => ({ label: facet.label, value }));
  expect(both.documents.map(({ id }) => id)).toEqual((await nativeSearch(query, { facets })).map(({ id }) => id));
  await forgetFound(page);
  await page.getByLabel("From year").fill("1950");
  await page.getByLabel("From year").press("Enter");
  const narrowed = await nativeSearch(query, { facets, from: 1950, k: all });
  await expect(page.locator("almanac-search [part=matching]")).toHaveText(`${narrowed.length} record${narrowed.length === 1 ? "" : "s"} pass the filters.`);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.locator("almanac-search [part=filters-title]")).toHaveText("Filters");
});

test("undated records are counted, and pass only where they are let in", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  await reachFull(page);
  const info = await infoOf(page);
  expect(info.documents - info.dated).toBeGreaterThan(0);
  await page.locator("almanac-search [part=filters-title]").click();
  await expect(page.getByText(`Include records without a date (${info.documents - info.dated})`)).toBeVisible();
  const dated = await openAt(page, server, `q=${encodeURIComponent(query)}&from=-9999&to=9999`);
  expect(dated.matching).toBe(info.dated);
  const everything = await openAt(page, server, `q=${encodeURIComponent(query)}&from=-9999&to=9999&undated=1`);
  expect(everything.matching).toBe(info.documents);
});

test("nothing that passes is said to be so, without an offer of the nearest", async ({ page, server }) => {
  await open(page, server, `?backend=cpu&q=${encodeURIComponent(query)}&from=2500`);
  await reachFull(page);
  await reach(page, ["no-match"]);
  await expect(page.getByRole("status").first()).toHaveText("No record passes the filters.");
  await expect(page.getByRole("button", { name: "Show the nearest anyway" })).toBeHidden();
});

test("the address keeps query and filters, and back and forward bring them back", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  await searchFor(page, "oil on canvas");
  expect(new URL(page.url()).searchParams.get("q")).toBe("oil on canvas");
  await page.locator("almanac-search [part=filters-title]").click();
  await page.getByLabel("From year").fill("1900");
  await page.getByLabel("From year").press("Enter");
  await expect(page).toHaveURL(/from=1900/);
  const box = page.getByRole("searchbox");
  await box.fill("silver");
  await box.press("Enter");
  await expect(page).toHaveURL(/q=silver/);
  await page.goBack();
  await expect(box).toHaveValue("oil on canvas");
  await expect(page.getByLabel("From year")).toHaveValue("1900");
  await page.goBack();
  await expect(page.getByLabel("From year")).toHaveValue("");
  await expect(box).toHaveValue("oil on canvas");
  await page.goForward();
  await expect(page.getByLabel("From year")).toHaveValue("1900");
  await page.reload();
  await reachFull(page);
  await expect(box).toHaveValue("oil on canvas");
  await expect(page.locator("almanac-search [part=filters-title]")).toHaveText("Filters (1)");
  expect(new URL(page.url()).searchParams.get("backend")).toBe("cpu");
});

test("a facet in the address that the index does not have is left out with a note", async ({ page, server }) => {
  const found = await openAt(page, server, `q=${encodeURIComponent(query)}&f=department%3AMagic&f=%3Cb%3E&from=soon`);
  expect(found.matching).toBe((await infoOf(page)).documents);
  const notice = page.locator("almanac-search [part=notice]");
  await expect(notice).toContainText("Magic");
  await expect(notice).toContainText("“<b>”");
  await expect(notice).toContainText("“soon”");
  await expect(page.locator("almanac-search [part=filters-title]")).toHaveText("Filters");
});
