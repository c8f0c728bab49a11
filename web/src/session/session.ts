import { Client, type WorkerLike } from "../client/client";
import { reportOf } from "../failure";
import type { BackendWish, EventMessage } from "../protocol";
import { cleanQuery, MAX_QUERY_UNITS } from "../text/query";
import type { BackendMemory } from "./memory";
import { initialState, type Phase, type SessionState } from "./state";

/** Pause in typing after which a search starts, in milliseconds. */
export const DEBOUNCE_MILLIS = 150;

/** What a session is made of. */
export interface SessionOptions {
  startWorker: () => WorkerLike;
  /** Read at each load, so that a changed attribute counts. */
  site: () => { model: string; index: string; backend: BackendWish };
  /** Documents wanted for each search. */
  results: () => number;
  memory: BackendMemory;
  onChange: (state: SessionState) => void;
}

/** A query as it waits or runs. */
interface Wanted {
  query: string;
  nearest: boolean;
}

/**
 * One visitor's search: loads when first needed, runs one search at a time, and
 * lets the last query win.
 */
export class SearchSession {
  #state: SessionState = initialState;
  #client: Client | null = null;
  #loaded = false;
  #restarted = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The newest query; anything else that comes back is dropped. */
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

  /** Takes the text as it is typed. */
  type(typed: string): void {
    clearTimeout(this.#timer);
    this.load();
    if (cleanQuery(typed).text === "") return this.clear();
    this.#timer = setTimeout(() => this.submit(typed), DEBOUNCE_MILLIS);
  }

  /** Searches at once; `nearest` asks for results even where nothing is close. */
  submit(typed: string, nearest = false): void {
    clearTimeout(this.#timer);
    this.load();
    const { text, shortened } = cleanQuery(typed);
    if (text === "") return this.clear();
    const same = this.#wanted !== null && this.#wanted.query === text && this.#wanted.nearest === nearest;
    this.#wanted = { query: text, nearest };
    this.#set({
      notice: shortened ? `Only the first ${MAX_QUERY_UNITS.toLocaleString("en-GB")} characters were searched for.` : null,
    });
    const shown = this.#state.phase.name === "results" || this.#state.phase.name === "no-match";
    if (!(same && shown)) this.#run();
  }

  /** Forgets the query and its results. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#wanted = null;
    if (this.#loaded && this.#state.phase.name !== "failed") this.#set({ phase: { name: "ready" }, notice: null });
  }

  /** Tries again what failed: the search where the worker still lives, else the whole loading. */
  retry(): void {
    if (this.#state.phase.name !== "failed") return;
    if (this.#loaded && this.#wanted !== null) return this.#run();
    this.#restarted = false;
    void this.#load();
  }

  /** Ends the worker. */
  close(): void {
    clearTimeout(this.#timer);
    this.#drop();
    this.#wanted = null;
    this.#state = initialState;
  }

  async #load(): Promise<void> {
    this.#drop();
    this.#phase({ name: "loading", progress: { received: 0, total: 0, step: "Starting the search program" } });
    let client: Client | null = null;
    try {
      client = new Client(this.options.startWorker(), (event) => this.#hear(client, event));
      this.#client = client;
      const settled = this.options.memory.recall();
      const request = { ...this.options.site(), ...(settled === undefined ? {} : { settled }) };
      const { info, downloads } = await client.call("load", request);
      if (client !== this.#client) return;
      this.#loaded = true;
      this.#set({ phase: { name: "ready" }, info, downloads });
      this.#run();
    } catch (thrown) {
      if (client === this.#client) this.#fail(thrown);
    }
  }

  #run(): void {
    const client = this.#client;
    const wanted = this.#wanted;
    // A search that is under way is let finish; its end starts the newest one.
    if (client === null || !this.#loaded || wanted === null || this.#running !== null) return;
    void this.#search(client, wanted);
  }

  async #search(client: Client, wanted: Wanted): Promise<void> {
    this.#running = wanted;
    this.#phase({ name: "searching", query: wanted.query });
    const start = performance.now();
    try {
      const found = await client.call("search", { ...wanted, k: this.options.results() });
      if (client !== this.#client) return;
      this.#running = null;
      this.#set({ downloads: found.downloads });
      if (wanted !== this.#wanted) return this.#run();
      if (found.close || wanted.nearest) {
        const millis = performance.now() - start;
        this.#phase({ name: "results", query: wanted.query, found, nearest: !found.close, millis });
      } else {
        this.#phase({ name: "no-match", query: wanted.query, found });
      }
    } catch (thrown) {
      if (client !== this.#client) return;
      this.#running = null;
      if (client.alive && wanted !== this.#wanted) return this.#run();
      this.#fail(thrown);
    }
  }

  #hear(client: Client | null, event: EventMessage): void {
    if (client !== this.#client) return;
    if (event.event === "backend") {
      this.options.memory.keep(event.choice);
      this.#set({ backend: event.choice });
    } else if (this.#state.phase.name === "loading") {
      this.#phase({ name: "loading", progress: event.progress });
    }
  }

  #fail(thrown: unknown): void {
    const searchable = this.#loaded && this.#client?.alive === true;
    // A worker that dies at work is started again once; the query it died on waits for it.
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
    client?.close();
  }

  #phase(phase: Phase): void {
    this.#set({ phase });
  }

  #set(change: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...change };
    this.options.onChange(this.#state);
  }
}
