import type { Page } from "@playwright/test";
import axe from "axe-core";
import { expect, open, pageWith, test } from "./support/fixtures";
import { nativeTokens, nativeVectors } from "./support/native";
import type { StaticServer } from "./support/server";

const query = "works on paper from the 1970s";
const lesson = (page: Page) => page.locator("almanac-lesson");
const title = (page: Page) => lesson(page).locator("[part=step-title]");
const step = (page: Page) => lesson(page).locator("[part=step]");
const ranked = (page: Page): Promise<string[]> => lesson(page).locator("[data-record]").allTextContents();

/** Opens the lesson at a step and waits until it has its numbers. */
async function openLesson(page: Page, server: StaticServer, at: number, asked = query): Promise<void> {
  await open(page, server, `?backend=cpu&demo=${at}&q=${encodeURIComponent(asked)}`);
  await expect(lesson(page).locator("[part=status]")).toHaveText("", { timeout: 60_000 });
  await expect(title(page)).not.toHaveText("");
}

test("the walk goes forth and back by keys alone, and the address keeps the step", async ({ page, server }) => {
  await openLesson(page, server, 1);
  await expect(title(page)).toHaveText("What is asked");
  const next = page.getByRole("button", { name: "Next" });
  await next.focus();
  for (const wanted of ["The question as a vector", "Nearness in meaning", "Nearness in time", "One score"]) {
    await next.focus();
    await page.keyboard.press("Enter");
    await expect(title(page)).toHaveText(wanted);
    await expect(title(page)).toBeFocused();
  }
  await expect(page).toHaveURL(/demo=5/);
  await expect(next).toHaveAttribute("aria-disabled", "true");
  await page.getByRole("button", { name: "Previous" }).press("Enter");
  await expect(title(page)).toHaveText("Nearness in time");
  await page.reload();
  await expect(title(page)).toHaveText("Nearness in time");
});

test("tokens and vector are those of the native encoder", async ({ page, server }) => {
  await openLesson(page, server, 1);
  const [ids] = await nativeTokens(["works on paper"]);
  await expect(step(page).locator(".token")).toHaveCount(ids?.length ?? 0);
  await expect(step(page)).toContainText("1970s → 1970 to 1979");
  await expect(step(page).locator(".token").nth(1)).toHaveText("works");
  await page.getByRole("button", { name: "Next" }).click();
  const [vector = []] = await nativeVectors(["works on paper"], "integers");
  await expect(step(page)).toContainText(`${vector.length} numbers, from ${Math.min(...vector).toFixed(3)} to ${Math.max(...vector).toFixed(3)}`);
  await expect(step(page)).toContainText("is 1.000");
});

test("the products add up to the cosine that the search ranks by, for every record", async ({ page, server }) => {
  await openLesson(page, server, 3);
  const options = await lesson(page).getByLabel("Record").locator("option").allTextContents();
  expect(options.length).toBe(6);
  for (const at of options.keys()) {
    await lesson(page).getByLabel("Record").selectOption({ index: at });
    const said = (await step(page).textContent()) ?? "";
    const [, sum, cosine] = /products is (-?[\d.]+), and the cosine that the search ranks by is (-?[\d.]+)/.exec(said) ?? [];
    expect(Math.abs(Number(sum) - Number(cosine))).toBeLessThan(0.01);
  }
});

test("times are drawn as curves with what they have in common, and scored as the search scores them", async ({ page, server }) => {
  await openLesson(page, server, 4);
  await expect(step(page).locator(".curves path")).toHaveCount(3);
  await expect(step(page)).toContainText(/Shaded is the area under both: \d+ %/);
  await expect(step(page)).toContainText(/all of it does: 1\.000|a part does: 0\.[5-9]/);
  await openLesson(page, server, 4, "works on paper");
  await expect(step(page)).toContainText("names no time");
});

test("the slider ranks the list anew: time alone puts its decade first, meaning alone does not ask", async ({ page, server }) => {
  await openLesson(page, server, 5);
  const slider = page.getByRole("slider", { name: /Weight of time/ });
  const before = await ranked(page);
  await slider.focus();
  await page.keyboard.press("End");
  await expect(page.getByText("Weight of time, α = 1.00")).toBeVisible();
  await expect(lesson(page).locator(".parts").first()).toContainText("Meaning 0.000");
  const byTime = await ranked(page);
  await expect(lesson(page).locator(".parts").first()).toContainText("1.000 =");
  await page.keyboard.press("Home");
  await expect(lesson(page).locator(".parts").first()).toContainText("Time 0.000");
  const byMeaning = await ranked(page);
  expect(byMeaning).not.toEqual(byTime);
  await expect(slider).toBeFocused();
  expect(before.length).toBe(6);
});

test("another question is taken apart in turn, and one without a time says so", async ({ page, server }) => {
  await openLesson(page, server, 5);
  await page.getByLabel("A question to look into").fill("a chair");
  await page.getByRole("button", { name: "Take apart" }).click();
  await expect(lesson(page)).toContainText("so α plays no part");
  await expect(page.getByRole("slider")).toBeDisabled();
  await page.getByRole("link", { name: "Back to the search" }).click();
  await expect(page.getByRole("searchbox", { name: "Search the collection" })).toBeVisible();
  await expect(lesson(page)).toHaveCount(0);
});

test("in Chinese every step is in Chinese", async ({ page, server }) => {
  server.fault = pageWith((html) => html.replace('<html lang="en">', '<html lang="zh-CN">'));
  await openLesson(page, server, 1);
  await expect(title(page)).toHaveText("问的是什么");
  for (const wanted of ["把问题变成向量", "意思有多近", "年代有多近", "合成一个分数"]) {
    await page.getByRole("button", { name: "下一步" }).click();
    await expect(title(page)).toHaveText(wanted);
  }
});

for (const scheme of ["light", "dark"] as const) {
  test(`axe finds nothing wrong in any step in ${scheme} colors, and nothing scrolls sideways at 320 pixels`, async ({ page, server }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width: 320, height: 640 });
    await openLesson(page, server, 1);
    await page.evaluate(axe.source);
    for (let at = 1; at <= 5; at += 1) {
      const violations = await page.evaluate(async () => (await (globalThis as unknown as { axe: typeof axe }).axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`));
      expect(violations, `step ${at}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `step ${at}`).toBeLessThanOrEqual(320);
      if (at < 5) await page.getByRole("button", { name: "Next" }).click();
    }
  });
}
