import type { Door, FileEntry, GpuDoor, Index, IndexInfo, Question, Ranking, Understood } from "../door";
import { Failure, reportOf } from "../failure";
import type {
  BackendChoice,
  Downloads,
  Explained,
  ExplainRequest,
  Found,
  Loaded,
  LoadRequest,
  Progress,
  RecordName,
  SearchRequest,
  Stage,
  Unkept,
} from "../protocol";
import { readCard, sumBytes } from "./card";
import { Documents } from "./documents";
import type { Encoding } from "./encoding";
import type { Files } from "./fetch";
import { loadMeaning, meaningBytes, type MeaningSource } from "./meaning";
import { naming } from "./naming";
import { OnDemand } from "./on-demand";
import { ProgressMeter } from "./progress";
import { pairs, Rankings, type Ranked } from "./rankings";
import { KeptRelease, newestRelease, type Folders, type Release } from "./release";
import type { Shelf } from "./shelf";

/** What the engine needs of the world around it. */
export interface EngineSurroundings {
  files: Files;
  /** Where `files` keeps what it has read. */
  shelf: Shelf;
  /** Fetches and starts the CPU module. */
  cpuDoor: () => Promise<Door>;
  gpuDoor: () => Promise<GpuDoor>;
  gpu: () => GPU | undefined;
  /** Decoded bytes of the WebAssembly modules fetched so far. */
  programBytes: () => number;
  now: () => number;
  onProgress: (progress: Progress) => void;
  onBackend: (choice: BackendChoice) => void;
}

/** Files fetched side by side for later use. */
const KEEPERS = 4;

/** What only a search by meaning reads. */
const FOR_MEANING: ReadonlySet<string> = new Set(["vectors", "signs", "clusters"]);

/** Everything a search by words and time needs, once loaded. */
interface Site {
  index: Index;
  info: IndexInfo;
  onDemand: OnDemand;
  documents: Documents;
  rankings: Rankings;
  /** What a search by meaning is loaded from. */
  source: MeaningSource;
  release: Release;
  folders: Folders;
  kept: KeptRelease;
}

/**
 * Loads a site in two stages and answers searches; one engine serves one load.
 *
 * The small files come first and are enough for words and time; the model and
 * the vectors are many times larger and follow when they are asked for.
 */
export class Engine {
  #site: Site | null = null;
  #encoding: Encoding | null = null;
  #deepening: Promise<void> | null = null;
  /** The text that was last taken apart, which a change of weights asks for again. */
  #explained: { text: string; vector: Float32Array } | null = null;
  #downloads: Downloads = { program: 0, model: 0, index: 0, documents: 0 };

  constructor(private readonly around: EngineSurroundings) {}

  /** Downloads, checks and opens what a search by words and time needs: of the newest release, else of the one kept here. */
  async load(request: LoadRequest): Promise<Loaded> {
    const { files, shelf } = this.around;
    const folders = { model: new URL(request.model), index: new URL(request.index) };
    const kept = new KeptRelease(shelf, folders);
    const meter = this.#meter();
    meter.step("program");
    // A failure waits until the program is there, since an older release may take its place.
    const newest = newestRelease(files, folders).then(
      (release) => () => Promise.resolve(release),
      (failure: unknown) => () => Promise.reject(failure),
    );
    const door = await this.around.cpuDoor();
    let site: Site;
    try {
      site = await this.#open(door, await (await newest)(), folders, kept, request, meter);
    } catch (failure) {
      const release = reportOf(failure).fatal === true ? null : await kept.read();
      if (release === null) throw failure;
      // Whatever is wrong with the newest release says more than what is wrong with an old one.
      site = await this.#open(door, release, folders, kept, request, this.#meter()).catch(() => Promise.reject(failure));
    }
    this.#site = site;
    return { info: site.info, meaning_bytes: meaningBytes(site.source), downloads: this.#totals(), version: door.version() };
  }

  async #open(door: Door, release: Release, folders: Folders, kept: KeptRelease, request: LoadRequest, meter: ProgressMeter): Promise<Site> {
    const { files } = this.around;
    const card = readCard(release.card);
    const index = naming("manifest.json", () => door.Index.open(release.manifest));
    naming("manifest.json", () => index.check_model(card.id));
    const required = index.required_files();
    const probes = index.info().probes ?? null;
    // With clusters, a question brings in the vectors near it.
    const vectors = required.filter(({ kind }) => FOR_MEANING.has(kind) && (probes === null || kind !== "vectors"));
    const small = required.filter(({ kind }) => !FOR_MEANING.has(kind));
    meter.expect(sumBytes(small));
    meter.step("index");
    await Promise.all(
      small.map(async (file) => {
        const bytes = await files.file(folders.index, file, (piece) => meter.add(piece));
        naming(file.name, () => index.add_file(file.name, bytes));
      }),
    );
    if (!index.ready_for_words()) {
      throw new Failure({ code: "corrupt", message: "manifest.json does not name every file the index needs", file: "manifest.json" });
    }

    this.#downloads = {
      program: 0,
      model: release.card.length,
      index: release.manifest.length + sumBytes(small),
      documents: 0,
    };
    const encoding = {
      wish: request.backend,
      settled: request.settled,
      gpu: this.around.gpu,
      gpuDoor: this.around.gpuDoor,
      announce: this.around.onBackend,
      now: this.around.now,
    };
    return {
      index,
      info: index.info(),
      source: { door, index, files, modelFolder: folders.model, indexFolder: folders.index, card, cardBytes: release.card, vectors, clustered: probes !== null, encoding },
      onDemand: new OnDemand(index, probes, (file) => this.#counted("index", folders.index, file)),
      documents: new Documents(index, (file) => this.#counted("documents", folders.index, file)),
      rankings: new Rankings(index),
      release,
      folders,
      kept,
    };
  }

  /** Downloads and starts what a search by meaning needs besides; again after a failure. */
  async meaning(): Promise<{ downloads: Downloads }> {
    const { source } = this.#loaded();
    this.#deepening ??= this.#deepen(source).finally(() => {
      this.#deepening = null;
    });
    await this.#deepening;
    return { downloads: this.#totals() };
  }

