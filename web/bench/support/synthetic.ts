import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { runNative } from "../../e2e/support/native";
import { modelFolder, repository } from "../../e2e/support/paths";
import { randomFrom } from "../../e2e/support/strings";

/**
 * The folder of an index of `count` passages, built the first time and then brought up to date.
 *
 * Each passage is two words from the titles of the shipped collection: the scan's
 * time depends on how many vectors there are, not on what they say, and short
 * passages are quickly embedded.
 */
export async function indexOf(count: number): Promise<string> {
  const folder = join(process.env.ALMANAC_CACHE || join(homedir(), ".cache", "almanac"), "bench", `scan-${count}`);
  const index = join(folder, "index");
  mkdirSync(folder, { recursive: true });
  const rows = join(folder, "rows.jsonl");
  writeFileSync(rows, wordPairs(count).map((title, id) => `${JSON.stringify({ id: `${id}`, title })}\n`).join(""));
  await runNative("almanac-index", ["build", "--input", rows, "--id", "id", "--text", "title", "--model", modelFolder(), "--out", index]);
  return index;
}

function wordPairs(count: number): string[] {
  const lines = gunzipSync(readFileSync(join(repository, "collections", "cmoa", "objects.jsonl.gz"))).toString("utf8").split("\n");
  const titles = lines.filter((line) => line !== "").map((line) => (JSON.parse(line) as { title?: string }).title ?? "");
  const words = [...new Set(titles.flatMap((title) => title.toLowerCase().match(/\b[a-z]{3,9}\b/g) ?? []))];
  const random = randomFrom(1);
  const pairs = new Set<string>();
  const word = (): string => words[Math.floor(random() * words.length)] ?? "";
  while (pairs.size < count) pairs.add(`${word()} ${word()}`);
  return [...pairs];
}
