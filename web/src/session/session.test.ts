import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Question } from "../door";
import type { BackendChoice, CallMessage, CallName, Found, Loaded, SearchRequest } from "../protocol";
import { fakeInfo } from "../testing/fake-door";
import { FakeWorker } from "../testing/fake-worker";
import { foundIds } from "../testing/found";
import { noAsk } from "./ask";
import { noFilter } from "./filter";
import type { BackendMemory } from "./memory";
import { backendMemory } from "./memory";
import { FULL_PAUSE_MILLIS, RANKED, SearchSession, WORDS_PAUSE_MILLIS } from "./session";
import type { SessionState } from "./state";

const downloads = { program: 1, model: 2, index: 3, documents: 0 };
const loaded: Loaded = { info: fakeInfo, meaning_bytes: 24_000_000, meaning_fault: null, downloads, version: "0" };
const words = { stage: "words" } as const;
const arms = { label: "Department", value: "Arms" };

/** A session whose workers the test plays. */
class Stage {
  readonly workers: FakeWorker[] = [];
  readonly states: SessionState[] = [];
  readonly kept: BackendChoice[] = [];
  readonly memory: BackendMemory = { recall: () => undefined, keep: (choice) => this.kept.push(choice) };
  savesData = false;
  readonly session = new SearchSession({
    startWorker: () => {
      const worker = new FakeWorker();
      this.workers.push(worker);
      return worker;
    },
    site: () => ({ model: "m", index: "i", backend: "auto" }),
    results: () => 10,
    today: () => "2026-01-02",
    savesData: () => this.savesData,
    memory: this.memory,
    onChange: (state) => this.states.push(state),
  });

  get worker(): FakeWorker {
    const worker = this.workers.at(-1);
    if (worker === undefined) throw new Error("no worker was started");
    return worker;
  }

  get phase(): string {
    return this.session.state.phase.name;
  }

  calls(name: CallName): CallMessage[] {
    return this.worker.sent.filter((message) => message.name === name);
  }

  get searches(): SearchRequest[] {
    return this.worker.sent.flatMap((message) => (message.name === "search" ? [message.request] : []));
  }

  /** Questions the current worker was asked, oldest first, as in "boats (full)". */
  get asked(): string[] {
    return this.searches.map(({ question, stage }) => `${question.query} (${stage})`);
  }

  get lastQuestion(): Question {
    const last = this.searches.at(-1);
    if (last === undefined) throw new Error("nothing was asked");
    return last.question;
  }

  async wait(millis: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(millis);
  }

  /** Answers the newest call of a name. */
  async answer(name: "load", value: Loaded): Promise<void>;
  async answer(name: "search", value: Found): Promise<void>;
  async answer(name: "meaning"): Promise<void>;
  async answer(name: CallName, value?: unknown): Promise<void> {
    const last = this.calls(name).at(-1);
    this.worker.say({ answer: last?.call ?? 0, ok: true, value: (value ?? { downloads }) as never });
    await this.wait(0);
  }

  async fail(name: CallName, code: "corrupt" | "network", file: string): Promise<void> {
    const last = this.calls(name).at(-1);
    this.worker.say({ answer: last?.call ?? 0, ok: false, failure: { code, message: `${file} is bad`, file } });
    await this.wait(0);
  }

  /** Loaded for words and time. */
  async ready(): Promise<void> {
    this.session.load();
    await this.answer("load", loaded);
  }

