import type { Backend, Encoder, GpuDoor, GpuEncoder } from "../door";
import { Failure, reportOf } from "../failure";
import type { AdapterInfo, BackendChoice, BackendWish } from "../protocol";
import { formatNoun } from "../text/format";
import { GpuAlarm, preflight, watchDevices } from "./adapter";

/** A query of about 16 tokens, the length visitors type; both backends are timed on it. */
export const TIMING_QUERY = "a small painting of fishing boats in the harbor at sunset with two people";

/** Longest wait for one GPU encoding before the CPU answers instead, in milliseconds. */
const ENCODE_LIMIT_MILLIS = 60_000;

/** Longest wait for the GPU to start up and compile, in milliseconds. */
const START_LIMIT_MILLIS = 300_000;

/** How often a GPU whose device was lost is set up anew; one that is lost so often will be lost again. */
const RECOVERIES = 2;

/** The bytes both encoders are made from, but for the tokenizer. */
export interface ModelBytes {
  card: Uint8Array;
  weights: Uint8Array;
}

/** What the choice of a backend depends on. */
export interface EncodingOptions {
  wish: BackendWish;
  /** Why an earlier visit settled on the CPU. */
  settled: string | undefined;
  /** Asked only when the GPU may be tried: `?backend=cpu` never touches WebGPU. */
  gpu: () => GPU | undefined;
  /** Fetches and starts the GPU module: for each number another instance, since one whose device was lost is of no more use. */
  gpuDoor: (instance: number) => Promise<GpuDoor>;
  announce: (choice: BackendChoice) => void;
  now: () => number;
}

/** Encodes queries on the CPU, and on the GPU once that has proved right and faster. */
export class Encoding {
  #gpu: GpuEncoder | null = null;
  #alarm = new GpuAlarm();
  #trying = false;
  #recoveries = 0;
  /** What a GPU is set up anew from; null once that will not happen any more. */
  #model: ModelBytes | null = null;
  #choice: BackendChoice;

