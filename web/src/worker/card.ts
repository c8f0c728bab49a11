import type { FileEntry } from "../door";
import { Failure } from "../failure";

/** What the page needs of a model card; the modules validate the rest. */
export interface Card {
  id: string;
  /** Parts whose bytes follow each other, in order. */
  weights: FileEntry[];
  tokenizer: FileEntry;
}

/** Most bytes of weights that are fetched: a guard against a card that lies, not a budget. */
const MAX_WEIGHT_BYTES = 1024 * 1024 * 1024;

/** Reads the parts of `card.json` that say which files to fetch. */
export function readCard(bytes: Uint8Array): Card {
  let card: unknown;
  try {
    card = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw bad(`is not JSON (${cause instanceof Error ? cause.message : String(cause)})`);
  }
  if (!isRecord(card)) throw bad("is not a JSON object");
  if (typeof card.id !== "string" || card.id === "") throw bad("has no model id");
  const parts = isRecord(card.weights) ? card.weights.parts : undefined;
  if (!Array.isArray(parts) || parts.length === 0) throw bad("names no weight files");
  const weights = parts.map((part) => fileOf(part, "weights"));
  if (sumBytes(weights) > MAX_WEIGHT_BYTES) throw bad("asks for more than 1 GiB of weights");
  return { id: card.id, weights, tokenizer: fileOf(card.tokenizer, "tokenizer") };
}

/** Sum of the files' sizes. */
export function sumBytes(files: readonly { bytes: number }[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0);
}

function fileOf(value: unknown, field: string): FileEntry {
  if (!isRecord(value)) throw bad(`describes no file under ${field}`);
  const { file, bytes, sha256 } = value;
  if (typeof file !== "string") throw bad(`has no file name under ${field}`);
  if (typeof bytes !== "number" || !Number.isSafeInteger(bytes) || bytes < 1) throw bad(`has no size for ${file}`);
  if (typeof sha256 !== "string" || !/^[0-9a-f]{64}$/i.test(sha256)) throw bad(`has no SHA-256 for ${file}`);
  return { name: file, bytes, sha256 };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bad(what: string): Failure {
  return new Failure({ code: "corrupt", message: `card.json ${what}`, file: "card.json" });
}
