import type { IndexInfo } from "../door";
import type { FailureReport } from "../failure";
import type { BackendChoice, Downloads, Found, Progress } from "../protocol";

/** What the visitor sees, one of: */
export type Phase =
  | { name: "idle" }
  | { name: "loading"; progress: Progress }
  | { name: "ready" }
  | { name: "searching"; query: string }
  | { name: "results"; query: string; found: Found; nearest: boolean; millis: number }
  | { name: "no-match"; query: string; found: Found }
  | { name: "failed"; failure: FailureReport };

/** A phase's name. */
export type PhaseName = Phase["name"];

/** Everything the element draws. */
export interface SessionState {
  phase: Phase;
  /** Known once loaded. */
  info: IndexInfo | null;
  backend: BackendChoice | null;
  downloads: Downloads | null;
  /** Something the visitor should know about the query as it was read. */
  notice: string | null;
}

/** The state before anything has happened. */
export const initialState: SessionState = {
  phase: { name: "idle" },
  info: null,
  backend: null,
  downloads: null,
  notice: null,
};
