import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CallMessage, WorkerMessage } from "../protocol";
import { FakeWorker } from "../testing/fake-worker";
import { Client } from "./client";

const search = { question: { query: "q", k: 1 }, show: 10, stage: "words", nearest: false } as const;
const answer = (message: CallMessage, value: unknown): WorkerMessage => ({ answer: message.call, ok: true, value }) as WorkerMessage;

describe("client", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("gives each call its own answer, in whatever order they come", async () => {
    const worker = new FakeWorker();
    const client = new Client(worker, () => undefined);
    const first = client.call("search", search);
    const second = client.call("search", search);
    const [one, two] = worker.sent;
    if (one === undefined || two === undefined) throw new Error("calls were not sent");
    worker.say(answer(two, "second"));
    worker.say(answer(one, "first"));
    expect([await first, await second]).toEqual(["first", "second"]);
  });

  it("rejects every open call when the worker dies, and every later one", async () => {
    const worker = new FakeWorker();
    const client = new Client(worker, () => undefined);
    const open = client.call("search", search);
    worker.crash("trap");
    await expect(open).rejects.toMatchObject({ report: { code: "worker" }, message: expect.stringContaining("trap") });
    await expect(client.call("search", search)).rejects.toMatchObject({ report: { code: "worker" } });
    expect(worker.terminated).toBe(true);
  });

  it("treats a fatal failure as the worker's death", async () => {
    const worker = new FakeWorker();
    const client = new Client(worker, () => undefined);
    const open = client.call("search", search);
    worker.say({ answer: 1, ok: false, failure: { code: "internal", message: "unreachable", fatal: true } });
    await expect(open).rejects.toThrow("unreachable");
    expect(client.alive).toBe(false);
  });

  it("gives up on a worker that never answers a search", async () => {
    const worker = new FakeWorker();
    const client = new Client(worker, () => undefined);
    const open = client.call("search", search);
    const outcome = expect(open).rejects.toThrow("stopped answering");
    await vi.advanceTimersByTimeAsync(180_000);
    await outcome;
    expect(worker.terminated).toBe(true);
  });

  it("ignores answers nobody waits for and anything after death", async () => {
    const worker = new FakeWorker();
    const events: unknown[] = [];
    const client = new Client(worker, (event) => events.push(event));
    worker.say({ answer: 99, ok: true, value: "x" } as never);
    client.close();
    worker.say({ event: "progress", progress: { received: 0, total: 0, step: "program" } });
    expect(events).toEqual([]);
  });
});
