/**
 * The surface that the two WebAssembly modules export.
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

/** Turns text into a unit vector, on the CPU. */
export interface Encoder {
  /** Token ids with the special tokens, truncated to the model's limit. */
  tokens(text: string): Uint32Array;
  /** The same tokens as the vocabulary writes them. */
  pieces(text: string): string[];
  /** The same with the prefix that the model wants before such a text: what its layers take. */
  ids(text: string, kind: "query" | "passage"): Uint32Array;
  /** Token ids of the first `max` golden sentences. */
  golden_ids(max: number): Uint32Array[];
  /** Unit-length vector of `text`. */
  encode(text: string, kind: "query" | "passage"): Promise<Float32Array>;
  /** Encodes the first `max` golden sentences and compares them. */
  self_test(max: number): Promise<SelfTest>;
  model_id(): string;
  free(): void;
}

/** Turns the token ids of a text into a unit vector, on the GPU. */
export interface GpuEncoder {
  encode(ids: Uint32Array): Promise<Float32Array>;
  /** Encodes the golden sentences whose ids these are, in the card's order, and compares them. */
  self_test(ids: Uint32Array[]): Promise<SelfTest>;
  free(): void;
}

/** Reads the time that a text means, learned; beside the encoder it was trained for. */
export interface Branch {
  /**
   * Mean and length of an interval, in days; relative dates count from `anchor`.
   *
   * A text without a date gets about 20,000 years.
   */
  time(encoder: Encoder, text: string, anchor: DayNumber): Float64Array;
  free(): void;
}

/** A file named by a manifest or a card, with what must be true of its bytes. */
export interface FileEntry {
  name: string;
  bytes: number;
  /** Lower-case hexadecimal. */
  sha256: string;
}

/** A day of the proleptic Gregorian calendar; 1 is 0001-01-01, 0 the day before. */
export type DayNumber = number;

/** What a file of an index holds. */
export type SectionKind = "vectors" | "offsets" | "documents" | "times" | "facets" | "lexicon" | "postings" | "signs" | "clusters" | "sort" | "translations";

/** A property that records share, with each of its values. */
export interface Facet {
  label: string;
  /** Most frequent first; a value's place here is its number. */
  values: { value: string; count: number }[];
}

/** What an index says of itself. */
export interface IndexInfo {
  title: string;
  documents: number;
  passages: number;
  dims: number;
  model_id: string;
  release: string;
  /** Bytes of the files that a full search needs. */
  search_bytes: number;
  /** Bytes of those files that a search by words and time needs. */
  words_bytes: number;
  /** Bytes of all files. */
  index_bytes: number;
  /** Documents with at least one date. */
  dated: number;
  /** The days that the middle 98 % of catalogue dates lie in; null without dates. */
  days: [DayNumber, DayNumber] | null;
  facets: Facet[];
  /** Names of what documents can be sorted by besides relevance. */
  sorts?: string[];
  /** Clusters that a search by meaning fetches; null where it needs all vectors. */
  probes?: number | null;
  /** Documents that say something of the time of year. */
  seasonal: number;
  weights: Weights;
  /** How dates are compared: by what lies inside the asked time, or, in texts that tell what lasted, by beginnings too. */
  time_score?: "museum" | "prose";
  /** The cosine below which a passage is not close in meaning. */
  no_match_below: number;
  /** Searches that a page may offer at first. */
  examples: string[];
}

/** How much each part counts in a ranking, each 0 to 1. */
export interface Weights {
  /** The share of time in the whole, α. */
  time: number;
  /** The share of words in what is not time. */
  words: number;
}

/** Which documents may be found. */
export interface DoorFilter {
  /** A document passes when one of its dates overlaps `[first, last]`; null is open. */
  first?: DayNumber | null;
  last?: DayNumber | null;
  /** Whether undated documents pass a date filter. */
  undated?: boolean;
  /** Facet number and value number; values of one facet are alternatives, facets combine. */
  facets?: [number, number][];
  /** First and last day of a part of the year, 0 to 365, which may pass the new year. */
  season?: [first: number, last: number];
}

/** A question to the index; crosses as JSON. */
export interface Question {
  query: string;
  /** Day that relative dates count from, YYYY-MM-DD. */
  anchor?: string;
  /** False: dates in the query are plain words. */
  time?: boolean;
  /** Documents wanted. */
  k: number;
  filter?: DoorFilter;
  /** Weights in place of the index's own. */
  weights?: Weights;
}