  constructor(
    private readonly cpu: Encoder,
    private readonly options: EncodingOptions,
  ) {
    this.#choice = {
      chosen: "cpu",
      reason: "the GPU has not been tried yet",
      adapter: null,
      timings: { cpu: null, gpu: null },
      trying: true,
      settled: false,
    };
  }

  get choice(): BackendChoice {
    return this.#choice;
  }

  /** True while a trap could come from the GPU module. */
  get gpuInUse(): boolean {
    return this.#trying || this.#gpu !== null;
  }

  /** Stops trusting the GPU, as when its module has trapped outside any call. */
  gpuDied(message: string): void {
    this.#alarm.raise(message);
  }

  /** Tokens of a text as the vocabulary writes them, special ones included. */
  pieces(text: string): string[] {
    return this.cpu.pieces(text);
  }

  /** The vector of a query; a GPU that fails is given up and the CPU answers the same query. */
  async encode(text: string): Promise<{ vector: Float32Array; backend: Backend }> {
    const gpu = this.#gpu;
    if (gpu !== null) {
      try {
        if (this.#alarm.cause !== null) throw this.#alarm.cause;
        const vector = await this.#alarm.guard(this.#encodeOn(gpu, text), ENCODE_LIMIT_MILLIS);
        if (!isUnit(vector)) throw new Error("the GPU gave a vector that is not of unit length");
        return { vector, backend: "gpu" };
      } catch (cause) {
        this.#alarm.raise(textOf(cause));
        // The module's state is unknown now: it is dropped, not freed.
        if (this.#gpu === gpu) {
          this.#gpu = null;
          void this.#recover(textOf(cause));
        }
      }
    }
    const vector = await this.cpu.encode(text, "query");
    if (!isUnit(vector)) {
      throw new Failure({ code: "internal", message: "the encoder gave a vector that is not of unit length", fatal: true });
    }
    return { vector, backend: "cpu" };
  }

  /** Tries the GPU as the wish allows; ends with a choice announced, and never throws. */
  async choose(model: ModelBytes): Promise<void> {
    const { wish, settled } = this.options;
    if (wish === "cpu") return this.#settle("cpu", "the CPU was asked for");
    if (wish === "auto" && settled !== undefined) return this.#settle("cpu", settled);
    this.#model = model;
    this.#announce({ reason: "the GPU is being tried" });
    await this.#try((model) => this.#tryGpu(model, wish === "gpu"));
  }

  /** Sets the GPU up anew where only its device was lost, else gives it up; queries go to the CPU meanwhile. */
  async #recover(reason: string): Promise<void> {
    if (!this.#alarm.lost || this.#recoveries === RECOVERIES) {
      this.#model = null;
      const often = this.#alarm.lost ? ", as it was each time before" : "";
      return this.#settle("cpu", `${reason}${often}; the CPU answered instead`);
    }
    this.#recoveries += 1;
    this.#announce({ chosen: "cpu", reason: `${reason}; the CPU answers while it is set up anew`, trying: true });
    await this.#try(async (model) => {
      const gpu = await this.#tested(model, this.options.wish === "gpu");
      if (gpu === null) return;
      this.#gpu = gpu.encoder;
      this.#settle("gpu", `${reason}, and was set up anew; it passed its self-test on ${formatNoun(gpu.checked, "sentence")}`);
    });
  }

  /** Runs an attempt at the GPU; whatever goes wrong leaves the CPU, with the reason. */
  async #try(attempt: (model: ModelBytes) => Promise<void>): Promise<void> {
    const model = this.#model;
    if (model === null) return;
    this.#trying = true;
    this.#alarm = new GpuAlarm();
    try {
      await attempt(model);
    } catch (cause) {
      const report = reportOf(cause);
      this.#alarm.raise(report.message);
      if (this.#alarm.lost) return await this.#recover(report.message);
      // A download that failed says nothing about the GPU.
      this.#settle("cpu", `the GPU could not be used: ${report.message}`, { settled: report.code !== "network" });
    } finally {
      this.#trying = false;
      if (this.#gpu === null) this.#model = null;
    }
  }

  async #tryGpu(model: ModelBytes, forced: boolean): Promise<void> {
    const gpu = await this.#tested(model, forced);
    if (gpu === null) return;
    if (!forced) return this.#keepFaster(gpu.encoder);
    this.#gpu = gpu.encoder;
    this.#settle("gpu", `the GPU was asked for; it passed its self-test on ${formatNoun(gpu.checked, "sentence")}`);
  }

  /** A GPU that gives the known vectors of the model's golden sentences; null, with the reason announced, where there is none. */
  async #tested(model: ModelBytes, forced: boolean): Promise<{ encoder: GpuEncoder; checked: number } | null> {
    const found = await preflight(this.options.gpu(), forced);
    if (found.info !== null) this.#announce({ adapter: found.info });
    if (!found.usable) {
      this.#settle("cpu", found.reason);
      return null;
    }
    const alarm = this.#alarm;
    const unwatch = watchDevices(found.adapter, alarm);
    try {
      const door = await this.options.gpuDoor(this.#recoveries);
      const encoder = await alarm.guard(door.GpuEncoder.load(model.card, model.weights), START_LIMIT_MILLIS);
      const test = await alarm.guard(encoder.self_test(this.cpu.golden_ids(goldenSentences(found.info))), START_LIMIT_MILLIS);
      await alarm.guard(alarm.calm(), START_LIMIT_MILLIS);
      if (test.passed) return { encoder, checked: test.checked };
      this.#settle("cpu", `the GPU failed its self-test: ${test.detail}`, { settled: true });
      return null;
    } finally {
      unwatch();
    }
  }

  async #keepFaster(gpu: GpuEncoder): Promise<void> {
    const timings = {
      cpu: await this.#warmMillis((text) => this.cpu.encode(text, "query")),
      gpu: await this.#warmMillis((text) => this.#alarm.guard(this.#encodeOn(gpu, text), ENCODE_LIMIT_MILLIS)),
    };
    const pair = `${timings.gpu.toFixed(1)} ms on the GPU, ${timings.cpu.toFixed(1)} ms on the CPU`;
    if (timings.gpu < timings.cpu) {
      this.#gpu = gpu;
      return this.#settle("gpu", `the GPU is faster here: ${pair}`, { timings });
    }
    this.#settle("cpu", `the CPU is faster here: ${pair}`, { timings, settled: true });
  }

  /** The tokenizer is the CPU module's: the GPU module holds the layers alone. */
  async #encodeOn(gpu: GpuEncoder, text: string): Promise<Float32Array> {
    const alarm = this.#alarm;
    const vector = await gpu.encode(this.cpu.ids(text, "query"));
    await alarm.calm();
    return vector;
  }

  /** Median of three encodings after one to warm up. */
  async #warmMillis(encode: (text: string) => Promise<Float32Array>): Promise<number> {
    await encode(TIMING_QUERY);
    const rounds: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const start = this.options.now();
      await encode(TIMING_QUERY);
      rounds.push(this.options.now() - start);
    }
    return rounds.sort((a, b) => a - b)[1] ?? Number.POSITIVE_INFINITY;
  }

  #settle(chosen: Backend, reason: string, more: Partial<BackendChoice> = {}): void {
    this.#announce({ settled: false, ...more, chosen, reason, trying: false });
  }

  #announce(change: Partial<BackendChoice>): void {
    this.#choice = { ...this.#choice, ...change };
    this.options.announce(this.#choice);
  }
}

/** Sentences the self-test encodes: a software adapter takes seconds for each. */
function goldenSentences(info: AdapterInfo): number {
  return info.fallback ? 1 : 3;
}

/** True for a vector of finite numbers with length 1, within rounding of float32 sums. */
function isUnit(vector: Float32Array): boolean {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.abs(sum - 1) < 1e-2;
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
