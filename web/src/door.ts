/**
 * The surface that both WebAssembly modules export.
 *
 * Everything that crosses is a plain object or a typed array; a failure is
 * thrown as an `Error` named `AlmanacError` that carries a stable `code`.
 */

/** What a module's failure is about; stable across releases. */
export type DoorErrorCode =
  | "corrupt"
  | "incompatible"
  | "unsupported"
  | "invalid_input"
  | "out_of_memory"
  | "gpu"
  | "internal";

/** The processor that runs the query encoder. */
export type Backend = "cpu" | "gpu";

/** Outcome of comparing freshly encoded golden sentences with the card's stored vectors. */
export interface SelfTest {
  passed: boolean;
  /** Sentences compared. */
  checked: number;
  /** Lowest cosine seen, -1 to 1. */
  worst_cosine: number;
  detail: string;
}

/** Turns text into a unit vector. */
export interface Encoder {
  /** Token ids with the special tokens, truncated to the model's limit. */
  tokens(text: string): Uint32Array;
  /** Unit-length vector of `text`. */
  encode(text: string, kind: "query" | "passage"): Promise<Float32Array>;
  /** Encodes the first `max` golden sentences and compares them. */
  self_test(max: number): Promise<SelfTest>;
  model_id(): string;
  free(): void;
}

/** A file named by a manifest or a card, with what must be true of its bytes. */
export interface FileEntry {
  name: string;
  bytes: number;
  /** Lower-case hexadecimal. */
  sha256: string;
}

/** What an index says of itself. */
export interface IndexInfo {
  title: string;
  documents: number;
  passages: number;
  dims: number;
  model_id: string;
  release: string;
  /** Best cosine below which the answer is "no close match". */
  no_match_below: number;
  /** Bytes of the files that every search needs. */
  search_bytes: number;
  /** Bytes of all files. */
  index_bytes: number;
}

/** A document's best passage for a query. */
export interface Hit {
  document: number;
  passage: number;
  /** Cosine, -1 to 1. */
  score: number;
}

/** A document as its owner published it. */
export interface Document {
  id: string;
  title: string;
  date?: string | null;
  url?: string | null;
  image?: string | null;
  fields: [string, string][];
  passages: string[];
  /** Index-wide number of `passages[0]`. */
  first_passage: number;
}

/** An index opened from its manifest and filled file by file. */
export interface Index {
  required_files(): (FileEntry & { kind: string })[];
  /** Verifies SHA-256 and structure before keeping the bytes. */
  add_file(name: string, bytes: Uint8Array): void;
  ready(): boolean;
  /** Throws `incompatible` unless queries encoded by this model can be scored here. */
  check_model(id: string): void;
  info(): IndexInfo;
  /** Best passage per document, best first. */
  search(query: Float32Array, k: number): Hit[];
  /** The file that holds a document. */
  document_file(document: number): FileEntry;
  /** Reads a document from the bytes of its file. */
  document(document: number, bytes: Uint8Array): Document;
  free(): void;
}

/** How dates are read; what is left out is as in `almanac-index dates`. */
export interface DateOptions {
  /** Collection whose conventions hold. */
  preset?: "almanac" | "cmoa" | "tate" | "cco" | "ts-retriever" | "temps";
  /** Day that "yesterday" counts from, YYYY-MM-DD. */
  anchor?: string;
  lang?: "auto" | "en" | "zh";
  /** Whether the text is one date field of a catalogue. */
  whole?: boolean;
}

/** One WebAssembly module. */
export interface Door {
  default(input: { module_or_path: Response | URL | string }): Promise<unknown>;
  version(): string;
  /**
   * The dates of a text as the JSON object that `almanac-index dates` writes for it.
   * `options` is the JSON of `DateOptions`; anything else throws `invalid_input`.
   */
  dates(text: string, options: string): string;
  Encoder: {
    load(card: Uint8Array, weights: Uint8Array, tokenizer: Uint8Array, backend: Backend): Promise<Encoder>;
  };
  Index: {
    open(manifest: Uint8Array): Index;
  };
}
