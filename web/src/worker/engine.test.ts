import { describe, expect, it } from "vitest";
import type { Hit, Question } from "../door";
import { Failure } from "../failure";
import type { BackendChoice, Progress, SearchRequest } from "../protocol";
import { fakeChunk, fakeDoor, fakeGpuDoor, fakeLexicon, fakePostings, fakeShard, fakeSite, filesOf, type FakeTraits, type Seen } from "../testing/fake-door";
import { dated, plainHit } from "../testing/found";
import { Engine } from "./engine";
import { Shelf } from "./shelf";

const request = { model: "https://museum.example/model/", index: "https://museum.example/index/", backend: "cpu" } as const;
const modelBytes = "weights-0".length + "weights-1".length + "tokenizer".length;

function engineOver(site: Map<string, string>, traits: FakeTraits = {}) {
  const progress: Progress[] = [];
  const choices: BackendChoice[] = [];
  const seen: Seen[] = [];
  const engine = new Engine({
    files: filesOf(site, seen),
    shelf: new Shelf(undefined),
    cpuDoor: async () => fakeDoor(traits),
    gpuDoor: async () => fakeGpuDoor(),
    gpu: () => undefined,
    programBytes: () => 7,
    now: () => performance.now(),
    onProgress: (step) => progress.push(step),
    onBackend: (choice) => choices.push(choice),
  });
  /** Both stages. */
  const loadAll = async () => {
    await engine.load(request);
    return engine.meaning();
  };
  return { engine, progress, choices, seen, loadAll };
}

async function reportOf(work: Promise<unknown>) {
  const thrown: unknown = await work.catch((cause: unknown) => cause);
  return thrown instanceof Failure ? thrown.report : { code: "none", message: String(thrown) };
}

describe("loading for words and time", () => {
  it("fetches the small files alone, counts them, and tells what meaning would cost", async () => {
    const { engine, progress, seen } = engineOver(fakeSite());
    const loaded = await engine.load(request);
    expect(seen.map(({ path }) => path)).toEqual(["/model/card.json", "/index/manifest.json", `/index/${fakeLexicon.name}`]);
    expect(progress.at(-1)).toMatchObject({ received: fakeLexicon.bytes, total: fakeLexicon.bytes });
    expect(loaded.meaning_bytes).toBe(modelBytes + fakeShard.bytes);
    expect(loaded.downloads).toMatchObject({ program: 7, documents: 0 });
  });

  it.each(["/index/manifest.json", `/index/${fakeLexicon.name}`])("with %s missing fails by that name", async (path) => {
    const site = fakeSite();
    site.delete(path);
    expect(await reportOf(engineOver(site).engine.load(request))).toMatchObject({ code: "network", file: path.split("/").pop() });
  });

  it.each<[string, (site: Map<string, string>) => void, FakeTraits, object]>([
    ["is missing", (site) => site.delete("/model/card.json"), {}, { code: "network", file: "card.json" }],
    ["is broken", (site) => site.set("/model/card.json", "{"), {}, { code: "corrupt", file: "card.json" }],
    ["is a web page", (site) => site.set("/model/card.json", "<!doctype html>"), {}, { code: "corrupt", file: "card.json" }],
    ["is another model's", () => undefined, { indexedBy: "other" }, { code: "incompatible", message: expect.stringMatching(/other.*fake/) }],
  ])("with a card that %s searches words all the same, and says why meaning is not compared", async (_what, damage, traits, fault) => {
    const site = fakeSite();
    damage(site);
    const { engine } = engineOver(site, traits);
    const loaded = await engine.load(request);
    expect(loaded).toMatchObject({ meaning_fault: fault, meaning_bytes: 0 });
    const search: SearchRequest = { question: { query: "q", k: 10 }, show: 10, stage: "full", nearest: false };
    expect(await engine.search(search)).toMatchObject({ stage: "words", documents: [{ id: "id-0" }] });
    expect((await reportOf(engine.meaning())).code).toBe(loaded.meaning_fault?.code);
    expect(await engine.settle()).toEqual({ unkept: null });
  });

  it("with a card that was missing takes it up once it is there", async () => {
    const site = fakeSite();
    const card = site.get("/model/card.json") ?? "";
    site.delete("/model/card.json");
    const { engine } = engineOver(site);
    await engine.load(request);
    site.set("/model/card.json", card);
    const { downloads } = await engine.meaning();
    expect(downloads.model).toBe(card.length + modelBytes);
    const search: SearchRequest = { question: { query: "q", k: 10 }, show: 10, stage: "full", nearest: false };
    expect(await engine.search(search)).toMatchObject({ stage: "full" });
  });

  it("names the file that the index refuses", async () => {
    const addFile = () => {
      throw Object.assign(new Error("hole at byte 4"), { name: "AlmanacError", code: "corrupt" });
    };
    const report = await reportOf(engineOver(fakeSite(), { addFile }).engine.load(request));
    expect(report).toMatchObject({ code: "corrupt", file: fakeLexicon.name });
  });
});

