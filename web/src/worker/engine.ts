import type { Door, FileEntry, Index } from "../door";
import { Failure, reportOf } from "../failure";
import type { BackendChoice, Downloads, Found, Loaded, LoadRequest, Progress, SearchRequest } from "../protocol";
import { readCard, sumBytes, type Card } from "./card";
import { Documents } from "./documents";
import { Encoding, TIMING_QUERY, type ModelBytes } from "./encoding";
import type { Files } from "./fetch";
import { ProgressMeter } from "./progress";

/** What the engine needs of the world around it. */
export interface EngineSurroundings {
  files: Files;
  /** Fetches and starts the CPU module. */
  cpuDoor: () => Promise<Door>;
  gpuDoor: () => Promise<Door>;
  gpu: () => GPU | undefined;
  /** Decoded bytes of the WebAssembly modules fetched so far. */
  programBytes: () => number;
  now: () => number;
  onProgress: (progress: Progress) => void;
  onBackend: (choice: BackendChoice) => void;
}

/** Everything a search needs, once loaded. */
interface Site {
  index: Index;
  encoding: Encoding;
  documents: Documents;
}

/** Loads a site's model and index, and answers searches; one engine serves one load. */
export class Engine {
  #site: Site | null = null;
  #downloads: Downloads = { program: 0, model: 0, index: 0, documents: 0 };

  constructor(private readonly around: EngineSurroundings) {}

  /** Downloads, checks and opens everything a search needs, then tries the GPU behind the visitor's back. */
  async load(request: LoadRequest): Promise<Loaded> {
    const { files } = this.around;
    const modelFolder = new URL(request.model);
    const indexFolder = new URL(request.index);
    const meter = new ProgressMeter(this.around.onProgress, this.around.now);

    meter.step("Starting the search program");
    const [door, cardBytes, manifestBytes] = await Promise.all([
      this.around.cpuDoor(),
      files.entry(new URL("card.json", modelFolder)),
      files.entry(new URL("manifest.json", indexFolder)),
    ]);
    const card = readCard(cardBytes);
    const index = naming("manifest.json", () => door.Index.open(manifestBytes));
    naming("manifest.json", () => index.check_model(card.id));
    const required = index.required_files();
    const modelFiles = [...card.weights, card.tokenizer];
    meter.expect(sumBytes(modelFiles) + sumBytes(required));
    meter.step("Downloading the language model and the index");
    const count = (bytes: number): void => meter.add(bytes);
    const [weights, tokenizer] = await Promise.all([
      this.#weights(modelFolder, card, count),
      files.file(modelFolder, card.tokenizer, count),
      ...required.map(async (file) => {
        const bytes = await files.file(indexFolder, file, count);
        naming(file.name, () => index.add_file(file.name, bytes));
      }),
    ]);
    if (!index.ready()) {
      throw new Failure({ code: "corrupt", message: "manifest.json does not name every file the index needs", file: "manifest.json" });
    }

    meter.step("Preparing the language model");
    const model: ModelBytes = { card: cardBytes, weights, tokenizer };
    const encoder = await door.Encoder.load(cardBytes, weights, tokenizer, "cpu");
    const info = index.info();
    // The first encoding is slower than the rest: the visitor should not pay for it.
    await encoder.encode(TIMING_QUERY, "query");

    this.#downloads = {
      program: this.around.programBytes(),
      model: cardBytes.length + sumBytes(modelFiles),
      index: manifestBytes.length + sumBytes(required),
      documents: 0,
    };
    const encoding = new Encoding(encoder, {
      wish: request.backend,
      settled: request.settled,
      gpu: this.around.gpu,
      gpuDoor: this.around.gpuDoor,
      announce: this.around.onBackend,
      now: this.around.now,
    });
    const documents = new Documents(index, (file) => this.#documentChunk(indexFolder, file));
    this.#site = { index, encoding, documents };
    void encoding.choose(model);
    return { info, downloads: this.#totals(), version: door.version() };
  }

  /** Answers a search. */
  async search(request: SearchRequest): Promise<Found> {
    const site = this.#site;
    if (site === null) throw new Failure({ code: "invalid_input", message: "the index has not been loaded yet" });
    const start = this.around.now();
    const { vector, backend } = await site.encoding.encode(request.query);
    const encoded = this.around.now();
    const hits = site.index.search(vector, request.k);
    const scanned = this.around.now();
    const best = hits[0]?.score ?? null;
    const close = best !== null && best >= site.index.info().no_match_below;
    const documents = close || request.nearest ? await site.documents.read(hits) : [];
    const read = this.around.now();
    return {
      documents,
      best,
      close,
      backend,
      timings: { encode: encoded - start, scan: scanned - encoded, documents: read - scanned },
      downloads: this.#totals(),
    };
  }

  /**
   * Takes an error that no call caught: a trap inside a module's own task.
   *
   * @returns true when only the GPU is lost and the engine lives on.
   */
  survives(error: unknown): boolean {
    const encoding = this.#site?.encoding;
    if (encoding === undefined || !encoding.gpuInUse) return false;
    const trace = error instanceof Error ? `${error.message} ${error.stack ?? ""}` : String(error);
    if (trace.includes("almanac_cpu") && !trace.includes("almanac_gpu")) return false;
    encoding.gpuDied(`the GPU program stopped unexpectedly (${error instanceof Error ? error.message : String(error)})`);
    return true;
  }

  async #weights(folder: URL, card: Card, count: (bytes: number) => void): Promise<Uint8Array> {
    const whole = new Uint8Array(sumBytes(card.weights));
    let offset = 0;
    await Promise.all(
      card.weights.map((part) => {
        const into = whole.subarray(offset, offset + part.bytes);
        offset += part.bytes;
        return this.around.files.file(folder, part, count, into);
      }),
    );
    return whole;
  }

  async #documentChunk(folder: URL, file: FileEntry): Promise<Uint8Array> {
    return this.around.files.file(folder, file, (bytes) => {
      this.#downloads.documents += bytes;
    });
  }

  #totals(): Downloads {
    return { ...this.#downloads, program: this.around.programBytes() };
  }
}

/** Runs `work`, naming `file` in whatever it throws. */
function naming<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw new Failure(reportOf(thrown, file));
  }
}
