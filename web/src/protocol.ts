/**
 * What the page and the worker say to each other.
 *
 * Every call carries a number and gets exactly one answer with that number;
 * events carry none.
 */
import type { Backend, DayNumber, HitTime, IndexInfo, Question, Ranking, Shares, Understood, Weights } from "./door";
import type { FailureReport } from "./failure";

/** Which backend the page wants. */
export type BackendWish = "auto" | Backend;

/** Where the site's files are and how to encode. */
export interface LoadRequest {
  /** Absolute folder URL ending in a slash. */
  model: string;
  /** Absolute folder URL ending in a slash. */
  index: string;
  backend: BackendWish;
  /** Why an earlier visit settled on the CPU; the GPU is then not tried again. */
  settled?: string;
}

/** What an answer rests on: words and time alone, or meaning as well. */
export type Stage = "words" | "full";

/** A question to the site. */
export interface SearchRequest {
  question: Question;
  /** Documents to read of those that are ranked, best first. */
  show: number;
  /** "full" is answered by words and time alone while the model is not there. */
  stage: Stage;
  /** Also read the documents when even the best is no close match. */
  nearest: boolean;
  /** The record whose like is wanted; words and dates of the question then take no part. */
  like?: RecordName;
}

/** A record, by its place in the index and by the name that outlives a new release. */
export interface RecordName {
  document: number;
  id: string;
}

/** A question whose scores are to be taken apart. */
export interface ExplainRequest {
  question: Question;
  /** Documents to take apart, best first. */
  show: number;
}

/** How the scores of a question arise. */
export interface Explained {
  understood: Understood;
  /** Tokens of what is encoded, as the vocabulary writes them; empty when nothing is. */
  pieces: string[];
  /** The vector of length 1 that they are encoded to; null when nothing is. */
  vector: number[] | null;
  documents: ExplainedDocument[];
  by: Ranking["by"];
  /** What the ranking counted each part by. */
  weights: Weights;
  /** Whether dates are compared by beginnings too, as in texts that tell what lasted. */
  prose: boolean;
}

/** A ranked document with everything that its score is made of. */
export interface ExplainedDocument extends FoundDocument {
  /** Vector of the passage, as the index holds it. */
  vector: number[];
  /** First and last day of each date, infinite where open. */
  intervals: [first: DayNumber, last: DayNumber][];
}

/** Calls by name, with what each takes and gives. */
export interface Calls {
  /** Fetches what a search by words and time needs. */
  load: { takes: LoadRequest; gives: Loaded };
  /** Fetches what a search by meaning needs besides. */
  meaning: { takes: null; gives: { downloads: Downloads } };
  /** Ends when what has been loaded is kept in this browser, and tells what is not. */
  settle: { takes: null; gives: { unkept: Unkept } };
  /** Fetches everything else, so that the site can be searched without a network. */
  keep: { takes: null; gives: { unkept: Unkept } };
  search: { takes: SearchRequest; gives: Found };
  /** Takes the scores of a question apart; needs everything that a search by meaning needs. */
  explain: { takes: ExplainRequest; gives: Explained };
}

/** Bytes of the site that this browser does not keep yet; null where it cannot keep any. */
export type Unkept = number | null;

/** The name of a call. */
export type CallName = keyof Calls;

/** A call on its way to the worker. */
export type CallMessage = { [N in CallName]: { call: number; name: N; request: Calls[N]["takes"] } }[CallName];

/** The one answer to a call. */
export type AnswerMessage =
  | { answer: number; ok: true; value: Calls[CallName]["gives"] }
  | { answer: number; ok: false; failure: FailureReport };

/** Something the worker says unasked. */
export type EventMessage =
  | { event: "progress"; progress: Progress }
  | { event: "backend"; choice: BackendChoice };

/** Anything the worker sends. */
export type WorkerMessage = AnswerMessage | EventMessage;

/** How far the download is, in bytes of decoded content. */
export interface Progress {
  received: number;
  /** From the card and the manifest; 0 until both are read. */
  total: number;
  step: Step;
}

/** What is being done while loading. */
export type Step = "program" | "index" | "model" | "preparing" | "keeping";

/** Bytes fetched so far, by what they are for. */
export interface Downloads {
  /** WebAssembly modules. */
  program: number;
  /** Weights, tokenizer and card. */
  model: number;
  /** Manifest, the files every search needs, and postings. */
  index: number;
  /** Chunks fetched to show documents. */
  documents: number;
}

/** A site that is ready to be searched by words and time. */
export interface Loaded {
  info: IndexInfo;
  /** Bytes still to be fetched before meaning can be compared; 0 where that is not known. */
  meaning_bytes: number;
  /** Why meaning cannot be compared, where the model's card is missing, broken or another model's. */
  meaning_fault: FailureReport | null;
  downloads: Downloads;
  /** Program version. */
  version: string;
}

/** What is known of the GPU adapter. */
export interface AdapterInfo {
  vendor: string;
  architecture: string;
  description: string;
  /** True for a software adapter. */
  fallback: boolean;
}

/** Which backend encodes, and why. */
export interface BackendChoice {
  chosen: Backend;
  /** A sentence for people. */
  reason: string;
  adapter: AdapterInfo | null;
  /** Warm encoding time of a query of about 16 tokens, in milliseconds. */
  timings: { cpu: number | null; gpu: number | null };
  /** True while the GPU is still being tried and the choice may change. */
  trying: boolean;
  /** True when a later visit with the same browser and program should not try the GPU again. */
  settled: boolean;
}

/** A document found, with the passage that matched. */
export interface FoundDocument {
  /** Its place in the index. */
  document: number;
  id: string;
  title: string;
  passage: string;
  /** Where the words of the query stand in the passage: start and end by turns, in UTF-16 code units. */
  marks: number[];
  date: string | null;
  url: string | null;
  image: string | null;
  fields: [string, string][];
  /** As in `Hit`. */
  score: number;
  shares: Shares;
  cosine: number | null;
  words: string[];
  exact: boolean;
  time: HitTime | null;
}

/** When ranked documents are from. */
export interface RankedDates {
  /** First and last day of each date, infinite where open. */
  intervals: [first: DayNumber, last: DayNumber][];
  /** Ranked documents without a date. */
  undated: number;
  /** Parts of the year, as center and length in days from the start of the year. */
  seasons: [center: number, length: number][];
  /** Ranked documents that say nothing of the time of year. */
  seasonless: number;
}

/** The answer to a search. */
export interface Found {
  stage: Stage;
  /** The first of what is ranked, best first; empty when nothing is close and the nearest were not asked for. */
  documents: FoundDocument[];
  /** Documents that are ranked, of which more can be asked for. */
  ranked: number;
  /** Documents ranked after these that do not answer the question: given where the nearest are asked for. */
  far: number;
  /** The dates of everything ranked. */
  dates: RankedDates;
  /** Score of the best passage; null when there is none at all. */
  best: number | null;
  /** False when the best passage is no close match. */
  close: boolean;
  /** Documents that pass the filter. */
  matching: number;
  by: Ranking["by"];
  understood: Understood;
  /** The record whose like this is: its title, or null when this index has no such record; left out where none was asked for. */
  like?: { title: string | null };
  /** The backend that encoded this query; null when nothing was encoded. */
  backend: Backend | null;
  /** Milliseconds; postings and encoding run side by side. */
  timings: { postings: number; encode: number; rank: number; documents: number };
  downloads: Downloads;
}