  /** Makes what has been loaded the release to read without a network, unless an older one can do more. */
  async settle(): Promise<{ unkept: Unkept }> {
    const { kept, release } = this.#loaded();
    if (this.#encoding !== null || !(await kept.hasModel())) await kept.commit(release);
    return { unkept: await this.#unkept() };
  }

  /** Fetches every file that is not kept in this browser yet. */
  async keep(): Promise<{ unkept: Unkept }> {
    const { kept, release } = this.#loaded();
    const { files, shelf } = this.around;
    shelf.forgive();
    const missing = [...((await kept.missing(release)) ?? [])];
    const meter = this.#meter();
    meter.expect(sumBytes(missing.map(({ file }) => file)));
    meter.step("keeping");
    const next = async (): Promise<void> => {
      for (let placed = missing.shift(); placed !== undefined; placed = missing.shift()) {
        await files.file(placed.folder, placed.file, (piece) => meter.add(piece));
        await shelf.settled();
        if (shelf.refused !== null) throw new Failure({ code: "storage", message: `this browser has no room for it (${shelf.refused})` });
      }
    };
    await Promise.all(Array.from({ length: KEEPERS }, next));
    await kept.commit(release);
    return { unkept: await this.#unkept() };
  }

  /** Answers a search: by meaning too where that is asked for and loaded. */
  async search({ question, show, stage: wished, nearest, like }: SearchRequest): Promise<Found> {
    if (like !== undefined) return this.#like(question, show, like);
    const { index, onDemand, documents, rankings } = this.#loaded();
    const encoding = wished === "full" ? this.#encoding : null;
    const stage: Stage = encoding === null ? "words" : "full";
    const asked = JSON.stringify(question);
    const understood = JSON.parse(index.understand(asked)) as Understood;
    const start = this.around.now();
    const since = (): number => this.around.now() - start;
    const known = rankings.recall(asked, stage);
    const [postingsMillis, encoded] = await Promise.all([
      known === null ? onDemand.words(asked).then(since) : 0,
      known !== null || encoding === null || understood.meaning_text === ""
        ? null
        : encoding.encode(understood.meaning_text).then((result) => ({ ...result, millis: since() })),
    ]);
    if (encoded !== null) await onDemand.near(encoded.vector);
    const prepared = since();
    const { ranking, hits, dates } = known ?? rankings.rank(asked, stage, encoded?.vector);
    const ranked = since();
    const { close, matching, by } = ranking;
    const found = close || nearest ? await documents.read(hits.slice(0, show), asked) : [];
    return {
      stage,
      documents: found,
      ranked: hits.length,
      dates,
      best: hits[0]?.score ?? null,
      close,
      matching,
      by,
      understood,
      backend: encoded?.backend ?? null,
      timings: { postings: postingsMillis, encode: encoded?.millis ?? 0, rank: ranked - prepared, documents: since() - ranked },
      downloads: this.#totals(),
    };
  }

  /** Takes the scores of a question apart. */
  async explain({ question, show }: ExplainRequest): Promise<Explained> {
    const { index, info, onDemand, documents } = this.#loaded();
    const encoding = this.#encoding;
    if (encoding === null) throw new Failure({ code: "invalid_input", message: "the model has not been loaded yet" });
    const asked = JSON.stringify(question);
    const understood = JSON.parse(index.understand(asked)) as Understood;
    const text = understood.meaning_text;
    await Promise.all([onDemand.words(asked), onDemand.vectors()]);
    if (text !== "" && this.#explained?.text !== text) this.#explained = { text, vector: (await encoding.encode(text)).vector };
    const vector = text === "" ? null : (this.#explained?.vector ?? null);
    const { hits, by } = JSON.parse(index.rank(asked, vector ?? undefined)) as Ranking;
    const shown = hits.slice(0, show);
    const read = await documents.read(shown, asked);
    return {
      understood,
      pieces: text === "" ? [] : encoding.pieces(text),
      vector: vector === null ? null : [...vector],
      documents: read.map((found, at) => ({
        ...found,
        vector: [...index.vector(shown[at]?.passage ?? 0)],
        intervals: pairs(index.days(found.document)),
      })),
      by,
      weights: question.weights ?? info.weights,
    };
  }

  async #like(question: Question, show: number, like: RecordName): Promise<Found> {
    const { documents, onDemand, rankings, index } = this.#loaded();
    const asked = JSON.stringify(question);
    await onDemand.vectors();
    const start = this.around.now();
    const record = await documents.named(like.document);
    const known = record !== null && record.id === like.id;
    const empty: Ranked = {
      stage: "full",
      ranking: { hits: [], close: false, matching: 0, by: { meaning: true, words: false, time: false } },
      hits: [],
      dates: { intervals: [], undated: 0, seasons: [], seasonless: 0 },
    };
    const named = this.around.now();
    const { ranking, hits, dates } = known ? (rankings.recall(asked, "full", like.document) ?? rankings.similar(asked, like.document)) : empty;
    const ranked = this.around.now();
    const { close, matching, by } = ranking;
    return {
      stage: "full",
      documents: await documents.read(hits.slice(0, show), asked),
      ranked: hits.length,
      dates,
      best: hits[0]?.score ?? null,
      close,
      matching,
      by,
      understood: JSON.parse(index.understand(asked)) as Understood,
      like: { title: known ? record.title : null },
      backend: null,
      timings: { postings: 0, encode: 0, rank: ranked - named, documents: this.around.now() - ranked + named - start },
      downloads: this.#totals(),
    };
  }

  /**
   * Takes an error that no call caught: a trap inside a module's own task.
   *
   * @returns true when only the GPU is lost and the engine lives on.
   */
  survives(error: unknown): boolean {
    const encoding = this.#encoding;
    if (encoding === null || !encoding.gpuInUse) return false;
    const trace = error instanceof Error ? `${error.message} ${error.stack ?? ""}` : String(error);
    if (trace.includes("almanac_cpu") && !trace.includes("almanac_gpu")) return false;
    encoding.gpuDied(`the GPU program stopped unexpectedly (${error instanceof Error ? error.message : String(error)})`);
    return true;
  }

  async #deepen(source: MeaningSource): Promise<void> {
    if (this.#encoding !== null) return;
    this.#encoding = await loadMeaning(source, this.#meter());
    this.#downloads.model += sumBytes([...source.card.weights, source.card.tokenizer]);
    this.#downloads.index += sumBytes(source.vectors);
  }

  async #unkept(): Promise<Unkept> {
    const { kept, release } = this.#loaded();
    const missing = await kept.missing(release);
    return missing === null ? null : sumBytes(missing.map(({ file }) => file));
  }

  #loaded(): Site {
    if (this.#site === null) throw new Failure({ code: "invalid_input", message: "the index has not been loaded yet" });
    return this.#site;
  }

  #meter(): ProgressMeter {
    return new ProgressMeter(this.around.onProgress, this.around.now);
  }

  async #counted(what: "index" | "documents", folder: URL, file: FileEntry): Promise<Uint8Array> {
    const { files } = this.around;
    try {
      return await files.file(folder, file, (bytes) => {
        this.#downloads[what] += bytes;
      });
    } catch (failure) {
      if (!(await this.#updated())) throw failure;
      const message = `${file.name} is not there any more, since the site was updated: load the page again`;
      throw new Failure({ code: "network", message, file: file.name });
    }
  }

  /** Whether the site has another release than the one that is searched; false where that cannot be learned. */
  async #updated(): Promise<boolean> {
    const site = this.#site;
    if (site === null) return false;
    const newest = await newestRelease(this.around.files, site.folders).catch(() => null);
    return newest !== null && !sameBytes(newest.manifest, site.release.manifest);
  }

  #totals(): Downloads {
    return { ...this.#downloads, program: this.around.programBytes() };
  }
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