  /** Loaded for meaning too. */
  async full(): Promise<void> {
    await this.ready();
    await this.answer("meaning");
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("loading", () => {
  it("starts nothing before it is needed", () => {
    const stage = new Stage();
    expect(stage.workers).toHaveLength(0);
    expect(stage.phase).toBe("idle");
  });

  it("happens once, however often it is asked for", async () => {
    const stage = new Stage();
    stage.session.load();
    stage.session.load();
    stage.session.type("a");
    expect(stage.workers).toHaveLength(1);
    expect(stage.calls("load")).toHaveLength(1);
  });

  it("is followed by the query typed meanwhile", async () => {
    const stage = new Stage();
    stage.session.type("boats");
    await stage.wait(FULL_PAUSE_MILLIS);
    expect(stage.asked).toEqual([]);
    await stage.answer("load", loaded);
    expect(stage.asked).toEqual(["boats (words)"]);
  });

  it("that fails names the file, and Retry begins again with a new worker", async () => {
    const stage = new Stage();
    stage.session.submit("boats");
    await stage.fail("load", "corrupt", "lexicon.bin");
    expect(stage.session.state.phase).toMatchObject({ name: "failed", failure: { file: "lexicon.bin" } });
    expect(stage.worker.terminated).toBe(true);
    stage.session.retry();
    await stage.answer("load", loaded);
    await stage.answer("search", foundIds(["boat"], words));
    expect(stage.workers).toHaveLength(2);
    expect(stage.phase).toBe("results");
  });

  it("without a worker is a failure with its reason", async () => {
    const failing = new SearchSession({
      startWorker: () => {
        throw new Error("blocked by policy");
      },
      site: () => ({ model: "m", index: "i", backend: "auto" }),
      results: () => 10,
      today: () => "2026-01-02",
      savesData: () => false,
      memory: { recall: () => undefined, keep: () => undefined },
      onChange: () => undefined,
    });
    failing.load();
    expect(failing.state.phase).toMatchObject({ name: "failed", failure: { message: "blocked by policy" } });
  });
});

describe("the search by meaning", () => {
  it("is fetched behind the search by words, with its progress", async () => {
    const stage = new Stage();
    await stage.ready();
    expect(stage.phase).toBe("ready");
    stage.worker.say({ event: "progress", progress: { received: 1, total: 24_000_000, step: "model" } });
    expect(stage.session.state.meaning).toMatchObject({ name: "loading", bytes: 24_000_000, progress: { received: 1 } });
    expect(stage.phase).toBe("ready");
    await stage.answer("meaning");
    expect(stage.session.state.meaning).toEqual({ name: "ready" });
  });

  it("answers again, once, what was answered by words while it was fetched", async () => {
    const stage = new Stage();
    await stage.ready();
    stage.session.submit("boats");
    await stage.answer("search", foundIds(["by words"], words));
    expect(stage.session.state.phase).toMatchObject({ name: "results", partial: false, found: { stage: "words" } });
    await stage.answer("meaning");
    expect(stage.asked).toEqual(["boats (words)", "boats (full)"]);
    expect(stage.session.state.phase).toMatchObject({ name: "results", found: { stage: "words" } });
    await stage.answer("search", foundIds(["by meaning"]));
    expect(stage.session.state.phase).toMatchObject({ name: "results", partial: false, found: { stage: "full" } });
    expect(stage.asked).toHaveLength(2);
  });

  it("is awaited before it is said again that nothing matches", async () => {
    const stage = new Stage();
    await stage.ready();
    stage.session.submit("boats");
    await stage.answer("search", foundIds([], { ...words, close: false }));
    expect(stage.phase).toBe("no-match");
    await stage.answer("meaning");
    expect(stage.phase).toBe("searching");
    await stage.answer("search", foundIds(["boat"]));
    expect(stage.phase).toBe("results");
  });

  it("that fails leaves words and dates, and Retry fetches it again with the same worker", async () => {
    const stage = new Stage();
    await stage.ready();
    await stage.fail("meaning", "corrupt", "w1.bin");
    expect(stage.session.state.meaning).toMatchObject({ name: "failed", bytes: 24_000_000, failure: { file: "w1.bin" } });
    stage.session.submit("boats");
    await stage.answer("search", foundIds(["boat"], words));
    expect(stage.phase).toBe("results");
    stage.session.retry();
    expect(stage.calls("meaning")).toHaveLength(2);
    await stage.answer("meaning");
    await stage.answer("search", foundIds(["boat"]));
    expect(stage.workers).toHaveLength(1);
    expect(stage.session.state.meaning).toEqual({ name: "ready" });
  });

  it("that kills the worker is left alone by the next one until Retry", async () => {
    const stage = new Stage();
    await stage.ready();
    stage.session.submit("boats");
    stage.worker.crash("out of memory");
    await stage.wait(0);
    expect(stage.workers).toHaveLength(2);
    await stage.answer("load", loaded);
    expect(stage.calls("meaning")).toHaveLength(0);
    expect(stage.session.state.meaning).toMatchObject({ name: "failed", failure: { code: "worker" } });
    await stage.answer("search", foundIds(["boat"], words));
    expect(stage.phase).toBe("results");
    stage.session.retry();
    expect(stage.calls("meaning")).toHaveLength(1);
  });

  it("is not fetched where data is saved until the visitor asks, and then stays wanted", async () => {
    const stage = new Stage();
    stage.savesData = true;
    await stage.ready();
    expect(stage.session.state.meaning).toEqual({ name: "offered", bytes: 24_000_000 });
    stage.session.submit("boats");
    await stage.answer("search", foundIds(["boat"], words));
    expect(stage.calls("meaning")).toHaveLength(0);
    stage.session.deepen();
    await stage.answer("meaning");
    await stage.answer("search", foundIds(["boat"]));
    stage.session.submit("ships");
    stage.worker.crash("trap");
    await stage.wait(0);
    await stage.answer("load", loaded);
    expect(stage.calls("meaning")).toHaveLength(1);
  });
});

describe("fast typing", () => {
  it("is answered by words within two frames, and by meaning only once it pauses", async () => {
    const stage = new Stage();
    await stage.full();
    for (const typed of ["b", "bo", "boa", "boat"]) {
      stage.session.type(typed);
      await stage.wait(WORDS_PAUSE_MILLIS);
      await stage.answer("search", foundIds([typed], words));
    }
    expect(stage.asked).toEqual(["b (words)", "bo (words)", "boa (words)", "boat (words)"]);
    expect(stage.session.state.phase).toMatchObject({ name: "results", partial: true });
    await stage.wait(FULL_PAUSE_MILLIS - WORDS_PAUSE_MILLIS);
    expect(stage.asked.at(-1)).toBe("boat (full)");
    await stage.answer("search", foundIds(["boat"]));
    expect(stage.session.state.phase).toMatchObject({ name: "results", partial: false });
    expect(stage.asked).toHaveLength(5);
  });

  it("without a pause searches nothing", async () => {
    const stage = new Stage();
    await stage.full();
    for (const typed of ["b", "bo", "boa"]) {
      stage.session.type(typed);
      await stage.wait(WORDS_PAUSE_MILLIS - 1);
    }
    expect(stage.asked).toEqual([]);
  });

  it("drops a full answer that comes after the next key", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.type("boat");
    await stage.wait(WORDS_PAUSE_MILLIS);
    await stage.answer("search", foundIds(["boat"], words));
    await stage.wait(FULL_PAUSE_MILLIS);
    stage.session.type("boats");
    await stage.wait(WORDS_PAUSE_MILLIS);
    await stage.answer("search", foundIds(["stale"]));
    expect(stage.session.state.phase).toMatchObject({ name: "searching" });
    await stage.answer("search", foundIds(["fresh"], words));
    const shown = stage.states.flatMap(({ phase }) => (phase.name === "results" ? phase.found.documents.map(({ id }) => id) : []));
    expect(shown).not.toContain("stale");
    expect(shown.at(-1)).toBe("fresh");
  });

  it("does not say that nothing matches before meaning has been compared", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.type("boat");
    await stage.wait(WORDS_PAUSE_MILLIS);
    await stage.answer("search", foundIds([], { ...words, close: false }));
    expect(stage.phase).toBe("searching");
    await stage.wait(FULL_PAUSE_MILLIS);
    await stage.answer("search", foundIds(["boat"]));
    expect(stage.phase).toBe("results");
    expect(stage.states.some(({ phase }) => phase.name === "no-match")).toBe(false);
  });

  it("by words alone says that nothing matches only once it pauses", async () => {
    const stage = new Stage();
    stage.savesData = true;
    await stage.ready();
    stage.session.type("bo");
    await stage.wait(WORDS_PAUSE_MILLIS);
    await stage.answer("search", foundIds([], { ...words, close: false }));
    expect(stage.phase).toBe("searching");
    await stage.wait(FULL_PAUSE_MILLIS - WORDS_PAUSE_MILLIS - 1);
    expect(stage.phase).toBe("searching");
    await stage.wait(1);
    expect(stage.phase).toBe("no-match");
    expect(stage.asked).toHaveLength(1);
  });

  it("lets the last query win and skips those in between", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.submit("one");
    stage.session.submit("two");
    stage.session.submit("three");
    await stage.answer("search", foundIds(["from one"]));
    expect(stage.phase).toBe("searching");
    expect(stage.asked).toEqual(["one (full)", "three (full)"]);
    await stage.answer("search", foundIds(["from three"]));
    expect(stage.session.state.ask.query).toBe("three");
    const shown = stage.states.flatMap(({ phase }) => (phase.name === "results" ? phase.found.documents.map(({ id }) => id) : []));
    expect(new Set(shown)).toEqual(new Set(["from three"]));
  });