describe("loading for meaning", () => {
  it("counts what the card and the manifest say, and ends at all of it", async () => {
    const { loadAll, progress } = engineOver(fakeSite());
    const { downloads } = await loadAll();
    const total = modelBytes + fakeShard.bytes;
    expect(progress.at(-1)).toMatchObject({ received: total, total, step: "preparing" });
    expect(downloads.index).toBe("{}".length + fakeLexicon.bytes + fakeShard.bytes);
  });

  it.each(["/model/w1.bin", "/model/t.json", `/index/${fakeShard.name}`])(
    "with %s missing fails by that name, leaves words searchable, and works once the file is there",
    async (path) => {
      const site = fakeSite();
      const content = site.get(path) ?? "";
      site.delete(path);
      const { engine } = engineOver(site);
      await engine.load(request);
      expect(await reportOf(engine.meaning())).toMatchObject({ code: "network", file: path.split("/").pop() });
      const search: SearchRequest = { question: { query: "q", k: 10 }, show: 10, stage: "full", nearest: false };
      expect(await engine.search(search)).toMatchObject({ stage: "words", documents: [{ id: "id-0" }] });
      site.set(path, content);
      await engine.meaning();
      expect(await engine.search(search)).toMatchObject({ stage: "full" });
    },
  );

  it("asked for twice happens once", async () => {
    const { engine, seen } = engineOver(fakeSite());
    await engine.load(request);
    await Promise.all([engine.meaning(), engine.meaning()]);
    await engine.meaning();
    expect(seen.filter(({ path }) => path === "/model/w0.bin")).toHaveLength(1);
  });

  it("ends with a backend and a reason", async () => {
    const { loadAll, choices } = engineOver(fakeSite());
    await loadAll();
    expect(choices.at(-1)).toMatchObject({ chosen: "cpu", reason: "the CPU was asked for" });
  });
});

