/** A small stand-in for the WebAssembly modules, for unit tests only. */
import type { Document, Door, Encoder, FileEntry, GpuDoor, Hit, Index, IndexInfo, Question, Ranking, SelfTest, Understood } from "../door";
import { filesOver, type Files } from "../worker/fetch";
import { plainHit, plainUnderstood } from "./found";

/** SHA-256 of the contents used below; written out so that a wrong hash function fails the tests. */
const hashes: Record<string, string> = {
  "shard": "df3598cd66f1bb5bc4e2c17be89b7c7ecf0c81e53939f471a6b72db8d139edae",
  "chunk": "6c87f68371b28954707ebb92afee7ccffb74c6f71ec8fea8a98cf6104289585b",
  "lexicon": "239aec50c94b6ea398dadb908b531bbe124c08fbbe756ce60cd59c37cfd719f2",
  "postings": "4d6282602ee9de17e825dc3d715dccf02997f03a44ca2b7b2da9312994fc641c",
  "weights-0": "2ae4cb54c2d332b133e52f35fafa9ee20360e70aced6483a47d9bb7fb28d1c06",
  "weights-1": "d6d6b238a083cd70d9cca3b4232e0289a0dc5cfaa9644d8af7601f92b5c76f4f",
  "tokenizer": "5f97e3774c51edd1d63706c2ec3826c564a067794770cdab0f8c4797971cacf9",
  "0123456789": "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882",
};

/** What the stand-in does differently from a well-behaved module. */
export interface FakeTraits {
  encode?: (text: string) => Promise<Float32Array>;
  selfTest?: () => Promise<SelfTest>;
  addFile?: (name: string) => void;
  info?: Partial<IndexInfo>;
  hits?: Hit[];
  close?: boolean;
  understood?: Partial<Understood>;
  /** Told of each ranking: the question, and whether a vector came with it. */
  rank?: (question: Question, byMeaning: boolean) => void;
  /** Told of each document whose like is asked for. */
  similar?: (document: number) => void;
  /** The model the index was built with. */
  indexedBy?: string;
  memoryRefused?: boolean;
}

/** A unit vector along the first axis. */
export const unitVector = (): Float32Array => Float32Array.of(1, 0);

/** The file the stand-in index needs before meaning can be searched. */
export const fakeShard: FileEntry = { name: "vectors-0.bin", ...described("shard") };

/** The file that it needs before words can be searched. */
export const fakeLexicon: FileEntry = { name: "lexicon-0.bin", ...described("lexicon") };

/** The file that each question needs. */
export const fakePostings: FileEntry = { name: "postings-0.bin", ...described("postings") };

/** The file that holds the stand-in's documents. */
export const fakeChunk: FileEntry = { name: "documents-0.bin", ...described("chunk") };

/** What the stand-in index says of itself. */
export const fakeInfo: IndexInfo = {
  title: "Fake collection",
  documents: 2,
  passages: 3,
  dims: 2,
  model_id: "fake",
  release: "r1",
  search_bytes: 0,
  words_bytes: 0,
  index_bytes: 0,
  dated: 1,
  days: null,
  facets: [{ label: "Department", values: [{ value: "Prints", count: 1 }, { value: "Arms", count: 1 }] }],
  seasonal: 0,
  weights: { time: 0.5, words: 0.3 },
  no_match_below: 0.3,
  examples: [],
};

