import { expect, open, pageWith, reach, reachFull, searchFor, test } from "./support/fixtures";
import { nativeSearch } from "./support/native";

const query = "furniture and silver of the 1850s";

test("a date in the query is shown as it was read, and each result says how its own lies to it", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  const found = await searchFor(page, query);
  await expect(page.locator("almanac-search [part=date-chip]")).toHaveText([/1850s → 1850 to 1859/]);
  expect(found.by.time).toBe(true);
  expect(found.understood.meaning_text).not.toContain("1850");
  const lines = await page.locator("almanac-search [part=time]").allTextContents();
  expect(lines).toHaveLength(10);
  const wording = { inside: /: within 1850 to 1859$/, overlaps: /: overlaps 1850 to 1859$/, outside: /: outside 1850 to 1859$/, unknown: /^no date known$/ };
  for (const [at, { time }] of found.documents.entries()) expect(lines[at]).toMatch(wording[time?.relation ?? "unknown"]);
  expect(new Set(found.documents.map(({ time }) => time?.relation)).size).toBeGreaterThan(1);
});

test("the reading can be dropped and brought back, each as the native search ranks", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  const ids = (documents: readonly { id: string }[]): string[] => documents.map(({ id }) => id);
  const read = await searchFor(page, query);
  expect(ids(read.documents)).toEqual(ids(await nativeSearch(query)));
  const again = async (): Promise<string[]> => {
    await reach(page, ["results"]);
    return ids(await page.evaluate(() => (globalThis as unknown as { found: { documents: { id: string }[] } }).found.documents));
  };
  await page.getByRole("button", { name: "Search for the words instead" }).click();
  await expect(page.getByText("Dates are searched for as plain words.")).toBeVisible();
  expect(await again()).toEqual(ids(await nativeSearch(query, { time: false })));
  await expect(page.locator("almanac-search [part=date-chip]")).toHaveCount(0);
  await page.getByRole("button", { name: "Read them as dates" }).click();
  await expect(page.locator("almanac-search [part=date-chip]")).toHaveCount(1);
  expect(await again()).toEqual(ids(read.documents));
});

test("a date that never was is told with the reason, and the search goes on", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  const found = await searchFor(page, "雍正二十三年 porcelain");
  expect(found.understood.refusals).toHaveLength(1);
  await expect(page.locator("almanac-search [part=refusal]")).toContainText("雍正二十三年");
  await expect(page.locator("almanac-search [part=refusal]")).toContainText(found.understood.refusals[0]?.reason ?? "no reason");
});

test("a query of nothing but a date is answered without the model's help", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  const found = await searchFor(page, "1933");
  expect(found.understood.meaning_text).toBe("");
  expect(found.backend).toBeNull();
  expect(found.documents[0]?.time).toMatchObject({ relation: "inside" });
  expect(found.documents.map(({ id }) => id)).toEqual((await nativeSearch("1933")).map(({ id }) => id));
});

test("words of the query are marked in the passages, and shares add up to the score", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  const found = await searchFor(page, "a drawing on paper from before 1900");
  expect(found.documents.some(({ words }) => words.includes("paper"))).toBe(true);
  const items = page.locator("almanac-search [part=result]");
  const marked = new Set<string>();
  for (const [at, { words }] of found.documents.entries()) {
    for (const text of await items.nth(at).locator("mark").allTextContents()) {
      // A plural is marked with its singular.
      expect(words.some((word) => [word, `${word}s`].includes(text.toLowerCase())), `${text} in passage ${at}`).toBe(true);
      marked.add(text.toLowerCase());
    }
  }
  expect([...marked]).toContain("paper");
  for (const { score, shares, exact } of found.documents) {
    if (!exact) expect(Math.abs(shares.meaning + shares.words + shares.time - score)).toBeLessThan(1e-6);
  }
});

test.describe("in Chinese", () => {
  test("the interface, its readings and its counts are Chinese", async ({ page, server }) => {
    server.fault = pageWith((html) => html.replace("<almanac-search ", '<almanac-search lang="zh-Hans" '));
    await open(page, server, "?backend=cpu");
    await reachFull(page);
    await page.getByRole("searchbox", { name: "检索馆藏" }).fill("furniture of the 1850s");
    await page.getByRole("button", { name: "检索", exact: true }).click();
    await reach(page, ["results", "no-match"]);
    await expect(page.locator("almanac-search [part=date-chip]")).toContainText("1850年至1859年");
    await expect(page.getByRole("button", { name: "改为检索字面" })).toBeVisible();
    await expect(page.locator("almanac-search [part=filters-title]")).toHaveText("筛选");
    await expect(page.locator("almanac-search #status")).toContainText(/条结果|没有接近的结果/);
  });

  test("a site's own sentences are taken, and a key that does not exist is refused by name", async ({ page, server }) => {
    const strings: Record<string, string> = { "/good.json": '{"box.search": "Chercher"}', "/bad.json": '{"box.serch": "Chercher"}' };
    // A page that is kept would not change from one visit to the next.
    const withFile = (file: string) => pageWith((html) => html.replace(' offline="./sw.js"', "").replace("<almanac-search ", `<almanac-search strings=".${file}" `));
    const serve = (file: string): void => {
      const html = withFile(file);
      server.fault = (path, served) => {
        const own = Object.entries(strings).find(([name]) => path.endsWith(name));
        return own === undefined ? html(path, served) : { status: 200, type: "application/json", body: Buffer.from(own[1]) };
      };
    };
    serve("/good.json");
    await open(page, server, "?backend=cpu");
    await expect(page.getByRole("button", { name: "Chercher" })).toBeVisible();
    await expect(page.getByRole("searchbox", { name: "Search the collection" })).toBeVisible();
    serve("/bad.json");
    // The page itself may come from the cache.
    await open(page, server, "?backend=cpu&again=1");
    await expect(page.locator("almanac-search [part=notice]")).toContainText('bad.json: unknown keys: "box.serch"');
    await expect(page.getByRole("button", { name: "Search", exact: true })).toBeVisible();
  });
});
