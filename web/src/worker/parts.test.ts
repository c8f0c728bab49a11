import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Progress } from "../protocol";
import { fakeChunk } from "../testing/fake-door";
import { readCard } from "./card";
import { Documents } from "./documents";
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
    document: (number: number) => ({ id: `${number}`, title: "", fields: [] as [string, string][], passages: ["a", "b"], first_passage: 10 }),
  };

  it("in one chunk cost one download, also when asked for together", async () => {
    let fetched = 0;
    const documents = new Documents(index, async () => {
      fetched += 1;
      return new Uint8Array();
    });
    const hits = [{ document: 1, passage: 10, score: 1 }, { document: 2, passage: 11, score: 0.5 }];
    const found = await documents.read(hits);
    await documents.read(hits);
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
    const hits = [{ document: 1, passage: 10, score: 1 }];
    await expect(documents.read(hits)).rejects.toThrow("cut");
    await expect(documents.read(hits)).resolves.toHaveLength(1);
  });
});
