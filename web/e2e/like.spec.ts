import type { Page } from "@playwright/test";
import type { Found } from "../src/protocol";
import { expect, forgetFound, foundBy, holdBack, open, pageWith, reach, reachFull, searchFor, test } from "./support/fixtures";

const query = "a work of art on paper";
const heading = (page: Page) => page.locator("almanac-search [part=like-chip]");
const buttons = (page: Page) => page.locator("almanac-search [part=more-like]");
const ids = ({ documents }: Found): string[] => documents.map(({ id }) => id);

/** Asks for the like of the result at a place, and gives its title and what is found. */
async function like(page: Page, at: number): Promise<{ title: string; found: Found }> {
  const title = (await page.locator("almanac-search [data-title]").nth(at).textContent()) ?? "";
  await forgetFound(page);
  await buttons(page).nth(at).click();
  return { title, found: await foundBy(page, "full") };
}

test("one press shows what is like a result, under its name, and history and Remove lead back", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  const before = await searchFor(page, query);
  const { title, found } = await like(page, 1);
  await expect(heading(page)).toHaveText(`Like: ${title}`);
  await expect(heading(page)).toBeFocused();
  await expect(page.locator("almanac-search #status")).toHaveText(/^10 results most like it in meaning/);
  expect(ids(found)).not.toContain(before.documents[1]?.id);
  expect(found.by).toEqual({ meaning: true, words: false, time: false });
  const cosines = found.documents.map(({ cosine }) => cosine ?? -1);
  expect(cosines).toEqual([...cosines].sort((a, b) => b - a));
  await expect(page).toHaveURL(/[?&]like=\d+%3A/);

  await forgetFound(page);
  await page.goBack();
  expect(ids(await foundBy(page, "full"))).toEqual(ids(before));
  await expect(heading(page)).toBeHidden();
  await forgetFound(page);
  await page.goForward();
  expect(ids(await foundBy(page, "full"))).toEqual(ids(found));
  await expect(heading(page)).toHaveText(`Like: ${title}`);
  await forgetFound(page);
  await page.getByRole("button", { name: "Remove" }).click();
  expect(ids(await foundBy(page, "full"))).toEqual(ids(before));
  await expect(page).not.toHaveURL(/like=/);
});

test("the address alone brings it back, and one of another collection is told", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  await searchFor(page, query);
  const { title, found } = await like(page, 0);
  await page.reload();
  await reachFull(page);
  expect(ids(await foundBy(page, "full"))).toEqual(ids(found));
  await expect(heading(page)).toHaveText(`Like: ${title}`);
  await page.goto(page.url().replace(/like=\d+%3A[^&]*/, "like=3%3Anothing"));
  await expect(page.locator("almanac-search [part=notice]")).toContainText("records like “nothing”, which this collection does not have");
  await expect(heading(page)).toBeHidden();
});

test("filters hold for what is like a result, and more of it can be shown", async ({ page, server }) => {
  await open(page, server, "?backend=cpu&from=1900");
  await searchFor(page, query);
  const all = await like(page, 0);
  expect(all.found.matching).toBeLessThan(62);
  const { from } = Object.fromEntries(new URL(page.url()).searchParams);
  expect(from).toBe("1900");
  await expect(page.locator("almanac-search #status")).toHaveText(/the filters let \d+ records pass/);
  const titles = page.locator("almanac-search [data-title]");
  await page.getByRole("button", { name: /^More results/ }).press("Enter");
  await expect(titles).toHaveCount(20);
});

test("by keys alone: Tab to the button, Enter, and on from the heading", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  await searchFor(page, query);
  const focused = (): Promise<string> =>
    page.evaluate(() => document.querySelector("almanac-search")?.shadowRoot?.activeElement?.getAttribute("part") ?? "");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("more-like");
  await forgetFound(page);
  await page.keyboard.press("Enter");
  await foundBy(page, "full");
  expect(await focused()).toBe("like-chip");
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("like-remove");
  await page.keyboard.press("Enter");
  await expect(heading(page)).toBeHidden();
  expect(await focused()).toBe("input");
});

test("before the vectors are there the button says why it does nothing, and works once they are", async ({ page, server }) => {
  const { fault, release } = holdBack(/\/model\/(?!card)/);
  server.fault = fault;
  await open(page, server, "?backend=cpu");
  await reach(page, ["ready"]);
  await page.getByRole("searchbox").fill("paper");
  await foundBy(page, "words");
  const reason = "“More like this” compares meaning, which is not loaded yet.";
  await expect(page.getByText(reason)).toBeVisible();
  await expect(buttons(page).first()).toHaveAccessibleDescription(reason);
  await expect(buttons(page).first()).toHaveAttribute("aria-disabled", "true");
  await buttons(page).first().click({ force: true });
  await expect(heading(page)).toBeHidden();
  release();
  await foundBy(page, "full");
  await expect(page.getByText(reason)).toBeHidden();
  await like(page, 0);
  await expect(heading(page)).toBeVisible();
});

test("without a network it works as it does with one", async ({ page, server, context }) => {
  await open(page, server, "?backend=cpu");
  await searchFor(page, query);
  await page.getByRole("button", { name: /^Keep for offline use/ }).click();
  await expect(page.locator("almanac-search [part=kept]")).toHaveText(/^Kept on this device/);
  await context.setOffline(true);
  const { title } = await like(page, 2);
  await expect(heading(page)).toHaveText(`Like: ${title}`);
});

test("in Chinese it is said in Chinese", async ({ page, server }) => {
  server.fault = pageWith((html) => html.replace('<html lang="en">', '<html lang="zh-CN">'));
  await open(page, server, `?backend=cpu&q=${encodeURIComponent(query)}`);
  await reachFull(page);
  await foundBy(page, "full");
  await expect(buttons(page).first()).toContainText("更多类似");
  const { title } = await like(page, 0);
  await expect(heading(page)).toHaveText(`类似：${title}`);
  await expect(page.getByRole("button", { name: "取消" })).toBeVisible();
});