describe("searching", () => {
  const search: SearchRequest = { question: { query: "q", k: 10 }, show: 10, stage: "full", nearest: false };

  it("gives each document with the passage that matched and what it scored by", async () => {
    const { engine, loadAll } = engineOver(fakeSite());
    await loadAll();
    const found = await engine.search(search);
    expect(found).toMatchObject({ stage: "full", close: true, best: 0.9, backend: "cpu", matching: 2, by: { meaning: true } });
    expect(found.documents).toMatchObject([{ id: "id-0", passage: "second", score: 0.9, cosine: 0.9, shares: { meaning: 0.6 } }]);
    expect(found.downloads.documents).toBe(fakeChunk.bytes);
  });

  it("by words needs no model and encodes nothing", async () => {
    const encoded: string[] = [];
    const encode = async (text: string) => {
      encoded.push(text);
      return Float32Array.of(1, 0);
    };
    const { engine, loadAll } = engineOver(fakeSite(), { encode });
    await engine.load(request);
    expect(await engine.search({ ...search, stage: "words" })).toMatchObject({ stage: "words", backend: null, by: { meaning: false } });
    await loadAll();
    encoded.length = 0;
    expect(await engine.search({ ...search, stage: "words" })).toMatchObject({ stage: "words", backend: null });
    expect(encoded).toEqual([]);
  });

  it("encodes what is left of the query without its dates, and nothing where nothing is left", async () => {
    const encoded: string[] = [];
    const encode = async (text: string) => {
      encoded.push(text);
      return Float32Array.of(1, 0);
    };
    const rankings: boolean[] = [];
    const rank = (_question: Question, byMeaning: boolean) => void rankings.push(byMeaning);
    const boats = engineOver(fakeSite(), { encode, rank, understood: { ...dated, meaning_text: "boats" } });
    await boats.loadAll();
    encoded.length = 0;
    await boats.engine.search({ ...search, question: { query: "boats 1850s", k: 10 } });
    expect(encoded).toEqual(["boats"]);
    const bare = engineOver(fakeSite(), { encode, rank, understood: { ...dated, meaning_text: "" } });
    await bare.loadAll();
    encoded.length = 0;
    expect(await bare.engine.search({ ...search, question: { query: "1850s", k: 10 } })).toMatchObject({ stage: "full", backend: null });
    expect(encoded).toEqual([]);
    expect(rankings).toEqual([true, false]);
  });

  it("ranks once for what is shown in pieces, and tells when all of it is from", async () => {
    const asked: Question[] = [];
    const second = { ...plainHit, document: 1, score: 0.8 };
    const { engine } = engineOver(fakeSite(), { hits: [plainHit, second], rank: (question) => void asked.push(question) });
    await engine.load(request);
    const first = await engine.search({ ...search, show: 1 });
    expect(first).toMatchObject({ documents: [{ id: "id-0" }], ranked: 2, dates: { intervals: [[675_334, 678_985]], undated: 1 } });
    expect(await engine.search({ ...search, show: 2 })).toMatchObject({ documents: [{ id: "id-0" }, { id: "id-1" }], ranked: 2 });
    expect(asked).toHaveLength(1);
  });

  it("hands the question on whole", async () => {
    const asked: Question[] = [];
    const { engine } = engineOver(fakeSite(), { rank: (question) => void asked.push(question) });
    await engine.load(request);
    const question: Question = { query: "q", anchor: "2026-01-02", time: false, k: 3, filter: { first: 1, last: null, facets: [[0, 1]] } };
    await engine.search({ ...search, question });
    expect(asked).toEqual([question]);
  });

  it("fetches postings once, and names the file that cannot be had", async () => {
    const site = fakeSite();
    const path = `/index/${fakePostings.name}`;
    site.delete(path);
    const { engine, seen } = engineOver(site);
    await engine.load(request);
    expect(await reportOf(engine.search(search))).toMatchObject({ code: "network", file: fakePostings.name });
    site.set(path, "postings");
    seen.length = 0;
    const { downloads } = await engine.search(search);
    await engine.search(search);
    expect(seen.filter((request) => request.path === path)).toHaveLength(1);
    expect(downloads.index).toBe("{}".length + fakeLexicon.bytes + fakePostings.bytes);
  });

  it("reads no document when nothing is close, unless the nearest are asked for", async () => {
    const { engine, seen } = engineOver(fakeSite(), { close: false });
    await engine.load(request);
    expect(await engine.search(search)).toMatchObject({ close: false, documents: [], best: 0.9 });
    expect(seen.some(({ path }) => path.endsWith(fakeChunk.name))).toBe(false);
    expect((await engine.search({ ...search, nearest: true })).documents).toHaveLength(1);
  });

  it("lists what answers the question, and the rest where the nearest are asked for", async () => {
    const at = (document: number, more: Partial<Hit>): Hit => ({ ...plainHit, document, cosine: 0.1, ...more });
    const far = at(9, {});
    const answering = [at(0, { cosine: 0.3 }), far, at(1, { words: ["q"] }), at(2, { time: { relation: "overlaps", date: "1850" } })];
    const { engine, loadAll } = engineOver(fakeSite(), { hits: [...answering, far, at(3, { time: { relation: "outside", date: "1850" } })] });
    await loadAll();
    const first = await engine.search({ ...search, show: 1 });
    expect(first).toMatchObject({ ranked: 4, far: 2 });
    expect(first.dates.intervals.length + first.dates.undated).toBe(4);
    expect(await engine.search({ ...search, show: 1, nearest: true })).toMatchObject({ ranked: 6, far: 0 });
    // A page is filled in any case.
    expect(await engine.search({ ...search, show: 5 })).toMatchObject({ ranked: 5, far: 1 });
  });

  it("that finds nothing at all has no best", async () => {
    const { engine } = engineOver(fakeSite(), { hits: [], close: false });
    await engine.load(request);
    expect(await engine.search(search)).toMatchObject({ best: null, documents: [] });
  });

  it("by words ends where nothing of the question is found any more", async () => {
    const nothing = { ...plainHit, score: 0, shares: { meaning: 0, words: 0, time: 0 }, cosine: null };
    const hits = [plainHit, { ...nothing, words: ["q"] }, { ...nothing, exact: true }, nothing];
    const { engine, loadAll } = engineOver(fakeSite(), { hits });
    await engine.load(request);
    expect((await engine.search(search)).documents).toHaveLength(3);
    await loadAll();
    expect((await engine.search(search)).documents).toHaveLength(4);
  });

  it("before loading is a plain error", async () => {
    const { engine } = engineOver(fakeSite());
    await expect(engine.search(search)).rejects.toThrow("not been loaded");
    await expect(engine.meaning()).rejects.toThrow("not been loaded");
  });

  it("makes no request that depends on the words when the files are known", async () => {
    const { engine, loadAll, seen } = engineOver(fakeSite());
    await loadAll();
    await engine.search(search);
    const before = seen.length;
    await engine.search({ ...search, question: { query: "a secret", k: 10 } });
    expect(seen.length).toBe(before);
  });
});

