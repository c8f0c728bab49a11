import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isoDay } from "../src/text/days";
import { expect, open, searchFor, SUB_PATH, test } from "./support/fixtures";
import { runNative } from "./support/native";
import { modelFolder, objects, repository, scratch, site } from "./support/paths";

const folder = join(scratch, "clustered");

test("in an index of clusters a question fetches the vectors near it alone, and ranks as the native search does", async ({ page, server }) => {
  test.setTimeout(300_000);
  const config = join(repository, "collections", "cmoa", "collection.toml");
  await runNative("almanac-index", ["build", "--input", objects, "--config", config, "--model", modelFolder(), "--clusters", "12", "--out", folder]);
  const all = (await readdir(folder)).filter((name) => name.startsWith("vectors-"));
  expect(all.length).toBeGreaterThan(6);
  server.remount({ [`${SUB_PATH}index/`]: folder, [SUB_PATH]: site });
  const fetched = (): Set<string> => new Set(server.requests.flatMap((path) => /vectors-[0-9a-f]+\.bin$/.exec(path) ?? []));

  await open(page, server, "?backend=cpu");
  const query = "boats on a stormy sea";
  const found = await searchFor(page, query);
  expect(fetched().size).toBeGreaterThan(0);
  expect(fetched().size, "some vectors stay where they are").toBeLessThan(all.length);
  const asked = ["--model", modelFolder(), "--json", "-k", "10", "--anchor", isoDay(new Date()), "--probes", "0"];
  const native = (await runNative("almanac-index", ["search", folder, query, ...asked])).split("\n").filter((line) => line !== "");
  expect(found.documents.map(({ id }) => id)).toEqual(native.map((line) => (JSON.parse(line) as { id: string }).id));
});
