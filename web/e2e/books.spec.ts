import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { isoDay } from "../src/text/days";
import { expect, forgetFound, foundBy, open, searchFor, SUB_PATH, test } from "./support/fixtures";
import { type NativeHit, runNative } from "./support/native";
import { classicalModel, repository, scratch, site } from "./support/paths";

const shelf = join(repository, "collections", "nongshu");
const folder = join(scratch, "books");
const passages = join(scratch, "books.jsonl");

/** The two oldest books whole, of the others what quotes one of them, and a passage now and then. */
async function cutBooks(): Promise<string[]> {
  const lines = gunzipSync(await readFile(join(shelf, "objects.jsonl.gz")))
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
  return lines.filter((line, at) => at < 126 || at % 50 === 0 || line.includes("勝之書"));
}

test.beforeAll(async () => {
  test.setTimeout(300_000);
  const lines = await cutBooks();
  expect(lines.length).toBeGreaterThan(250);
  await writeFile(passages, lines.map((line) => `${line}\n`).join(""));
  const config = join(shelf, "collection.toml");
  await runNative("almanac-index", ["build", "--input", passages, "--config", config, "--model", classicalModel, "--out", folder]);
});

test.beforeEach(({ server }) => {
  server.remount({ [`${SUB_PATH}index/`]: folder, [`${SUB_PATH}model/`]: classicalModel, [SUB_PATH]: site });
});

/** The documents that the native search finds, best first. */
async function native(query: string, ...more: string[]): Promise<string[]> {
  const asked = ["--model", classicalModel, "--json", "-k", "10", "--anchor", isoDay(new Date()), ...more];
  const output = await runNative("almanac-index", ["search", folder, query, ...asked]);
  const lines = output.split("\n").filter((line) => line !== "");
  return lines.map((line) => (JSON.parse(line) as NativeHit).id);
}

test("a question in modern Chinese finds the books' passages as the native search does, in both scripts", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  for (const query of ["天旱的时候怎样耕地才能不伤庄稼", "豆子什么时候收割最好", "如何防止旱灾"]) {
    const found = await searchFor(page, query);
    expect(found.documents.length).toBeGreaterThan(0);
    expect(found.documents.map(({ id }) => id), query).toEqual(await native(query));
  }
  const results = page.locator("almanac-search [part=results]");
  await expect(results).toContainText("旱");
  await results.locator("[part=explanation] summary").first().click();
  await expect(results.locator("[part=explanation]").first()).toContainText("简体");
});

test("words alone find what the question means in the language of the books", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  const query = "看得见他的外表";
  const found = await searchFor(page, query);
  expect(found.by.words).toBe(true);
  expect(found.documents.map(({ id }) => id)).toEqual(await native(query));
});

test("one press leads from a method to its like in other books", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  const before = await searchFor(page, "商汤的时候有旱灾，伊尹教百姓作区田");
  await forgetFound(page);
  await page.locator("almanac-search [part=more-like]").first().click();
  const like = await foundBy(page, "full");
  expect(like.documents.map(({ id }) => id)).not.toContain(before.documents[0]?.id);
  const books = new Set(like.documents.map(({ id }) => id.split("-")[0]));
  expect(books.size).toBeGreaterThan(1);
});
