import type { DoorErrorCode } from "./door";

/** What went wrong, as a stable word: the modules' own codes and the page's. */
export type FailureCode =
  | DoorErrorCode
  /** A file could not be fetched at all. */
  | "network"
  /** The browser has no room to keep a file. */
  | "storage"
  /** The worker died or stopped answering. */
  | "worker";

/** A failure that can cross from the worker to the page. */
export interface FailureReport {
  code: FailureCode;
  message: string;
  /** The file at fault, where there is one. */
  file?: string;
  /** True when the worker's modules can no longer be trusted. */
  fatal?: boolean;
}

/** A failure with a stable code and, where there is one, the file at fault. */
export class Failure extends Error {
  override readonly name = "AlmanacError";

  constructor(readonly report: FailureReport) {
    super(report.message);
  }
}

const codes: ReadonlySet<string> = new Set<FailureCode>([
  "corrupt",
  "incompatible",
  "unsupported",
  "invalid_input",
  "out_of_memory",
  "gpu",
  "internal",
  "network",
  "storage",
  "worker",
]);

/** Reads any thrown value as a failure report; `file` names the file being read, if one was. */
export function reportOf(thrown: unknown, file?: string): FailureReport {
  if (thrown instanceof Failure) return thrown.report;
  const named = file === undefined ? {} : { file };
  // A trap leaves the module's memory in an unknown state: nothing may call it again.
  if (thrown instanceof WebAssembly.RuntimeError) {
    return { code: "internal", message: `the search program stopped unexpectedly (${thrown.message})`, fatal: true, ...named };
  }
  if (thrown instanceof WebAssembly.CompileError) {
    const message = `WebAssembly is not allowed here, by this browser or by the site's security policy (${thrown.message})`;
    return { code: "unsupported", message, ...named };
  }
  // What browsers throw when a module asks for memory that they do not have.
  if (thrown instanceof RangeError && /memory/i.test(thrown.message)) {
    return { code: "out_of_memory", message: `the browser has no memory left for it (${thrown.message})`, fatal: true, ...named };
  }
  if (thrown instanceof Error) {
    const code = "code" in thrown && typeof thrown.code === "string" && codes.has(thrown.code) ? thrown.code : "internal";
    return { code: code as FailureCode, message: thrown.message, ...named };
  }
  return { code: "internal", message: String(thrown), ...named };
}
