import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Progress } from "../protocol";
import { fakeChunk, fakeInfo, fakePostings, fakeShard } from "../testing/fake-door";
import { plainHit } from "../testing/found";
import { readCard } from "./card";
import { Documents } from "./documents";
import { OnDemand } from "./on-demand";
import { ProgressMeter } from "./progress";

const entry = { file: "w.bin", bytes: 3, sha256: "a".repeat(64) };
const card = { id: "m", weights: { parts: [entry] }, tokenizer: entry };
const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

describe("model card", () => {
  it("gives the id and the files in order", () => {
    const second = { ...entry, file: "w2.bin" };
    const read = readCard(encode({ ...card, weights: { parts: [entry, second] } }));
    expect(read.id).toBe("m");
    expect(read.weights.map((part) => part.name)).toEqual(["w.bin", "w2.bin"]);
  });

  it.each([
    ["no JSON", new TextEncoder().encode("{"), /not JSON/],
    ["an array", encode([]), /not a JSON object/],
    ["no id", encode({ ...card, id: 3 }), /no model id/],
    ["no weights", encode({ ...card, weights: {} }), /no weight files/],
    ["a size below one", encode({ ...card, tokenizer: { ...entry, bytes: 0 } }), /no size for w.bin/],
    ["a short checksum", encode({ ...card, tokenizer: { ...entry, sha256: "ab" } }), /no SHA-256 for w.bin/],
    ["absurd weights", encode({ ...card, weights: { parts: [{ ...entry, bytes: 2 ** 40 }] } }), /more than 1 GiB/],
  ])("with %s is refused by name", (_case, bytes, message) => {
    expect(() => readCard(bytes)).toThrow(message);
    expect(() => readCard(bytes)).toThrow(/^card.json /);
  });
});

describe("progress", () => {
  it("never passes its total and ends at it", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 30 }), (pieces) => {
        const sent: Progress[] = [];
        const meter = new ProgressMeter((progress) => sent.push(progress), () => 0);
        const total = pieces.reduce((sum, piece) => sum + piece, 0);
        meter.expect(total);
        for (const piece of pieces) meter.add(piece);
        expect(sent.every((progress) => progress.received <= progress.total)).toBe(true);
        expect(sent.at(-1)).toMatchObject({ received: total, total });
      }),
    );
  });

  it("reports at most once per interval while bytes arrive", () => {
    const sent: Progress[] = [];
    let now = 0;
    const meter = new ProgressMeter((progress) => sent.push(progress), () => now);
    meter.expect(1_000_000);
    for (; now < 1000; now += 1) meter.add(1);
    expect(sent.length).toBeLessThanOrEqual(11);
  });
});

describe("documents", () => {
  const index = {
    document_file: () => fakeChunk,
    info: () => fakeInfo,
    marks: () => Uint32Array.of(0, 1),
    document: (number: number) => ({ id: `${number}`, title: "", fields: [] as [string, string][], passages: ["a", "b"], first_passage: 10 }),
  };

  it("in one chunk cost one download, also when asked for together", async () => {
    let fetched = 0;
    const documents = new Documents(index, async () => {
      fetched += 1;
      return new Uint8Array();
    });
    const hits = [{ ...plainHit, document: 1, passage: 10 }, { ...plainHit, document: 2, passage: 11 }];
    const found = await documents.read(hits, "{}");
    await documents.read(hits, "{}");
    expect(fetched).toBe(1);
    expect(found.map((document) => document.passage)).toEqual(["a", "b"]);
  });

  it("whose chunk failed are fetched again the next time", async () => {
    let attempt = 0;
    const documents = new Documents(index, async () => {
      attempt += 1;
      if (attempt === 1) throw new Error("cut");
      return new Uint8Array();
    });
    const hits = [{ ...plainHit, document: 1, passage: 10 }];
    await expect(documents.read(hits, "{}")).rejects.toThrow("cut");
    await expect(documents.read(hits, "{}")).resolves.toHaveLength(1);
  });
});

describe("files on demand", () => {
  const other = { ...fakePostings, name: "postings-1.bin" };

  /** Files of an index whose questions need two, with what was fetched. */
  function stage(fetchFile: (name: string) => Promise<Uint8Array>, probes: number | null = null) {
    const added = new Set<string>();
    const fetched: string[] = [];
    const index = {
      word_files: () => [fakePostings, other].filter(({ name }) => !added.has(name)),
      vector_files: (vector?: Float32Array, probes?: number) =>
        (vector === undefined ? [fakeShard, other] : [fakeShard].slice(0, probes)).filter(({ name }) => !added.has(name)),
      add_file: (name: string) => void added.add(name),
    };
    const files = new OnDemand(index, probes, (file) => {
      fetched.push(file.name);
      return fetchFile(file.name);
    });
    return { files, added, fetched };
  }

  it("are fetched side by side, and once for questions asked together", async () => {
    const release: (() => void)[] = [];
    const { files, added, fetched } = stage(
      () => new Promise((resolve) => release.push(() => resolve(new Uint8Array()))),
    );
    const both = Promise.all([files.words("{}"), files.words("{}")]);
    expect(fetched).toEqual([fakePostings.name, other.name]);
    for (const answer of release) answer();
    await both;
    expect(added.size).toBe(2);
    await files.words("{}");
    expect(fetched).toHaveLength(2);
  });

  it("hold the vectors near a question in an index of clusters, and all of them only when asked for", async () => {
    const { files, fetched } = stage(() => Promise.resolve(new Uint8Array()), 1);
    await files.near(Float32Array.of(1));
    expect(fetched).toEqual([fakeShard.name]);
    await files.vectors();
    expect(fetched).toEqual([fakeShard.name, other.name]);
  });

  it("hold no vectors where all came before the first question", async () => {
    const { files, fetched } = stage(() => Promise.resolve(new Uint8Array()));
    await files.near(Float32Array.of(1));
    await files.vectors();
    expect(fetched).toEqual([]);
  });

  it("that failed are fetched again the next time", async () => {
    let broken = true;
    const { files, added } = stage(async () => {
      if (broken) throw new Error("cut");
      return new Uint8Array();
    });
    await expect(files.words("{}")).rejects.toThrow("cut");
    broken = false;
    await files.words("{}");
    expect(added.size).toBe(2);
  });
});