  it("drops the results of a query that was cleared", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.submit("one");
    stage.session.clear();
    await stage.answer("search", foundIds(["late"]));
    expect(stage.phase).toBe("ready");
  });

  it("does not search again for what is already shown", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.submit("boats");
    await stage.answer("search", foundIds(["boat"]));
    stage.session.submit("  boats ");
    expect(stage.asked).toEqual(["boats (full)"]);
    expect(stage.phase).toBe("results");
  });
});

describe("the question", () => {
  it("carries the visitor's day, and the filter by number", async () => {
    const stage = new Stage();
    await stage.ready();
    stage.session.submit("boats last year");
    expect(stage.lastQuestion).toEqual({ query: "boats last year", anchor: "2026-01-02", time: true, k: RANKED });
    await stage.answer("search", foundIds(["boat"], words));
    stage.session.filter({ ...noFilter, to: 0, facets: [arms] });
    expect(stage.lastQuestion.filter).toEqual({ first: null, last: 0, undated: false, facets: [[0, 1]] });
  });

  it("is asked again when its filter or the reading of its dates changes, and only then", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.submit("1984");
    await stage.answer("search", foundIds(["year"]));
    stage.session.filter({ ...noFilter, from: 1850 });
    await stage.answer("search", foundIds(["year"]));
    stage.session.filter({ ...noFilter, from: 1850 });
    expect(stage.asked).toHaveLength(2);
    stage.session.readDates(false);
    expect(stage.lastQuestion).toMatchObject({ time: false, filter: { first: 675_334 } });
    await stage.answer("search", foundIds(["novel"]));
    stage.session.readDates(true);
    expect(stage.lastQuestion.time).toBe(true);
  });

  it("keeps its filter when the box is cleared, but reads dates again", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.filter({ ...noFilter, from: 1850 });
    stage.session.submit("1984");
    await stage.answer("search", foundIds(["year"]));
    stage.session.readDates(false);
    stage.session.clear();
    expect(stage.session.state.ask).toEqual({ ...noAsk, filter: { ...noFilter, from: 1850 } });
  });

  it("from an address is asked once the index is there, without the facets it does not have", async () => {
    const stage = new Stage();
    const strange = { label: "Department", value: "Magic" };
    stage.session.restore({ ...noAsk, query: "boats", filter: { ...noFilter, facets: [arms, strange] } }, [{ about: "year", value: "soon" }]);
    await stage.answer("load", loaded);
    expect(stage.lastQuestion).toMatchObject({ query: "boats", filter: { facets: [[0, 1]] } });
    expect(stage.session.state.notices).toEqual([
      { about: "year", value: "soon" },
      { about: "facet", value: "Department: Magic" },
    ]);
    expect(stage.session.state.ask.filter.facets).toEqual([arms]);
  });

  it("without words is what passes the filter, and nothing without a filter", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.filter({ ...noFilter, from: 1850 });
    expect(stage.lastQuestion).toMatchObject({ query: "", filter: { first: 675_334 } });
    await stage.answer("search", foundIds(["year"]));
    expect(stage.phase).toBe("results");
    stage.session.filter(noFilter);
    expect(stage.asked).toHaveLength(1);
    expect(stage.phase).toBe("ready");
  });

  it("of an address whose only facets are gone browses nothing", async () => {
    const stage = new Stage();
    stage.session.restore({ ...noAsk, filter: { ...noFilter, facets: [{ label: "Department", value: "Magic" }] } }, []);
    await stage.answer("load", loaded);
    expect(stage.asked).toEqual([]);
    expect(stage.phase).toBe("ready");
  });

  it("shows more of its answer a page at a time, without leaving the results, and no more than there is", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.submit("boats");
    const ids = Array.from({ length: 15 }, (_, at) => `${at}`);
    await stage.answer("search", foundIds(ids.slice(0, 10), { ranked: 15 }));
    stage.session.more();
    expect(stage.searches.map(({ show, stage: by }) => [show, by])).toEqual([[10, "full"], [20, "full"]]);
    expect(stage.phase).toBe("results");
    await stage.answer("search", foundIds(ids, { ranked: 15 }));
    stage.session.more();
    expect(stage.searches).toHaveLength(2);
  });

  it("goes on past what answers the question only when asked to", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.submit("boats");
    await stage.answer("search", foundIds(["near"], { far: 3 }));
    stage.session.more();
    expect(stage.searches).toHaveLength(1);
    stage.session.further();
    expect(stage.searches.at(-1)).toMatchObject({ nearest: true, show: 11 });
    await stage.answer("search", foundIds(["near", "a", "b", "c"]));
    expect(stage.session.state.phase).toMatchObject({ name: "results", nearest: false });
    stage.session.further();
    expect(stage.searches).toHaveLength(2);
  });

  it("from an address without a query clears the results and browses by the filter", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.submit("boats");
    await stage.answer("search", foundIds(["boat"]));
    stage.session.restore({ ...noAsk, filter: { ...noFilter, to: 1900 } }, []);
    expect(stage.lastQuestion).toMatchObject({ query: "", filter: { first: null } });
    expect(stage.session.state.ask).toMatchObject({ query: "", filter: { to: 1900 } });
  });
});

