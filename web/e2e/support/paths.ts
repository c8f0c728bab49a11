import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** The repository. */
export const repository = path("../../..");

/** The built WebAssembly packages. */
export const packages = path("../../pkg");

/** The encoder of the farming books. */
export const classicalModel = path("../../../collections/nongshu/model");

/** A bare page without the site's code. */
export const lab = path("./lab");

/** The folder the suite may write to; removed with the other test results. */
export const scratch = path("../../test-results/site");

/** The built site: page, model and index. */
export const site = join(scratch, "dist");

/** The index of the site. */
export const indexFolder = join(site, "index");

/** The index of a small book whose records say when in the year, not in which year. */
export const seasonsFolder = join(site, "seasons");

/** That book's records, one JSON object a line. */
export const chores = join(scratch, "chores.jsonl");

/** A model that computes in moments, for tests of a software GPU, and the site's objects indexed by it. */
export const tiny = { model: join(scratch, "tiny-model"), index: join(scratch, "tiny-index") };

/** A later release of that index: some records are gone. */
export const tinyNext = { model: tiny.model, index: join(scratch, "tiny-next") };

/** A model like it of more layers, with more tensors than the GPU's queue takes at once. */
export const deep = { model: join(scratch, "deep-model"), index: tiny.index };

/** The cut collection's objects, one JSON object a line. */
export const objects = join(scratch, "objects.jsonl");

/** The trained temporal branch. */
export const branchFolder = join(repository, "temporal-branch");

/** The imported model: `ALMANAC_MODEL`, else where `cargo xtask` leaves it. */
export function modelFolder(): string {
  const cache = process.env.ALMANAC_CACHE || join(homedir(), ".cache", "almanac");
  return process.env.ALMANAC_MODEL || join(cache, "models", "all-minilm-l6-v2-int8");
}

/** A native program: in `ALMANAC_BIN`, else where cargo leaves it. */
export function program(name: string): string {
  const target = process.env.CARGO_TARGET_DIR || join(repository, "target");
  return join(process.env.ALMANAC_BIN || join(target, "release"), name);
}
