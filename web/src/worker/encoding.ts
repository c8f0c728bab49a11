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
  /** Fetches and starts the GPU module. */
  gpuDoor: () => Promise<GpuDoor>;
  announce: (choice: BackendChoice) => void;
  now: () => number;
}

/** Encodes queries on the CPU, and on the GPU once that has proved right and faster. */
export class Encoding {
  #gpu: GpuEncoder | null = null;
  #alarm = new GpuAlarm();
  #trying = false;
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
        // The module's state is unknown now: it is dropped, not freed.
        this.#gpu = null;
        this.#alarm.raise(textOf(cause));
        this.#settle("cpu", `${textOf(cause)}; the CPU answered instead`);
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
    this.#trying = true;
    this.#announce({ reason: "the GPU is being tried" });
    try {
      await this.#tryGpu(model, wish === "gpu");
    } catch (cause) {
      const report = reportOf(cause);
      this.#alarm.raise(report.message);
      // A download that failed says nothing about the GPU.
      this.#settle("cpu", `the GPU could not be used: ${report.message}`, { settled: report.code !== "network" });
    } finally {
      this.#trying = false;
    }
  }

  async #tryGpu(model: ModelBytes, forced: boolean): Promise<void> {
    const found = await preflight(this.options.gpu(), forced);
    if (found.info !== null) this.#announce({ adapter: found.info });
    if (!found.usable) return this.#settle("cpu", found.reason);

    watchDevices(found.adapter, this.#alarm);
    const door = await this.options.gpuDoor();
    const gpu = await this.#alarm.guard(door.GpuEncoder.load(model.card, model.weights), START_LIMIT_MILLIS);
    const test = await this.#alarm.guard(gpu.self_test(this.cpu.golden_ids(goldenSentences(found.info))), START_LIMIT_MILLIS);
    if (!test.passed) {
      return this.#settle("cpu", `the GPU failed its self-test: ${test.detail}`, { settled: true });
    }
    if (forced) {
      this.#gpu = gpu;
      return this.#settle("gpu", `the GPU was asked for; it passed its self-test on ${formatNoun(test.checked, "sentence")}`);
    }
    await this.#keepFaster(gpu);
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
    return gpu.encode(this.cpu.ids(text, "query"));
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