describe("answers", () => {
  it("that are not close say so and offer the nearest", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.submit("xxxx");
    await stage.answer("search", foundIds([], { close: false, best: 0.1 }));
    expect(stage.phase).toBe("no-match");
    stage.session.submit("xxxx", true);
    await stage.answer("search", foundIds(["far"], { close: false }));
    expect(stage.session.state.phase).toMatchObject({ name: "results", nearest: true });
  });

  it("that hold nothing, nearest or not, are no results", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.submit("xxxx", true);
    await stage.answer("search", foundIds([], { matching: 0 }));
    expect(stage.phase).toBe("no-match");
  });

  it("to a shortened query carry a notice", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.submit("word ".repeat(2000));
    expect(stage.session.state.notices).toEqual([{ about: "shortened" }]);
    stage.session.submit("short");
    expect(stage.session.state.notices).toEqual([]);
  });

  it("that fail keep the worker, and Retry asks the same again", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.submit("boats");
    await stage.fail("search", "network", "documents-0.bin");
    expect(stage.phase).toBe("failed");
    stage.session.retry();
    await stage.answer("search", foundIds(["boat"]));
    expect(stage.workers).toHaveLength(1);
    expect(stage.asked).toEqual(["boats (full)", "boats (full)"]);
    expect(stage.phase).toBe("results");
  });

  it("that fail while one types stay failed until Retry or another key", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.type("boats");
    await stage.wait(WORDS_PAUSE_MILLIS);
    await stage.fail("search", "network", "postings-0.bin");
    await stage.wait(FULL_PAUSE_MILLIS);
    expect(stage.phase).toBe("failed");
    expect(stage.asked).toEqual(["boats (words)"]);
    stage.session.retry();
    expect(stage.asked.at(-1)).toBe("boats (full)");
    await stage.fail("search", "network", "postings-0.bin");
    stage.session.type("boat");
    await stage.wait(WORDS_PAUSE_MILLIS);
    expect(stage.asked.at(-1)).toBe("boat (words)");
  });

  it("that fail after words have answered fail no less, and Retry asks for meaning again", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.type("boats");
    await stage.wait(WORDS_PAUSE_MILLIS);
    await stage.answer("search", foundIds(["boat"], words));
    await stage.wait(FULL_PAUSE_MILLIS);
    await stage.fail("search", "network", "documents-0.bin");
    expect(stage.phase).toBe("failed");
    stage.session.retry();
    expect(stage.asked.at(-1)).toBe("boats (full)");
    await stage.answer("search", foundIds(["boat"]));
    expect(stage.phase).toBe("results");
  });
});

