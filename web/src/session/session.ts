import { Client, type WorkerLike } from "../client/client";
import type { Question, Weights } from "../door";
import { reportOf, type FailureReport } from "../failure";
import type { BackendWish, EventMessage, Explained, Found, RecordName, Stage, Unkept } from "../protocol";
import { cleanQuery } from "../text/query";
import { noAsk, sameAsk, type Ask } from "./ask";
import { conditions, doorFilter, knownFilter, type FilterChoice } from "./filter";
import type { BackendMemory } from "./memory";
import { initialState, type Keeping, type Notice, type Phase, type SessionState } from "./state";

/** Pause in typing after which words and dates are searched, in milliseconds: about two frames. */
export const WORDS_PAUSE_MILLIS = 30;

/** Pause in typing after which meaning is compared too, in milliseconds; encoding is too dear for each key. */
export const FULL_PAUSE_MILLIS = 150;

/** Documents ranked for each question, the most that can be asked for. */
export const RANKED = 200;

/** What a session is made of. */
export interface SessionOptions {
  startWorker: () => WorkerLike;
  /** Read at each load, so that a changed attribute counts. */
  site: () => { model: string; index: string; backend: BackendWish };
  /** Documents shown at first, and added by each "more". */
  results: () => number;
  /** Day that relative dates count from, YYYY-MM-DD. */
  today: () => string;
  /** Whether the model waits until the visitor asks for it. */
  savesData: () => boolean;
  memory: BackendMemory;
  onChange: (state: SessionState) => void;
}

/** A question as it waits or runs. */
interface Wanted {
  ask: Ask;
  nearest: boolean;
  /** Documents to show. */
  show: number;
  /** Documents the newest answer was asked to show. */
  shown: number;
  /** Whether the typing has paused long enough for meaning to be compared. */
  deep: boolean;
  /** What the newest answer rests on. */
  answered: Stage | null;
  /** An answer that found nothing: half a word is no reason to empty the page, so it waits for a pause in typing. */
  held: Found | null;
}

/**
 * One visitor's search: loads in two stages when first needed, runs one search
 * at a time, answers by words first, and lets the last question win.
 */
export class SearchSession {
  #state: SessionState = initialState;
  #client: Client | null = null;
  #loaded = false;
  #restarted = false;
  /** Whether the visitor has asked for the model in spite of its size. */
  #consented = false;
  /** What killed the worker while the model was loaded; the model is then left alone until Retry. */
  #meaningFault: FailureReport | null = null;
  #wordsTimer: ReturnType<typeof setTimeout> | undefined;
  #fullTimer: ReturnType<typeof setTimeout> | undefined;
  /** The newest question; anything else that comes back is dropped. */
  #wanted: Wanted | null = null;
  #running: Wanted | null = null;

  constructor(private readonly options: SessionOptions) {}

  get state(): SessionState {
    return this.#state;
  }

