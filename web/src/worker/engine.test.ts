import { describe, expect, it } from "vitest";
import { Failure } from "../failure";
import type { BackendChoice, Progress } from "../protocol";
import { fakeChunk, fakeDoor, fakeShard, fakeSite, filesOf, type FakeTraits, type Seen } from "../testing/fake-door";
import { Engine } from "./engine";

const request = { model: "https://museum.example/model/", index: "https://museum.example/index/", backend: "cpu" } as const;

function engineOver(site: Map<string, string>, traits: FakeTraits = {}) {
  const progress: Progress[] = [];
  const choices: BackendChoice[] = [];
  const seen: Seen[] = [];
  const engine = new Engine({
    files: filesOf(site, seen),
    cpuDoor: async () => fakeDoor(traits),
    gpuDoor: async () => fakeDoor(traits),
    gpu: () => undefined,
    programBytes: () => 7,
    now: () => performance.now(),
    onProgress: (step) => progress.push(step),
    onBackend: (choice) => choices.push(choice),
  });
  return { engine, progress, choices, seen };
}

async function reportOfLoading(site: Map<string, string>, traits: FakeTraits = {}) {
  const thrown: unknown = await engineOver(site, traits).engine.load(request).catch((cause: unknown) => cause);
  return thrown instanceof Failure ? thrown.report : { code: "none", message: String(thrown) };
}

describe("loading", () => {
  it("counts what the card and the manifest say, and ends at all of it", async () => {
    const { engine, progress } = engineOver(fakeSite());
    const { downloads } = await engine.load(request);
    const total = "weights-0".length + "weights-1".length + "tokenizer".length + fakeShard.bytes;
    expect(progress.at(-1)).toMatchObject({ received: total, total });
    expect(downloads.program).toBe(7);
    expect(downloads.documents).toBe(0);
  });

  it("refuses an index built for another model, naming both", async () => {
    const report = await reportOfLoading(fakeSite(), { indexedBy: "other" });
    expect(report).toMatchObject({ code: "incompatible", file: "manifest.json", message: expect.stringMatching(/other.*fake/) });
  });

  it.each(["/model/w1.bin", "/model/t.json", `/index/${fakeShard.name}`, "/model/card.json", "/index/manifest.json"])(
    "with %s missing fails by that name",
    async (path) => {
      const site = fakeSite();
      site.delete(path);
      expect(await reportOfLoading(site)).toMatchObject({ code: "network", file: path.split("/").pop() });
    },
  );

  it("names the file that the index refuses", async () => {
    const addFile = () => {
      throw Object.assign(new Error("hole at byte 4"), { name: "AlmanacError", code: "corrupt" });
    };
    expect(await reportOfLoading(fakeSite(), { addFile })).toMatchObject({ code: "corrupt", file: fakeShard.name });
  });

  it("ends with a backend and a reason", async () => {
    const { engine, choices } = engineOver(fakeSite());
    await engine.load(request);
    expect(choices.at(-1)).toMatchObject({ chosen: "cpu", reason: "the CPU was asked for" });
  });
});

describe("searching", () => {
  const search = { query: "q", k: 10, nearest: false };

  it("gives each document with the passage that matched", async () => {
    const { engine } = engineOver(fakeSite());
    await engine.load(request);
    const found = await engine.search(search);
    expect(found).toMatchObject({ close: true, best: 0.9, backend: "cpu" });
    expect(found.documents).toMatchObject([{ id: "id-0", passage: "second", score: 0.9 }]);
    expect(found.downloads.documents).toBe(fakeChunk.bytes);
  });

  it("reads no document when nothing is close, unless the nearest are asked for", async () => {
    const { engine, seen } = engineOver(fakeSite(), { hits: [{ document: 0, passage: 0, score: 0.1 }] });
    await engine.load(request);
    expect(await engine.search(search)).toMatchObject({ close: false, documents: [] });
    expect(seen.some(({ path }) => path.endsWith(fakeChunk.name))).toBe(false);
    expect((await engine.search({ ...search, nearest: true })).documents).toHaveLength(1);
  });

  it("before loading is a plain error", async () => {
    await expect(engineOver(fakeSite()).engine.search(search)).rejects.toThrow("not been loaded");
  });

  it("makes no request that depends on the words when the chunk is known", async () => {
    const { engine, seen } = engineOver(fakeSite());
    await engine.load(request);
    await engine.search(search);
    const before = seen.length;
    await engine.search({ ...search, query: "a secret" });
    expect(seen.length).toBe(before);
  });
});

describe("an error that no call caught", () => {
  it("is fatal while only the CPU module runs", async () => {
    const { engine } = engineOver(fakeSite());
    await engine.load(request);
    expect(engine.survives(new WebAssembly.RuntimeError("unreachable"))).toBe(false);
  });
});
