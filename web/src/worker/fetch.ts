import type { FileEntry } from "../door";
import { Failure } from "../failure";
import { Shelf } from "./shelf";

/** Told of every piece that arrives; `bytes` is negative when a failed file is started again. */
export type OnBytes = (bytes: number) => void;

/** Reads the site's files, checking each against what its manifest or card says. */
export interface Files {
  /** A small file that names the others; always asked of the server anew. */
  entry(url: URL): Promise<Uint8Array>;
  /** A content-hashed file; `into` receives the bytes when given. */
  file(folder: URL, file: FileEntry, onBytes: OnBytes, into?: Uint8Array): Promise<Uint8Array>;
}

/** Most bytes an entry file may have: it is small by design, so more is a wrong file. */
const MAX_ENTRY_BYTES = 16 * 1024 * 1024;

/** A file of at least so many bytes is fetched by one page of a browser at a time; the others then read what that one has kept. */
const SHARED_BYTES = 1_000_000;

/** Longest wait for another page's download, in milliseconds; then this one fetches the file itself. */
const SHARED_LIMIT_MILLIS = 120_000;

/** The part of a browser's locks that a reader uses. */
export type Locks = Pick<LockManager, "request">;

/** Builds the reader over a `fetch` function, what the browser keeps, and the locks that its pages share. */
export function filesOver(fetcher: typeof fetch, shelf = new Shelf(undefined), locks?: Locks): Files {
  const fetched = async (url: URL, file: FileEntry, onBytes: OnBytes, into?: Uint8Array): Promise<Uint8Array> => {
    let bytes: Uint8Array;
    try {
      bytes = await verified(fetcher, url, file, "default", onBytes, into);
    } catch (first) {
      // A damaged copy may sit in the HTTP cache: ask the server itself once.
      if (!(first instanceof Failure)) throw first;
      bytes = await verified(fetcher, url, file, "reload", onBytes, into);
    }
    shelf.keep(url, bytes);
    return bytes;
  };
  return {
    async entry(url) {
      const name = lastSegment(url);
      const response = await get(fetcher, url, name, "no-cache");
      const bytes = new Uint8Array(await bodyOf(response, name));
      if (bytes.length > MAX_ENTRY_BYTES) {
        throw corrupt(name, `is ${bytes.length} bytes long, more than such a file may be`);
      }
      if (startsLikeHtml(bytes)) throw webPage(name);
      return bytes;
    },

    async file(folder, file, onBytes, into) {
      const url = new URL(encodePath(file.name), folder);
      const kept = async (): Promise<Uint8Array | null> => {
        const bytes = await fromShelf(shelf, url, file, into);
        if (bytes !== null) onBytes(file.bytes);
        return bytes;
      };
      const fresh = (): Promise<Uint8Array> => fetched(url, file, onBytes, into);
      const found = await kept();
      if (found !== null) return found;
      if (locks === undefined || file.bytes < SHARED_BYTES || !(await shelf.usable())) return fresh();
      const alone = async (): Promise<Uint8Array> => {
        const bytes = (await kept()) ?? (await fresh());
        // The next page finds it only once it is kept.
        await shelf.settled();
        return bytes;
      };
      const waiting = AbortSignal.timeout(SHARED_LIMIT_MILLIS);
      try {
        return await locks.request(`almanac ${url.href}`, { signal: waiting }, alone);
      } catch (failure) {
        if (failure instanceof Failure || !waiting.aborted) throw failure;
        return fresh();
      }
    },
  };
}

/** A kept file whose checksum is right, or null; a damaged one is thrown away. */
async function fromShelf(shelf: Shelf, url: URL, file: FileEntry, into: Uint8Array | undefined): Promise<Uint8Array | null> {
  const bytes = await shelf.read(url);
  if (bytes === null) return null;
  if (bytes.length !== file.bytes || (await sha256Of(bytes)) !== file.sha256.toLowerCase()) {
    await shelf.drop(url);
    return null;
  }
  into?.set(bytes);
  return into ?? bytes;
}

