import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { BackendChoice, CallMessage, CallName, Found, Loaded } from "../protocol";
import { FakeWorker } from "../testing/fake-worker";
import type { BackendMemory } from "./memory";
import { backendMemory } from "./memory";
import { DEBOUNCE_MILLIS, SearchSession } from "./session";
import type { SessionState } from "./state";

const downloads = { program: 1, model: 2, index: 3, documents: 0 };
const loaded = { info: { documents: 2, title: "Fake" }, downloads, version: "0" } as unknown as Loaded;

function found(title: string, close = true): Found {
  const document = { id: title, title, passage: "", date: null, url: null, image: null, fields: [] as [string, string][], score: 0.5 };
  return { documents: [document], best: 0.5, close, backend: "cpu", timings: { encode: 1, scan: 1, documents: 1 }, downloads };
}

/** A session whose workers the test plays. */
class Stage {
  readonly workers: FakeWorker[] = [];
  readonly states: SessionState[] = [];
  readonly kept: BackendChoice[] = [];
  readonly memory: BackendMemory = { recall: () => undefined, keep: (choice) => this.kept.push(choice) };
  readonly session = new SearchSession({
    startWorker: () => {
      const worker = new FakeWorker();
      this.workers.push(worker);
      return worker;
    },
    site: () => ({ model: "m", index: "i", backend: "auto" }),
    results: () => 10,
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

  /** Queries the current worker was asked, oldest first. */
  get asked(): string[] {
    return this.worker.sent.flatMap((message) => (message.name === "search" ? [message.request.query] : []));
  }

  async answer(value: Loaded | Found): Promise<void> {
    const last = this.worker.sent.at(-1);
    this.worker.say({ answer: last?.call ?? 0, ok: true, value });
    await vi.advanceTimersByTimeAsync(0);
  }

  async fail(code: "corrupt" | "network", file: string): Promise<void> {
    const last = this.worker.sent.at(-1);
    this.worker.say({ answer: last?.call ?? 0, ok: false, failure: { code, message: `${file} is bad`, file } });
    await vi.advanceTimersByTimeAsync(0);
  }

  async ready(): Promise<void> {
    this.session.load();
    await this.answer(loaded);
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
    await vi.advanceTimersByTimeAsync(DEBOUNCE_MILLIS);
    expect(stage.asked).toEqual([]);
    await stage.answer(loaded);
    expect(stage.asked).toEqual(["boats"]);
  });

  it("that fails names the file, and Retry begins again with a new worker", async () => {
    const stage = new Stage();
    stage.session.submit("boats");
    await stage.fail("corrupt", "w1.bin");
    expect(stage.session.state.phase).toMatchObject({ name: "failed", failure: { file: "w1.bin" } });
    expect(stage.worker.terminated).toBe(true);
    stage.session.retry();
    await stage.answer(loaded);
    await stage.answer(found("boat"));
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
      memory: { recall: () => undefined, keep: () => undefined },
      onChange: () => undefined,
    });
    failing.load();
    expect(failing.state.phase).toMatchObject({ name: "failed", failure: { message: "blocked by policy" } });
  });
});

describe("fast typing", () => {
  it("searches only once the typing pauses", async () => {
    const stage = new Stage();
    await stage.ready();
    for (const typed of ["b", "bo", "boa", "boat"]) {
      stage.session.type(typed);
      await vi.advanceTimersByTimeAsync(DEBOUNCE_MILLIS - 1);
    }
    await vi.advanceTimersByTimeAsync(1);
    expect(stage.asked).toEqual(["boat"]);
  });

  it("lets the last query win and skips those in between", async () => {
    const stage = new Stage();
    await stage.ready();
    stage.session.submit("one");
    stage.session.submit("two");
    stage.session.submit("three");
    await stage.answer(found("from one"));
    expect(stage.phase).toBe("searching");
    expect(stage.asked).toEqual(["one", "three"]);
    await stage.answer(found("from three"));
    expect(stage.session.state.phase).toMatchObject({ name: "results", query: "three" });
    const shown = stage.states.flatMap(({ phase }) => (phase.name === "results" ? [phase.query] : []));
    expect(shown).toEqual(["three"]);
  });

  it("drops the results of a query that was cleared", async () => {
    const stage = new Stage();
    await stage.ready();
    stage.session.submit("one");
    stage.session.clear();
    await stage.answer(found("late"));
    expect(stage.phase).toBe("ready");
  });

  it("does not search again for what is already shown", async () => {
    const stage = new Stage();
    await stage.ready();
    stage.session.submit("boats");
    await stage.answer(found("boat"));
    stage.session.submit("  boats ");
    expect(stage.asked).toEqual(["boats"]);
    expect(stage.phase).toBe("results");
  });
});

describe("answers", () => {
  it("that are not close say so and offer the nearest", async () => {
    const stage = new Stage();
    await stage.ready();
    stage.session.submit("xxxx");
    await stage.answer(found("far", false));
    expect(stage.phase).toBe("no-match");
    stage.session.submit("xxxx", true);
    await stage.answer(found("far", false));
    expect(stage.session.state.phase).toMatchObject({ name: "results", nearest: true });
  });

  it("to a shortened query carry a notice", async () => {
    const stage = new Stage();
    await stage.ready();
    stage.session.submit("word ".repeat(2000));
    expect(stage.session.state.notice).toMatch(/first 1,000 characters/);
    stage.session.submit("short");
    expect(stage.session.state.notice).toBeNull();
  });

  it("that fail keep the worker, and Retry asks the same again", async () => {
    const stage = new Stage();
    await stage.ready();
    stage.session.submit("boats");
    await stage.fail("network", "documents-0.bin");
    expect(stage.phase).toBe("failed");
    stage.session.retry();
    await stage.answer(found("boat"));
    expect(stage.workers).toHaveLength(1);
    expect(stage.asked).toEqual(["boats", "boats"]);
    expect(stage.phase).toBe("results");
  });
});

describe("a worker that dies at work", () => {
  it("is started again once, with the query it died on", async () => {
    const stage = new Stage();
    await stage.ready();
    stage.session.submit("boats");
    stage.worker.crash("trap");
    await vi.advanceTimersByTimeAsync(0);
    expect(stage.workers).toHaveLength(2);
    await stage.answer(loaded);
    expect(stage.asked).toEqual(["boats"]);
    stage.worker.crash("trap again");
    await vi.advanceTimersByTimeAsync(0);
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
    await stage.ready();
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
