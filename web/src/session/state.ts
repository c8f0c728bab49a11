import type { IndexInfo } from "../door";
import type { FailureReport } from "../failure";
import type { BackendChoice, Downloads, Found, Progress } from "../protocol";
import { noAsk, type Ask } from "./ask";

/** What the visitor sees, one of: */
export type Phase =
  | { name: "idle" }
  | { name: "loading"; progress: Progress }
  | { name: "ready" }
  | { name: "searching" }
  /** `partial`: an answer that rests on more will follow in a moment. */
  | { name: "results"; found: Found; nearest: boolean; millis: number; partial: boolean }
  | { name: "no-match"; found: Found }
  | { name: "failed"; failure: FailureReport };

/** A phase's name. */
export type PhaseName = Phase["name"];

/** How far the search by meaning is, the larger part of the download; sizes in bytes. */
export type Meaning =
  /** Nothing is known before the first stage is loaded. */
  | { name: "unknown" }
  /** Waits for the visitor's consent. */
  | { name: "offered"; bytes: number }
  | { name: "loading"; bytes: number; progress: Progress }
  | { name: "ready" }
  | { name: "failed"; bytes: number; failure: FailureReport };

/** How far the site is kept in this browser for use without a network; sizes in bytes. */
export type Keeping =
  /** Nothing is known, or this browser keeps nothing. */
  | { name: "unknown" }
  | { name: "offered"; bytes: number }
  | { name: "running"; bytes: number; progress: Progress }
  | { name: "kept" }
  | { name: "failed"; bytes: number; failure: FailureReport };

/** Something the visitor should know about the question as it was read. */
export type Notice =
  | { about: "shortened" }
  /** A facet value in the address that the index does not have. */
  | { about: "facet"; value: string }
  /** A year in the address that is none. */
  | { about: "year"; value: string }
  /** A part of the year in the address that is none. */
  | { about: "season"; value: string }
  /** A record in the address that the index does not have. */
  | { about: "like"; value: string };

/** Everything the element draws. */
export interface SessionState {
  phase: Phase;
  meaning: Meaning;
  keeping: Keeping;
  ask: Ask;
  /** Known once loaded. */
  info: IndexInfo | null;
  backend: BackendChoice | null;
  downloads: Downloads | null;
  notices: readonly Notice[];
}

/** The state before anything has happened. */
export const initialState: SessionState = {
  phase: { name: "idle" },
  meaning: { name: "unknown" },
  keeping: { name: "unknown" },
  ask: noAsk,
  info: null,
  backend: null,
  downloads: null,
  notices: [],
};
