import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { peerFolder } from "./peer";

/** The packages, with the hashes of their archives. They are unpacked here, since an install would fetch runtimes for Node too. */
const PACKAGES = {
  transformers: { name: "@huggingface/transformers@4.3.2", archive: "huggingface-transformers-4.3.2.tgz", sha256: "5414fb47b11ae2a8c10a3aac68f833e6fb6e9bde03e9e612ad7da3ea9e9d2663" },
  ort: {
    name: "onnxruntime-web@1.31.0-dev.20260914-8d85527a0",
    archive: "onnxruntime-web-1.31.0-dev.20260914-8d85527a0.tgz",
    sha256: "0de27582f3e3189dec4a2082513a0af1ea79ae7fd3039bbfe634a526e173cbe0",
  },
} as const;

/** Release of transformers.js. */
export const TRANSFORMERS = PACKAGES.transformers.name;

const cache = process.env.ALMANAC_CACHE || join(homedir(), ".cache", "almanac");

/** Folders of transformers.js, of its runtime, and of the peer's model as it wants it; fetched the first time. */
export function transformersFolders(): { library: string; runtime: string; models: string } {
  return { library: unpacked("transformers"), runtime: unpacked("ort"), models: models() };
}

function unpacked(which: keyof typeof PACKAGES): string {
  const { name, archive, sha256 } = PACKAGES[which];
  const folder = join(cache, "bench", which);
  const dist = join(folder, "package", "dist");
  if (existsSync(dist)) return dist;
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, archive))) {
    execFileSync("npm", ["pack", "--silent", "--pack-destination", folder, name], { stdio: ["ignore", "ignore", "inherit"] });
  }
  const found = createHash("sha256").update(readFileSync(join(folder, archive))).digest("hex");
  if (found !== sha256) throw new Error(`${archive} has SHA-256 ${found}, expected ${sha256}`);
  execFileSync("tar", ["-xzf", join(folder, archive), "-C", folder]);
  return dist;
}

/** The peer's int8 all-MiniLM-L6-v2 with the configuration and tokenizer that the weights came with. */
function models(): string {
  const folder = join(cache, "bench", "transformers-models");
  const model = join(folder, "minilm");
  mkdirSync(join(model, "onnx"), { recursive: true });
  const source = process.env.ALMANAC_MODEL_SOURCE || join(cache, "models", "all-minilm-l6-v2");
  for (const file of ["config.json", "tokenizer.json"]) copyFileSync(join(source, file), join(model, file));
  writeFileSync(join(model, "tokenizer_config.json"), JSON.stringify({ tokenizer_class: "BertTokenizer", model_max_length: 512 }));
  const weights = join(model, "onnx", "model_quantized.onnx");
  if (!existsSync(weights)) copyFileSync(join(peerFolder(), "model.onnx"), weights);
  return folder;
}