describe("a trap", () => {
  it.each([
    [true, "out_of_memory"],
    [false, "internal"],
  ])("where the browser has refused memory (%s) is told as %s", async (memoryRefused, code) => {
    const { engine } = engineOver(fakeSite(), { memoryRefused });
    const trap = new WebAssembly.RuntimeError("unreachable");
    expect(engine.report(trap)).toMatchObject({ code: "internal", fatal: true });
    await engine.load(request);
    expect(engine.report(trap)).toMatchObject({ code, fatal: true });
    expect(engine.report(new Failure({ code: "network", message: "cut" }))).toEqual({ code: "network", message: "cut" });
  });
});

describe("an error that no call caught", () => {
  it("is fatal while only the CPU module runs", async () => {
    const { engine, loadAll } = engineOver(fakeSite());
    await loadAll();
    expect(engine.survives(new WebAssembly.RuntimeError("unreachable"))).toBe(false);
  });
});

describe("what is like a record", () => {
  const second = { ...plainHit, document: 1 };
  const asked = { question: { query: "", k: 10 }, show: 10, stage: "full", nearest: false } as const;

  it("is ranked by the index without encoding anything, and counts as close", async () => {
    let encoded = 0;
    const encode = async () => {
      encoded += 1;
      return Float32Array.of(1, 0);
    };
    const { engine, loadAll } = engineOver(fakeSite(), { encode, hits: [plainHit, second] });
    await loadAll();
    const before = encoded;
    const found = await engine.search({ ...asked, like: { document: 0, id: "id-0" } });
    expect(found.documents.map(({ id }) => id)).toEqual(["id-1"]);
    expect(found).toMatchObject({ like: { title: "Title 0" }, close: true, stage: "full", backend: null });
    expect(encoded).toBe(before);
  });

  it("is told to be missing where the place holds another record, or none", async () => {
    const { engine, loadAll } = engineOver(fakeSite());
    await loadAll();
    for (const like of [{ document: 0, id: "other" }, { document: 99, id: "id-99" }]) {
      expect(await engine.search({ ...asked, like })).toMatchObject({ like: { title: null }, documents: [], ranked: 0 });
    }
  });
});

describe("a question taken apart", () => {
  it("gives tokens, vectors and weights, and encodes once however often the weights change", async () => {
    let encoded = 0;
    const encode = async () => {
      encoded += 1;
      return Float32Array.of(1, 0);
    };
    const asked: Question[] = [];
    const { engine, loadAll } = engineOver(fakeSite(), { encode, rank: (question) => asked.push(question) });
    await loadAll();
    const before = encoded;
    const question = { query: "red boats", k: 5 };
    const explained = await engine.explain({ question, show: 5 });
    expect(explained).toMatchObject({ pieces: ["[CLS]", "red", "boats", "[SEP]"], vector: [1, 0], weights: { time: 0.5, words: 0.3 } });
    expect(explained.documents).toMatchObject([{ id: "id-0", vector: [1, 0], intervals: [[675_334, 678_985]] }]);
    const weights = { time: 1, words: 0 };
    expect((await engine.explain({ question: { ...question, weights }, show: 5 })).weights).toEqual(weights);
    expect(asked.at(-1)?.weights).toEqual(weights);
    expect(encoded - before).toBe(1);
  });
});
