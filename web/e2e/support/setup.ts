import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { cutCollection } from "./collection";
import { runNative } from "./native";
import { chores, indexFolder, modelFolder, objects, repository, scratch, seasonsFolder, site, deep, tiny, tinyNext } from "./paths";
import { farmingYear } from "./seasons";
import { writeTinyModel } from "./tiny";

/** Real objects in the suite's index. */
const OBJECTS = 60;

/** Builds what the suite serves: the page, the model, and an index of a few real objects. */
export default async function setup(): Promise<void> {
  const model = modelFolder();
  if (!existsSync(join(model, "card.json"))) {
    throw new Error(`${model} holds no card.json: import the model first (cargo xtask demo), or set ALMANAC_MODEL`);
  }
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { recursive: true });

  const shelf = join(repository, "collections", "cmoa");
  const cut = cutCollection(await readFile(join(shelf, "objects.jsonl.gz")), OBJECTS);
  await writeFile(objects, cut.map((object) => `${JSON.stringify(object)}\n`).join(""));

  await build({
    configFile: join(repository, "web", "vite.config.ts"),
    logLevel: "warn",
    build: { outDir: site },
  });
  const fewer = join(scratch, "fewer.jsonl");
  await writeFile(fewer, cut.slice(10).map((object) => `${JSON.stringify(object)}\n`).join(""));
  for (const [layers, out] of [[2, tiny.model], [4, deep.model]] as const) {
    const source = `${out}-source`;
    await writeTinyModel(source, layers);
    await runNative("almanac-model", ["import", source, "--out", out, "--weights", "float32", "--name", "tiny"]);
  }
  for (const [input, encoder, out] of [[objects, model, indexFolder], [objects, tiny.model, tiny.index], [fewer, tiny.model, tinyNext.index]] as const) {
    await runNative("almanac-index", ["build", "--input", input, "--config", join(shelf, "collection.toml"), "--model", encoder, "--out", out]);
  }
  await writeFile(chores, farmingYear());
  await runNative("almanac-index", [
    ...["build", "--input", chores, "--model", model, "--out", seasonsFolder, "--title", "A farming year"],
    ...["--id", "id", "--field-title", "title", "--text", "text"],
  ]);
  await cp(model, join(site, "model"), { recursive: true });
}