/** A date found in a query. */
export interface QueryDate {
  match: string;
  /** UTF-16 code units of the query. */
  start: number;
  end: number;
  /** As in "1850s → 1850 to 1859". */
  reading: string;
  /** Days of the hull; null is open. */
  first: DayNumber | null;
  last: DayNumber | null;
  /** A part of the year without a year. */
  seasonal: boolean;
  role: string;
}

/** A date-like text that names no date, and why. */
export interface Refusal {
  match: string;
  start: number;
  end: number;
  reason: string;
}

/** What a query means, before anything is scored. */
export interface Understood {
  /** What to encode: the query without its dates, "" when nothing else is left. */
  meaning_text: string;
  dates: QueryDate[];
  refusals: Refusal[];
  /** Phrases in quotation marks, each as its folded words with a space between. */
  phrases: string[];
}

/** What each part adds to a score. */
export interface Shares {
  meaning: number;
  words: number;
  time: number;
}

/** How a passage's date lies to the time that the query names. */
export interface HitTime {
  relation: "inside" | "overlaps" | "outside" | "unknown";
  date: string | null;
}

/** A document's best passage for a question. */
export interface Hit {
  document: number;
  passage: number;
  /** 0 to 1, and 1 more for each tier of exact matches. */
  score: number;
  /** Their sum is the score without tiers. */
  shares: Shares;
  /** -1 to 1; null where no vector was compared. */
  cosine: number | null;
  /** Terms of the query that the passage or its record's other words hold: folded, codes after "#", characters alone and in pairs. */
  words: string[];
  /** Holds a quoted phrase or an accession number of the query. */
  exact: boolean;
  /** Null when the query names no time. */
  time: HitTime | null;
}

/** The answer to a question. */
export interface Ranking {
  /** Best first. */
  hits: Hit[];
  /** Whether the best is a close match. */
  close: boolean;
  /** Documents that pass the filter. */
  matching: number;
  /** Which parts took part. */
  by: { meaning: boolean; words: boolean; time: boolean };
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
  /** Files that a full search needs, small ones first. */
  required_files(): (FileEntry & { kind: SectionKind })[];
  /** Verifies SHA-256 and structure before keeping the bytes; takes postings files too. */
  add_file(name: string, bytes: Uint8Array): void;
  /** All required files are in. */
  ready(): boolean;
  /** All required files but the vectors are in. */
  ready_for_words(): boolean;
  /** Throws `incompatible` unless queries encoded by this model can be scored here. */
  check_model(id: string): void;
  info(): IndexInfo;
  /** JSON of an `Understood` for the JSON of a `Question`. */
  understand(question: string): string;
  /** Postings files that the question needs and that are not in yet. */
  word_files(question: string): FileEntry[];
  /** The vectors files that are not in yet: of the clusters nearest to a vector, or all. */
  vector_files(vector?: Float32Array, probes?: number): FileEntry[];
  /**
   * JSON of a `Ranking` for the JSON of a `Question`; `vector` is the encoded
   * `meaning_text`, left out to rank by words and time alone.
   */
  rank(question: string, vector?: Float32Array): string;
  /** JSON of a `Ranking`: the documents nearest in meaning to a document, without it; of the question (JSON), `k` and `filter` count. */
  similar(document: number, question: string): string;
  /** The vector of a passage as the index holds it. */
  vector(passage: number): Float32Array;
  /** Where the words of the question (JSON) stand in a text: start and end by turns, in UTF-16 code units. */
  marks(question: string, text: string): Uint32Array;
  /** The dates of a document: first and last day by turns, infinite where open; empty when undated. */
  days(document: number): Float64Array;
  /** The parts of the year of a document: center and length in days from the start of the year by turns. */
  seasons(document: number): Float64Array;
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

/** What every WebAssembly module exports. */
interface Program {
  default(input: { module_or_path: Response | URL | string }): Promise<unknown>;
  version(): string;
  /** Whether the browser has refused memory, also after a trap. */
  memory_refused(): boolean;
}

/** The module for the GPU: the layers of the encoder alone. */
export interface GpuDoor extends Program {
  GpuEncoder: {
    load(card: Uint8Array, weights: Uint8Array): Promise<GpuEncoder>;
  };
}

/** The module for the CPU: everything else. */
export interface Door extends Program {
  /**
   * The dates of a text as the JSON object that `almanac-index dates` writes for it.
   * `options` is the JSON of `DateOptions`; anything else throws `invalid_input`.
   */
  dates(text: string, options: string): string;
  Encoder: {
    load(card: Uint8Array, weights: Uint8Array, tokenizer: Uint8Array): Encoder;
  };
  Index: {
    open(manifest: Uint8Array): Index;
  };
}