async function verified(
  fetcher: typeof fetch,
  url: URL,
  file: FileEntry,
  cache: RequestCache,
  onBytes: OnBytes,
  into: Uint8Array | undefined,
): Promise<Uint8Array> {
  let counted = 0;
  try {
    const response = await get(fetcher, url, file.name, cache);
    const bytes = into ?? new Uint8Array(file.bytes);
    const length = await readInto(response, bytes, file, (piece) => {
      counted += piece;
      onBytes(piece);
    });
    if (startsLikeHtml(bytes.subarray(0, length))) throw webPage(file.name);
    if (length !== file.bytes) {
      throw corrupt(file.name, `ended after ${length} of ${file.bytes} bytes`);
    }
    const sha256 = await sha256Of(bytes);
    if (sha256 !== null && sha256 !== file.sha256.toLowerCase()) {
      throw corrupt(file.name, "does not have the checksum its manifest gives");
    }
    return bytes;
  } catch (failure) {
    onBytes(-counted);
    throw failure;
  }
}

/** Fills `bytes` from the body and gives the length read, refusing a byte too many. */
async function readInto(response: Response, bytes: Uint8Array, file: FileEntry, onBytes: OnBytes): Promise<number> {
  const reader = response.body?.getReader();
  if (reader === undefined) throw network(file.name, "came without a body");
  let length = 0;
  for (;;) {
    const piece = await reader.read().catch((cause: unknown) => {
      throw network(file.name, `was cut off after ${length} of ${file.bytes} bytes (${text(cause)})`);
    });
    if (piece.done) return length;
    if (length + piece.value.length > bytes.length) {
      const isPage = length === 0 && startsLikeHtml(piece.value);
      await reader.cancel().catch(() => undefined);
      throw isPage ? webPage(file.name) : corrupt(file.name, `is longer than the ${file.bytes} bytes its manifest gives`);
    }
    bytes.set(piece.value, length);
    length += piece.value.length;
    onBytes(piece.value.length);
  }
}

async function get(fetcher: typeof fetch, url: URL, name: string, cache: RequestCache): Promise<Response> {
  let response: Response;
  try {
    response = await fetcher(url, { cache, credentials: "same-origin", referrerPolicy: "no-referrer" });
  } catch (cause) {
    const offline = typeof navigator !== "undefined" && navigator.onLine === false;
    throw network(name, offline ? "could not be fetched: this device is offline" : `could not be fetched (${text(cause)})`);
  }
  if (!response.ok) throw network(name, `could not be fetched: the server answered ${response.status}`);
  return response;
}

async function bodyOf(response: Response, name: string): Promise<ArrayBuffer> {
  try {
    return await response.arrayBuffer();
  } catch (cause) {
    throw network(name, `was cut off (${text(cause)})`);
  }
}

/** Hexadecimal SHA-256, or null outside a secure context, where the modules alone check. */
async function sha256Of(bytes: Uint8Array): Promise<string | null> {
  if (typeof crypto === "undefined" || crypto.subtle === undefined) return null;
  const digest = await crypto.subtle.digest("SHA-256", bytes as BufferSource);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** True for the start of a web page, which servers send in place of a file they do not have. */
function startsLikeHtml(bytes: Uint8Array): boolean {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 64)).trimStart().toLowerCase();
  return start.startsWith("<!doctype") || start.startsWith("<html") || start.startsWith("<head");
}

/** A file name from a manifest as a relative URL path that stays inside its folder. */
export function encodePath(name: string): string {
  const parts = name.split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) {
    throw corrupt(name, "is not a file name inside the site's folder");
  }
  return `./${parts.map(encodeURIComponent).join("/")}`;
}

function lastSegment(url: URL): string {
  return url.pathname.split("/").pop() ?? url.pathname;
}

function webPage(name: string): Failure {
  return corrupt(name, "is a web page, not the file itself: the server has no such file, or a login page is in the way");
}

function corrupt(file: string, what: string): Failure {
  return new Failure({ code: "corrupt", message: `${file} ${what}`, file });
}

function network(file: string, what: string): Failure {
  return new Failure({ code: "network", message: `${file} ${what}`, file });
}

function text(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
