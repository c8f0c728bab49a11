import type { Door, FileEntry, GpuDoor, Index, IndexInfo, Question, Ranking, Understood } from "../door";
import { Failure, reportOf, type FailureReport } from "../failure";
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
import { readCard, sumBytes, type Card } from "./card";
import { Documents } from "./documents";
import type { Encoding } from "./encoding";
import type { Files } from "./fetch";
import { loadMeaning, meaningBytes, type MeaningSource } from "./meaning";
import { naming } from "./naming";
import { OnDemand } from "./on-demand";
import { ProgressMeter } from "./progress";
import { pairs, Rankings, type Ranked } from "./rankings";
import { KeptRelease, newestCard, newestRelease, type Folders, type Newest, type Release } from "./release";
import type { Shelf } from "./shelf";

/** What the engine needs of the world around it. */
export interface EngineSurroundings {
  files: Files;
  /** Where `files` keeps what it has read. */
  shelf: Shelf;
  /** Fetches and starts the CPU module. */
  cpuDoor: () => Promise<Door>;
  /** Fetches and starts the GPU module: for each number another instance, since one whose device was lost is of no more use. */
  gpuDoor: (instance: number) => Promise<GpuDoor>;
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

/** Why the model cannot be used: its card is missing, broken or another model's. Words and dates need none. */
class NoModel extends Failure {}

/** Everything a search by words and time needs, once loaded. */
interface Site {
  index: Index;
  info: IndexInfo;
  onDemand: OnDemand;
  documents: Documents;
  rankings: Rankings;
  /** What a search by meaning is loaded from, or why it cannot be. */
  source: MeaningSource | NoModel;
  /** Makes the source from a card. */
  sourceOf: (card: Uint8Array) => MeaningSource;
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
  #door: Door | null = null;
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
    this.#door = door;
    const open = (release: Release, lacks: NoModel | null, meter: ProgressMeter): Promise<Site> =>
      this.#open({ door, release, lacks, folders, kept, request, meter });
    const site = await this.#newestOrKept(await newest, kept, open, meter);
    this.#site = site;
    const { source } = site;
    const lacks = source instanceof NoModel;
    return {
      info: site.info,
      meaning_bytes: lacks ? 0 : meaningBytes(source),
      meaning_fault: lacks ? source.report : null,
      downloads: this.#totals(),
      version: door.version(),
    };
  }