  /** Starts the download, once. */
  load(): void {
    if (this.#client === null && this.#state.phase.name === "idle") void this.#load();
  }

  /** Takes the text as it is typed: words and dates answer almost at once, meaning when the typing pauses. */
  type(typed: string): void {
    this.#stopTimers();
    this.load();
    if (cleanQuery(typed).text === "") return this.clear();
    this.#wordsTimer = setTimeout(() => this.#pause(typed, false), WORDS_PAUSE_MILLIS);
    this.#fullTimer = setTimeout(() => this.#pause(typed, true), FULL_PAUSE_MILLIS);
  }

  /** Searches at once; `nearest` asks for results even where nothing is close. */
  submit(typed: string, nearest = false): void {
    this.#stopTimers();
    this.load();
    if (cleanQuery(typed).text === "") return this.clear();
    this.#want(typed, nearest, true);
  }

  /** Searches at once for a text of another's choice: its dates are dates again. */
  begin(query: string): void {
    this.#set({ ask: { ...this.#state.ask, time: true } });
    this.submit(query);
  }

  /** Shows what is like a record; the query waits until that is taken back. */
  like(like: RecordName): void {
    this.#stopTimers();
    this.#change({ like });
  }

  /** Goes back from what is like a record to the query. */
  unlike(): void {
    this.#change({ like: null });
  }

  /** Takes the scores of a question apart; null while meaning cannot be compared yet. */
  async explain(query: string, show: number, weights?: Weights): Promise<Explained | null> {
    const client = this.#client;
    if (client === null || this.#state.meaning.name !== "ready") return null;
    const question = { ...this.#question({ ...noAsk, query: cleanQuery(query).text }), k: show };
    return client.call("explain", { question: weights === undefined ? question : { ...question, weights }, show });
  }

  /** Forgets the query and its results; the filter stays, and what passes it can be browsed. */
  clear(): void {
    this.#stopTimers();
    this.#set({ ask: { ...noAsk, filter: this.#state.ask.filter }, notices: [] });
    this.#browse();
  }

  /** Shows more of what the newest answer ranks. */
  more(): void {
    const { phase } = this.#state;
    if (phase.name !== "results" || this.#wanted === null || phase.found.documents.length >= phase.found.ranked) return;
    this.#wanted.show = phase.found.documents.length + this.options.results();
    this.#run();
  }

  /** Shows what is ranked after all that answers the question, too. */
  further(): void {
    const { phase } = this.#state;
    if (phase.name !== "results" || this.#wanted === null || phase.found.far === 0) return;
    this.#wanted.nearest = true;
    this.#wanted.show = phase.found.documents.length + this.options.results();
    this.#run();
  }

  /** Changes what may be found, and searches again. */
  filter(filter: FilterChoice): void {
    this.load();
    this.#change({ filter });
  }

  /** Reads dates in the query as dates, or as plain words, and searches again. */
  readDates(time: boolean): void {
    this.#change({ time });
  }

  /** Asks anew what an address holds. */
  restore(ask: Ask, notices: readonly Notice[]): void {
    this.#stopTimers();
    this.#set({ ask: { ...ask, query: "", like: null }, notices });
    if (ask.query !== "" || ask.like !== null || conditions(ask.filter) > 0) this.load();
    this.#keepKnown();
    if (ask.like !== null) this.#change({ query: cleanQuery(ask.query).text, like: ask.like }, this.#state.notices);
    else if (cleanQuery(ask.query).text === "") this.#browse();
    else this.#want(ask.query, false, true, this.#state.notices);
  }

  /** Fetches the model although data is saved, or again after it failed. */
  deepen(): void {
    const { name } = this.#state.meaning;
    this.#consented = true;
    if (this.#loaded && this.#client !== null && (name === "offered" || name === "failed")) void this.#deepen(this.#client);
  }

  /** Fetches the rest of the site, for use without a network. */
  keep(): void {
    const { keeping } = this.#state;
    if (this.#client !== null && (keeping.name === "offered" || keeping.name === "failed")) void this.#keep(this.#client, keeping.bytes);
  }

  /** Tries again what failed: the search where the worker still lives, else the loading. */
  retry(): void {
    if (this.#state.phase.name !== "failed") return this.deepen();
    if (this.#loaded && this.#wanted !== null) return this.#run();
    this.#restarted = false;
    this.#meaningFault = null;
    void this.#load();
  }

  /** Ends the worker. */
  close(): void {
    this.#stopTimers();
    this.#drop();
    this.#wanted = null;
    this.#state = initialState;
  }

  /** Searches for what was typed before the pause; what has failed waits for Retry or another key. */
  #pause(typed: string, deep: boolean): void {
    const failed = this.#state.phase.name === "failed" && this.#state.ask.query === cleanQuery(typed).text;
    if (!failed) return this.#want(typed, false, deep);
    if (this.#wanted !== null) this.#wanted.deep ||= deep;
  }

  #want(typed: string, nearest: boolean, deep: boolean, kept: readonly Notice[] = []): void {
    const { text, shortened } = cleanQuery(typed);
    const ask: Ask = { ...this.#state.ask, query: text, like: null };
    const before = this.#wanted;
    const notices: Notice[] = [...kept, ...(shortened ? [{ about: "shortened" } as const] : [])];
    this.#set({ ask, notices });
    if (before !== null && sameAsk(before.ask, ask) && (before.nearest === nearest || !deep)) {
      before.deep ||= deep;
    } else {
      this.#wanted = this.#asked(ask, nearest, deep);
    }
    this.#run();
  }

  #asked(ask: Ask, nearest: boolean, deep: boolean): Wanted {
    return { ask, nearest, show: this.options.results(), shown: 0, deep, answered: null, held: null };
  }

  /** Without a query: what passes the filter, or nothing where everything passes. */
  #browse(): void {
    const { ask, phase } = this.#state;
    if (conditions(ask.filter) > 0) {
      this.#wanted = this.#asked(ask, false, true);
      return this.#run();
    }
    this.#wanted = null;
    if (this.#loaded && phase.name !== "failed") this.#phase({ name: "ready" });
  }

  #change(change: Partial<Ask>, notices: readonly Notice[] = []): void {
    const ask = { ...this.#state.ask, ...change };
    if (sameAsk(ask, this.#state.ask)) return;
    this.#set({ ask, notices });
    if (ask.like === null && ask.query === "") return this.#browse();
    if (ask.like === null && this.#wanted === null) return;
    this.#wanted = this.#asked(ask, false, true);
    this.#run();
  }

  async #load(): Promise<void> {
    this.#drop();
    this.#set({ phase: { name: "loading", progress: { received: 0, total: 0, step: "program" } }, meaning: { name: "unknown" }, keeping: { name: "unknown" } });
    let client: Client | null = null;
    try {
      client = new Client(this.options.startWorker(), (event) => this.#hear(client, event));
      this.#client = client;
      const settled = this.options.memory.recall();
      const request = { ...this.options.site(), ...(settled === undefined ? {} : { settled }) };
      const { info, downloads, meaning_bytes: bytes, meaning_fault: fault } = await client.call("load", request);
      if (client !== this.#client) return;
      this.#loaded = true;
      this.#set({ phase: { name: "ready" }, info, downloads, meaning: { name: "offered", bytes } });
      this.#keepKnown();
      const failure = this.#meaningFault ?? fault;
      if (failure !== null) this.#set({ meaning: { name: "failed", bytes, failure } });
      else if (this.#consented || !this.options.savesData()) void this.#deepen(client);
      this.#run();
      void this.#settle(client);
    } catch (thrown) {
      if (client === this.#client) this.#fail(thrown);
    }
  }

  async #deepen(client: Client): Promise<void> {
    const before = this.#state.meaning;
    if (before.name !== "offered" && before.name !== "failed") return;
    const { bytes } = before;
    this.#meaningFault = null;
    this.#set({ meaning: { name: "loading", bytes, progress: { received: 0, total: bytes, step: "model" } } });
    try {
      const { downloads } = await client.call("meaning", null);
      if (client !== this.#client) return;
      this.#set({ meaning: { name: "ready" }, downloads });
      this.#run();
      void this.#settle(client);
    } catch (thrown) {
      if (client !== this.#client) return;
      const failure = reportOf(thrown);
      if (client.alive) return this.#set({ meaning: { name: "failed", bytes, failure } });
      // Words and dates need a worker that lives; the model that killed this one is left alone.
      this.#meaningFault = failure;
      void this.#load();
    }
  }

  /** Learns what this browser keeps; that it cannot be learned takes nothing away. */
  async #settle(client: Client): Promise<void> {
    const answer = await client.call("settle", null).catch(() => null);
    if (client === this.#client && answer !== null && this.#state.keeping.name !== "running") this.#set({ keeping: keepingOf(answer.unkept) });
  }

  async #keep(client: Client, bytes: number): Promise<void> {
    this.#set({ keeping: { name: "running", bytes, progress: { received: 0, total: bytes, step: "keeping" } } });
    try {
      const { unkept } = await client.call("keep", null);
      if (client === this.#client) this.#set({ keeping: keepingOf(unkept) });
    } catch (thrown) {
      if (client === this.#client) this.#set({ keeping: { name: "failed", bytes, failure: reportOf(thrown) } });
    }
  }

  #run(): void {
    const client = this.#client;
    const wanted = this.#wanted;
    // A search that is under way is let finish; its end starts the newest one.
    if (client === null || !this.#loaded || wanted === null || this.#running !== null) return;
    const full = wanted.deep && this.#state.meaning.name === "ready";
    // Likeness is compared by meaning alone: until that is there, the page says what it waits for.
    if (wanted.ask.like !== null && !full) return this.#phase({ name: "ready" });
    const failed = this.#state.phase.name === "failed";
    if (full && (wanted.answered !== "full" || failed)) void this.#search(client, wanted, "full");
    else if (wanted.answered !== null && wanted.show > wanted.shown) void this.#search(client, wanted, wanted.answered);
    else if (wanted.answered === null || failed) void this.#search(client, wanted, "words");
    else if (wanted.held !== null && wanted.deep) this.#phase({ name: "no-match", found: wanted.held });
  }

  async #search(client: Client, wanted: Wanted, stage: Stage): Promise<void> {
    this.#running = wanted;
    // What words have found stays in view, with its announcement, until the full answer takes its place.
    if (wanted.answered === null || this.#state.phase.name !== "results") this.#phase({ name: "searching" });
    const start = performance.now();
    const { show, nearest } = wanted;
    try {
      const question = this.#question(wanted.ask);
      const { like } = wanted.ask;
      const found = await client.call("search", { question, show, stage, nearest, ...(like === null ? {} : { like }) });
      if (client !== this.#client) return;
      this.#running = null;
      this.#set({ downloads: found.downloads });
      wanted.shown = show;
      if (wanted === this.#wanted) this.#show(wanted, found, performance.now() - start);
      this.#run();
    } catch (thrown) {
      if (client !== this.#client) return;
      this.#running = null;
      if (client.alive && wanted !== this.#wanted) return this.#run();
      this.#fail(thrown);
    }
  }

  #show(wanted: Wanted, found: Found, millis: number): void {
    wanted.answered = found.stage;
    wanted.held = null;
    const { like } = wanted.ask;
    if (like !== null && found.like?.title === null) return this.#change({ like: null }, [{ about: "like", value: like.id }]);
    const partial = found.stage === "words" && this.#state.meaning.name === "ready";
    if (found.documents.length > 0 && (found.close || wanted.nearest)) {
      return this.#phase({ name: "results", found, nearest: !found.close, millis, partial });
    }
    // That no words match says nothing yet where meaning will be compared in a moment.
    if (!partial) wanted.held = found;
  }

  #question(ask: Ask): Question {
    const { info } = this.#state;
    const filter = info === null ? undefined : doorFilter(ask.filter, info);
    return {
      query: ask.like === null ? ask.query : "",
      anchor: this.options.today(),
      time: ask.time,
      k: RANKED,
      ...(filter === undefined ? {} : { filter }),
    };
  }

  /** Leaves out the facets that the index does not have, and says so. */
  #keepKnown(): void {
    const { info, ask, notices } = this.#state;
    if (info === null) return;
    const { known, unknown } = knownFilter(ask.filter, info);
    if (unknown.length === 0) return;
    const said = unknown.map(({ label, value }): Notice => ({ about: "facet", value: `${label}: ${value}` }));
    const kept = { ...ask, filter: known };
    if (this.#wanted !== null) this.#wanted = { ...this.#wanted, ask: { ...this.#wanted.ask, filter: known } };
    // Without a query and without a filter there is nothing to browse by.
    if (kept.query === "" && kept.like === null && conditions(known) === 0) this.#wanted = null;
    this.#set({ ask: kept, notices: [...notices, ...said] });
  }

  #hear(client: Client | null, event: EventMessage): void {
    if (client !== this.#client) return;
    const { phase, meaning, keeping } = this.#state;
    if (event.event === "backend") {
      this.options.memory.keep(event.choice);
      this.#set({ backend: event.choice });
    } else if (event.progress.step === "keeping") {
      if (keeping.name === "running") this.#set({ keeping: { ...keeping, progress: event.progress } });
    } else if (phase.name === "loading") {
      this.#phase({ name: "loading", progress: event.progress });
    } else if (meaning.name === "loading") {
      this.#set({ meaning: { ...meaning, progress: event.progress } });
    }
  }

  #fail(thrown: unknown): void {
    const searchable = this.#loaded && this.#client?.alive === true;
    // A worker that dies at work is started again once; the question it died on waits for it.
    if (this.#loaded && !searchable && !this.#restarted) {
      this.#restarted = true;
      void this.#load();
      return;
    }
    if (!searchable) this.#drop();
    this.#phase({ name: "failed", failure: reportOf(thrown) });
  }

  #drop(): void {
    const client = this.#client;
    this.#client = null;
    this.#loaded = false;
    this.#running = null;
    if (this.#wanted !== null) this.#wanted.answered = null;
    client?.close();
  }

  #stopTimers(): void {
    clearTimeout(this.#wordsTimer);
    clearTimeout(this.#fullTimer);
  }

  #phase(phase: Phase): void {
    this.#set({ phase });
  }

  #set(change: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...change };
    this.options.onChange(this.#state);
  }
}

function keepingOf(unkept: Unkept): Keeping {
  if (unkept === null) return { name: "unknown" };
  return unkept === 0 ? { name: "kept" } : { name: "offered", bytes: unkept };
}