describe("a worker that dies at work", () => {
  it("is started again once, with the query it died on", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.submit("boats");
    stage.worker.crash("trap");
    await stage.wait(0);
    expect(stage.workers).toHaveLength(2);
    await stage.answer("load", loaded);
    expect(stage.asked).toEqual(["boats (words)"]);
    await stage.answer("meaning");
    await stage.answer("search", foundIds(["boat"], words));
    expect(stage.asked).toEqual(["boats (words)", "boats (full)"]);
    stage.worker.crash("trap again");
    await stage.wait(0);
    expect(stage.workers).toHaveLength(2);
    expect(stage.session.state.phase).toMatchObject({ name: "failed", failure: { code: "worker" } });
  });
});

describe("the memory of a backend", () => {
  const choice: BackendChoice = {
    chosen: "cpu",
    reason: "slower",
    adapter: null,
    timings: { cpu: 1, gpu: 2 },
    trying: false,
    settled: true,
  };

  it("is told of each choice", async () => {
    const stage = new Stage();
    await stage.full();
    stage.worker.say({ event: "backend", choice });
    expect(stage.kept).toEqual([choice]);
    expect(stage.session.state.backend).toEqual(choice);
  });

  it("holds for the same browser and model only", () => {
    localStorage.clear();
    backendMemory(() => localStorage, "browser 1", "m").keep(choice);
    expect(backendMemory(() => localStorage, "browser 1", "m").recall()).toBe("slower");
    expect(backendMemory(() => localStorage, "browser 2", "m").recall()).toBeUndefined();
    expect(backendMemory(() => localStorage, "browser 1", "n").recall()).toBeUndefined();
  });

  it("keeps nothing of a choice that is not settled", () => {
    localStorage.clear();
    backendMemory(() => localStorage, "b", "m").keep({ ...choice, settled: false });
    expect(backendMemory(() => localStorage, "b", "m").recall()).toBeUndefined();
  });

  it("does without storage that is blocked, full or holds nonsense", () => {
    const blocked = backendMemory(
      () => {
        throw new DOMException("denied", "SecurityError");
      },
      "b",
      "m",
    );
    blocked.keep(choice);
    expect(blocked.recall()).toBeUndefined();
    const nonsense = { getItem: () => "{not json", setItem: () => undefined } as unknown as Storage;
    expect(backendMemory(() => nonsense, "b", "m").recall()).toBeUndefined();
  });
});

