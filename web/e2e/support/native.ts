import { spawn } from "node:child_process";
import type { DateOptions, HitTime, Shares } from "../../src/door";
import { isoDay } from "../../src/text/days";
import { branchFolder, indexFolder, modelFolder, program } from "./paths";

/** Runs a native program and gives its standard output. */
export async function runNative(name: string, args: readonly string[], input = ""): Promise<string> {
  const child = spawn(program(name), args, { stdio: ["pipe", "pipe", "pipe"] });
  const collect = async (stream: NodeJS.ReadableStream): Promise<string> => {
    const pieces: Buffer[] = [];
    for await (const piece of stream) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces).toString("utf8");
  };
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", (cause) => reject(new Error(`${program(name)} cannot run: ${cause.message}; build it with cargo build --release`)));
    child.on("close", resolve);
  });
  // A program that refuses its input closes the pipe early; its exit code tells.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [status, output, errors] = await Promise.all([ended, collect(child.stdout), collect(child.stderr)]);
  if (status !== 0) throw new Error(`${name} ${args.join(" ")} ended with ${status}: ${errors.trim()}`);
  return output;
}

/** A result of the native search. */
export interface NativeHit {
  id: string;
  score: number;
  passage: string;
  title: string;
  date: string | null;
  shares: Shares;
  cosine: number | null;
  words: string[];
  time: HitTime | null;
  exact: boolean;
}

/** How the native search is asked; what is left out is as the page asks at first. */
export interface NativeOptions {
  k?: number;
  /** Astronomical years. */
  from?: number;
  to?: number;
  undated?: boolean;
  facets?: readonly { label: string; value: string }[];
  /** False: dates are plain words. */
  time?: boolean;
  /** Another model and the index by it. */
  site?: { model: string; index: string };
}

/** The native ranking, with today as the day that relative dates count from. */
export async function nativeSearch(query: string, options: NativeOptions = {}): Promise<NativeHit[]> {
  const { k = 10, from, to, undated, facets = [], time, site = { model: modelFolder(), index: indexFolder } } = options;
  const flags = [
    // In one word, since a year may begin with a minus sign.
    ...(from === undefined ? [] : [`--from=${from}`]),
    ...(to === undefined ? [] : [`--to=${to}`]),
    ...(undated === true ? ["--undated"] : []),
    ...facets.flatMap(({ label, value }) => ["--facet", `${label}=${value}`]),
    ...(time === false ? ["--no-time"] : []),
  ];
  const asked = ["--model", site.model, "--json", "-k", String(k), "--anchor", isoDay(new Date()), ...flags];
  return lines<NativeHit>(await runNative("almanac-index", ["search", site.index, query, ...asked]));
}

/** Most by which the scores of two records may differ for the integers of the CPU module to put them in another order than float32. */
const TIE = 0.005;

/**
 * Where a ranking of ten is not the native one: places held by a record whose native score is not
 * that of the place, but for ties.
 */
export function misplaced(ids: readonly string[], native: readonly NativeHit[]): string[] {
  const scores = new Map(native.map(({ id, score }) => [id, score]));
  const wrong = ids.filter((id, place) => !(Math.abs((scores.get(id) ?? Number.NaN) - (native[place]?.score ?? Number.NaN)) <= TIE));
  return ids.length === 10 ? wrong : [`${ids.length} results`, ...wrong];
}

/** The native tokenizer's ids for each text. */
export async function nativeTokens(texts: readonly string[]): Promise<number[][]> {
  return lines(await runNative("almanac-index", ["tokens", "--model", modelFolder()], jsonLines(texts)));
}

/** The native encoder's vector for each text, read as a query: in float32, or in integers as the module for the CPU. */
export async function nativeVectors(
  texts: readonly string[],
  arithmetic: "float32" | "integers" = "float32",
  model = modelFolder(),
): Promise<number[][]> {
  const flags = arithmetic === "integers" ? ["--integers"] : [];
  return lines(await runNative("almanac-index", ["encode", "--model", model, ...flags], jsonLines(texts)));
}

/** The JSON object that the native program writes about the dates of each text; texts hold no line ends. */
export async function nativeDates(texts: readonly string[], options: DateOptions): Promise<string[]> {
  const { preset, anchor, lang, whole } = options;
  const flags = [
    ...(preset === undefined ? [] : ["--preset", preset]),
    ...(anchor === undefined ? [] : ["--anchor", anchor]),
    ...(lang === undefined ? [] : ["--lang", lang]),
    ...(whole === true ? ["--whole"] : []),
  ];
  const output = await runNative("almanac-index", ["dates", ...flags], texts.map((text) => `${text}\n`).join(""));
  return output.split("\n").filter((line) => line !== "");
}

/** Mean and length, in days, of the time that the temporal branch reads natively in each text. */
export async function nativeTimes(texts: readonly string[], anchor: string): Promise<number[][]> {
  const flags = ["read", "--model", modelFolder(), "--branch", branchFolder, "--anchor", anchor, "--json"];
  return lines(await runNative("almanac-model", flags, jsonLines(texts)));
}

function jsonLines(texts: readonly string[]): string {
  return texts.map((text) => `${JSON.stringify(text)}\n`).join("");
}

function lines<T>(output: string): T[] {
  return output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