  /** The newest release whole, else the kept one whole, else the newest for words and dates alone. */
  async #newestOrKept(
    newest: () => Promise<Newest>,
    kept: KeptRelease,
    open: (release: Release, lacks: NoModel | null, meter: ProgressMeter) => Promise<Site>,
    meter: ProgressMeter,
  ): Promise<Site> {
    let release: Release | null = null;
    try {
      const found = await newest();
      release = found.release;
      if (found.fault !== null) throw new NoModel(found.fault);
      return await open(release, null, meter);
    } catch (failure) {
      if (reportOf(failure).fatal === true) throw failure;
      const old = await kept.read();
      // Whatever is wrong with the newest release says more than what is wrong with an old one.
      const site = old === null ? null : await open(old, null, this.#meter()).catch(() => null);
      if (site !== null) return site;
      if (release === null || !(failure instanceof NoModel)) throw failure;
      return open({ ...release, card: null }, failure, this.#meter());
    }
  }

  async #open(opening: {
    door: Door;
    release: Release;
    /** Why there is no card, where there is none. */
    lacks: NoModel | null;
    folders: Folders;
    kept: KeptRelease;
    request: LoadRequest;
    meter: ProgressMeter;
  }): Promise<Site> {
    const { door, release, lacks, folders, kept, request, meter } = opening;
    const { files } = this.around;
    const index = naming("manifest.json", () => door.Index.open(release.manifest));
    const required = index.required_files();
    const probes = index.info().probes ?? null;
    // With clusters, a question brings in the vectors near it.
    const vectors = required.filter(({ kind }) => FOR_MEANING.has(kind) && (probes === null || kind !== "vectors"));
    const small = required.filter(({ kind }) => !FOR_MEANING.has(kind));
    const encoding = {
      wish: request.backend,
      settled: request.settled,
      gpu: this.around.gpu,
      gpuDoor: this.around.gpuDoor,
      announce: this.around.onBackend,
      now: this.around.now,
    };
    const sourceOf = (cardBytes: Uint8Array): MeaningSource => ({
      ...{ door, index, files, modelFolder: folders.model, indexFolder: folders.index },
      ...{ card: cardFor(index, cardBytes), cardBytes, vectors, clustered: probes !== null, encoding },
    });
    // Before anything large is fetched, since an index of another model makes it useless.
    const source = release.card === null ? (lacks ?? new NoModel({ code: "corrupt", message: "card.json is missing", file: "card.json" })) : sourceOf(release.card);
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
      model: release.card?.length ?? 0,
      index: release.manifest.length + sumBytes(small),
      documents: 0,
    };
    return {
      index,
      info: index.info(),
      source,
      sourceOf,
      onDemand: new OnDemand(index, probes, (file) => this.#counted("index", folders.index, file)),
      documents: new Documents(index, (file) => this.#counted("documents", folders.index, file)),
      rankings: new Rankings(index, index.info().no_match_below),
      release,
      folders,
      kept,
    };
  }

  /** Downloads and starts what a search by meaning needs besides; again after a failure. */
  async meaning(): Promise<{ downloads: Downloads }> {
    const site = this.#loaded();
    this.#deepening ??= this.#deepen(site).finally(() => {
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
    const all = known ?? rankings.rank(asked, stage, encoded);
    const { ranking, hits } = all;
    const ranked = since();
    const { close, matching, by } = ranking;
    // A small collection ranks all of its records for any question: those that do not answer it wait to be asked for.
    const listed = close && !nearest ? Math.max(all.near, Math.min(show, hits.length)) : hits.length;
    const found = close || nearest ? await documents.read(hits.slice(0, show), asked) : [];
    return {
      stage,
      documents: found,
      ranked: listed,
      far: hits.length - listed,
      dates: rankings.dates(all, listed),
      best: hits[0]?.score ?? null,
      close,
      matching,
      by,
      understood,
      backend: all.backend,
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
      prose: info.time_score === "prose",
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
      backend: null,
      ranking: { hits: [], close: false, matching: 0, by: { meaning: true, words: false, time: false } },
      hits: [],
      near: 0,
    };
    const named = this.around.now();
    const all = known ? (rankings.recall(asked, "full", like.document) ?? rankings.similar(asked, like.document)) : empty;
    const { ranking, hits } = all;
    const ranked = this.around.now();
    const { close, matching, by } = ranking;
    return {
      stage: "full",
      documents: await documents.read(hits.slice(0, show), asked),
      ranked: hits.length,
      far: 0,
      dates: rankings.dates(all, hits.length),
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

  /** What went wrong: a trap for want of memory is told as that. */
  report(thrown: unknown): FailureReport {
    const report = reportOf(thrown);
    if (report.code !== "internal" || report.fatal !== true || this.#door?.memory_refused() !== true) return report;
    return { ...report, code: "out_of_memory", message: `the browser has no memory left for it (${report.message})` };
  }

  /**
   * Takes an error that no call caught: a trap inside a module's own task.
   *
   * @returns true when only the GPU is lost and the engine lives on.
   */
  survives(error: unknown): boolean {
    const encoding = this.#encoding;
    if (encoding === null) return false;
    const trace = error instanceof Error ? `${error.message} ${error.stack ?? ""}` : String(error);
    // A GPU that has been given up may still trap.
    const ofGpu = trace.includes("almanac_gpu");
    if (!ofGpu && (trace.includes("almanac_cpu") || !encoding.gpuInUse)) return false;
    encoding.gpuDied(`the GPU program stopped unexpectedly (${error instanceof Error ? error.message : String(error)})`);
    return true;
  }

  async #deepen(site: Site): Promise<void> {
    if (this.#encoding !== null) return;
    const source = site.source instanceof NoModel ? await this.#foundModel(site) : site.source;
    this.#encoding = await loadMeaning(source, this.#meter());
    this.#downloads.model += sumBytes([...source.card.weights, source.card.tokenizer]);
    this.#downloads.index += sumBytes(source.vectors);
  }

  /** Asks again for the card that could not be had. */
  async #foundModel(site: Site): Promise<MeaningSource> {
    const card = await newestCard(this.around.files, site.folders);
    const source = site.sourceOf(card);
    site.source = source;
    site.release = { ...site.release, card };
    this.#downloads.model = card.length;
    return source;
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
    return newest !== null && !sameBytes(newest.release.manifest, site.release.manifest);
  }

  #totals(): Downloads {
    return { ...this.#downloads, program: this.around.programBytes() };
  }
}

/** The card of an index's own model. */
function cardFor(index: Index, bytes: Uint8Array): Card {
  try {
    const card = readCard(bytes);
    naming("manifest.json", () => index.check_model(card.id));
    return card;
  } catch (cause) {
    throw new NoModel(reportOf(cause, "card.json"));
  }
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