describe("what is like a record", () => {
  const like = { document: 1, id: "b" };

  it("is asked for by meaning alone, within the filter, and the query comes back after it", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.submit("boats");
    await stage.answer("search", foundIds(["a", "b"]));
    stage.session.filter({ ...noFilter, facets: [arms] });
    await stage.answer("search", foundIds(["b"]));
    stage.session.like(like);
    expect(stage.searches.at(-1)).toMatchObject({ stage: "full", like, question: { query: "", filter: { facets: [[0, 1]] } } });
    await stage.answer("search", foundIds(["c"], { like: { title: "B" } }));
    expect(stage.phase).toBe("results");
    stage.session.unlike();
    expect(stage.lastQuestion.query).toBe("boats");
    expect(stage.searches.at(-1)).not.toHaveProperty("like");
  });

  it("ends with the next query", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.like(like);
    await stage.answer("search", foundIds(["c"], { like: { title: "B" } }));
    stage.session.submit("ships");
    expect(stage.session.state.ask.like).toBeNull();
    expect(stage.searches.at(-1)).not.toHaveProperty("like");
  });

  it("without a query goes back to nothing", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.like(like);
    await stage.answer("search", foundIds(["c"], { like: { title: "B" } }));
    stage.session.unlike();
    expect(stage.phase).toBe("ready");
  });

  it("from an address waits for the model and is asked then", async () => {
    const stage = new Stage();
    stage.session.restore({ ...noAsk, query: "boats", like }, []);
    await stage.answer("load", loaded);
    expect(stage.phase).toBe("ready");
    expect(stage.searches).toEqual([]);
    await stage.answer("meaning");
    expect(stage.searches).toMatchObject([{ like, stage: "full", question: { query: "" } }]);
  });

  it("that this index does not have is told, and the query asked instead", async () => {
    const stage = new Stage();
    await stage.full();
    stage.session.restore({ ...noAsk, query: "boats", like }, []);
    await stage.answer("search", foundIds([], { like: { title: null } }));
    expect(stage.session.state.notices).toEqual([{ about: "like", value: "b" }]);
    expect(stage.session.state.ask).toEqual({ ...noAsk, query: "boats" });
    expect(stage.lastQuestion.query).toBe("boats");
  });
});
