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

/** The smallest module with a vector instruction: a function that gives four zeros. */
const VECTOR_MODULE = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b],
  ...[0x03, 0x02, 0x01, 0x00],
  ...[0x0a, 0x08, 0x01, 0x06, 0x00, 0x41, 0x00, 0xfd, 0x11, 0x0b],
);

/** The first releases of browsers that run vector instructions. */
const NEWER = "Chrome and Edge run it from version 91, Firefox from 89, Safari from 16.4";

/** Why a program was not compiled. */
function notCompiled(cause: string): string {
  if (!WebAssembly.validate(VECTOR_MODULE)) return `this browser is too old for the search: it lacks the vector instructions of WebAssembly; ${NEWER}`;
  return `WebAssembly is not allowed here, by this browser or by the site's security policy (${cause})`;
}

/** Reads any thrown value as a failure report; `file` names the file being read, if one was. */
export function reportOf(thrown: unknown, file?: string): FailureReport {
  if (thrown instanceof Failure) return thrown.report;
  const named = file === undefined ? {} : { file };
  // Some browsers switch it off altogether, as in a mode for people at risk.
  if (typeof WebAssembly === "undefined") {
    return { code: "unsupported", message: `this browser has no WebAssembly, or it is switched off; ${NEWER}`, ...named };
  }
  // A trap leaves the module's memory in an unknown state: nothing may call it again.
  if (thrown instanceof WebAssembly.RuntimeError) {
    return { code: "internal", message: `the search program stopped unexpectedly (${thrown.message})`, fatal: true, ...named };
  }
  if (thrown instanceof WebAssembly.CompileError) {
    return { code: "unsupported", message: notCompiled(thrown.message), ...named };
  }
  // What browsers throw when a module or a file asks for memory that they do not have.
  if (thrown instanceof RangeError && /memory|allocat/i.test(thrown.message)) {
    return { code: "out_of_memory", message: `the browser has no memory left for it (${thrown.message})`, fatal: true, ...named };
  }
  if (thrown instanceof Error) {
    const code = "code" in thrown && typeof thrown.code === "string" && codes.has(thrown.code) ? thrown.code : "internal";
    return { code: code as FailureCode, message: thrown.message, ...named };
  }
  return { code: "internal", message: String(thrown), ...named };
}
