/** A small stand-in for the WebAssembly modules, for unit tests only. */
import type { Document, Door, Encoder, FileEntry, Hit, Index, IndexInfo, SelfTest } from "../door";
import { filesOver, type Files } from "../worker/fetch";

/** SHA-256 of the contents used below; written out so that a wrong hash function fails the tests. */
const hashes: Record<string, string> = {
  "shard": "df3598cd66f1bb5bc4e2c17be89b7c7ecf0c81e53939f471a6b72db8d139edae",
  "chunk": "6c87f68371b28954707ebb92afee7ccffb74c6f71ec8fea8a98cf6104289585b",
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
  /** The model the index was built with. */
  indexedBy?: string;
}

/** A unit vector along the first axis. */
export const unitVector = (): Float32Array => Float32Array.of(1, 0);

/** The files the stand-in index needs before it can be searched. */
export const fakeShard: FileEntry = { name: "vectors-0.bin", ...described("shard") };

/** The file that holds the stand-in's documents. */
export const fakeChunk: FileEntry = { name: "documents-0.bin", ...described("chunk") };

/** Builds a module. */
export function fakeDoor(traits: FakeTraits = {}): Door {
  const encoder: Encoder = {
    tokens: (text) => Uint32Array.from(text, (letter) => letter.charCodeAt(0)),
    encode: traits.encode ?? (async () => unitVector()),
    self_test: traits.selfTest ?? (async (max) => ({ passed: true, checked: max, worst_cosine: 1, detail: "" })),
    model_id: () => "fake",
    free: () => undefined,
  };
  const added = new Set<string>();
  const index: Index = {
    required_files: () => [{ ...fakeShard, kind: "vectors" }],
    add_file: (name) => {
      traits.addFile?.(name);
      added.add(name);
    },
    check_model: (id) => {
      if (id === (traits.indexedBy ?? "fake")) return;
      throw Object.assign(new Error(`the index was built with model ${traits.indexedBy}, this is ${id}`), { code: "incompatible" });
    },
    ready: () => added.has(fakeShard.name),
    info: () => ({
      title: "Fake collection",
      documents: 2,
      passages: 3,
      dims: 2,
      model_id: "fake",
      release: "r1",
      no_match_below: 0.2,
      search_bytes: 0,
      index_bytes: 0,
      ...traits.info,
    }),
    search: (_query, k) => (traits.hits ?? [{ document: 0, passage: 1, score: 0.9 }]).slice(0, k),
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
    dates: (text) => JSON.stringify({ text, found: [] }),
    Encoder: { load: async () => encoder },
    Index: { open: () => index },
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