/** Builds a module for the CPU. */
export function fakeDoor(traits: FakeTraits = {}): Door {
  const encoder: Encoder = {
    tokens: (text) => Uint32Array.from(text, (letter) => letter.charCodeAt(0)),
    pieces: (text) => ["[CLS]", ...text.split(" "), "[SEP]"],
    ids: (text) => encoder.tokens(text),
    golden_ids: (max) => Array.from({ length: max }, () => Uint32Array.of(1)),
    encode: traits.encode ?? (async () => unitVector()),
    self_test: traits.selfTest ?? (async (max) => ({ passed: true, checked: max, worst_cosine: 1, detail: "" })),
    model_id: () => "fake",
    free: () => undefined,
  };
  const added = new Set<string>();
  const hits = traits.hits ?? [plainHit];
  const index: Index = {
    required_files: () => [
      { ...fakeLexicon, kind: "lexicon" },
      { ...fakeShard, kind: "vectors" },
    ],
    add_file: (name) => {
      traits.addFile?.(name);
      added.add(name);
    },
    check_model: (id) => {
      if (id === (traits.indexedBy ?? "fake")) return;
      throw Object.assign(new Error(`the index was built with model ${traits.indexedBy}, this is ${id}`), { code: "incompatible" });
    },
    ready: () => added.has(fakeShard.name) && added.has(fakeLexicon.name),
    ready_for_words: () => added.has(fakeLexicon.name),
    info: () => ({ ...fakeInfo, ...traits.info }),
    understand: (question) => {
      const { query } = JSON.parse(question) as Question;
      return JSON.stringify({ ...plainUnderstood, meaning_text: query, ...traits.understood } satisfies Understood);
    },
    vector_files: () => (added.has(fakeShard.name) ? [] : [fakeShard]),
    word_files: () => (added.has(fakePostings.name) ? [] : [fakePostings]),
    rank: (question, vector) => {
      const asked = JSON.parse(question) as Question;
      if (!added.has(fakePostings.name)) throw Object.assign(new Error("a postings file is missing"), { code: "invalid_input" });
      traits.rank?.(asked, vector !== undefined);
      const by = { meaning: vector !== undefined, words: true, time: false };
      return JSON.stringify({ hits: hits.slice(0, asked.k), close: traits.close ?? true, matching: 2, by } satisfies Ranking);
    },
    similar: (document, question) => {
      const { k } = JSON.parse(question) as Question;
      if (!added.has(fakeShard.name)) throw Object.assign(new Error("the index is not loaded yet"), { code: "invalid_input" });
      traits.similar?.(document);
      const others = hits.filter((hit) => hit.document !== document);
      return JSON.stringify({ hits: others.slice(0, k), close: false, matching: 2, by: { meaning: true, words: false, time: false } } satisfies Ranking);
    },
    vector: () => unitVector(),
    seasons: (document) => (document === 0 ? Float64Array.of(50, 29.5) : new Float64Array()),
    marks: () => Uint32Array.of(0, 2),
    days: (document) => (document === 0 ? Float64Array.of(675_334, 678_985) : new Float64Array()),
    document_file: () => fakeChunk,
    document: (number): Document => ({
      id: `id-${number}`,
      title: `Title ${number}`,
      fields: [["medium", "oil"]],
      passages: ["first", "second"],
      first_passage: 0,
    }),
    free: () => undefined,
  };
  return {
    default: async () => undefined,
    version: () => "0.0.0",
    memory_refused: () => traits.memoryRefused ?? false,
    dates: (text) => JSON.stringify({ text, found: [] }),
    Encoder: { load: () => encoder },
    Index: { open: () => index },
  };
}

/** Builds a module for the GPU. */
export function fakeGpuDoor(traits: Pick<FakeTraits, "encode"> & { selfTest?: (sentences: number) => Promise<SelfTest> } = {}): GpuDoor {
  const { encode, selfTest } = traits;
  return {
    default: async () => undefined,
    version: () => "0.0.0",
    memory_refused: () => false,
    GpuEncoder: {
      load: async () => ({
        encode: async (ids) => (encode === undefined ? unitVector() : encode(String.fromCharCode(...ids))),
        self_test: async ({ length }) => selfTest?.(length) ?? { passed: true, checked: length, worst_cosine: 1, detail: "" },
        free: () => undefined,
      }),
    },
  };
}

/** The stand-in site's files by path, with their contents. */
export function fakeSite(): Map<string, string> {
  const part = (file: string, content: string): object => ({ file, ...described(content) });
  const card = { id: "fake", weights: { parts: [part("w0.bin", "weights-0"), part("w1.bin", "weights-1")] }, tokenizer: part("t.json", "tokenizer") };
  return new Map([
    ["/model/card.json", JSON.stringify(card)],
    ["/model/w0.bin", "weights-0"],
    ["/model/w1.bin", "weights-1"],
    ["/model/t.json", "tokenizer"],
    ["/index/manifest.json", "{}"],
    [`/index/${fakeShard.name}`, "shard"],
    [`/index/${fakeLexicon.name}`, "lexicon"],
    [`/index/${fakePostings.name}`, "postings"],
    [`/index/${fakeChunk.name}`, "chunk"],
  ]);
}

/** Requests seen by a stand-in server. */
export interface Seen {
  path: string;
  cache: RequestCache | undefined;
}

/** Serves `site` without a network. */
export function filesOf(site: Map<string, string | ((attempt: number) => Response)>, seen: Seen[] = []): Files {
  return filesOver(async (input, init) => {
    const path = new URL(String(input)).pathname;
    seen.push({ path, cache: init?.cache });
    const content = site.get(path);
    if (content === undefined) return new Response("no", { status: 404 });
    if (typeof content === "function") return content(seen.filter((request) => request.path === path).length);
    return new Response(content);
  });
}

/** Size and SHA-256 of a text's bytes. */
export function described(content: string): { bytes: number; sha256: string } {
  return { bytes: new TextEncoder().encode(content).length, sha256: hashes[content] ?? "0".repeat(64) };
}
