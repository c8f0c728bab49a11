/** A file of the page itself. */
export interface ShellFile {
  /** Relative to the service worker. */
  path: string;
  /** Lower-case hexadecimal; null for the page, which its owner may have edited. */
  sha256: string | null;
}

/** The files of one build; `version` changes with any of them. */
export interface ShellList {
  version: string;
  files: ShellFile[];
}

/** The page itself. */
const PAGE = "index.html";

/** Start of the names of the caches that hold builds. */
const PREFIX = "almanac-shell";

/** One build of the page, kept whole or not at all. */
export class Shell {
  readonly #root: URL;

  constructor(
    private readonly list: ShellList,
    scope: string,
    private readonly storage: CacheStorage,
    private readonly fetcher: typeof fetch,
  ) {
    this.#root = new URL(scope);
  }

  /** Fetches and checks every file; throws unless all are there and whole. */
  async fill(): Promise<void> {
    const cache = await this.storage.open(this.#name);
    try {
      await Promise.all(
        this.list.files.map(async (file) => {
          const url = this.#address(file.path);
          const response = (await this.#checked(url, file, "default")) ?? (await this.#checked(url, file, "reload"));
          if (response === null) throw new Error(`${file.path} is not the file of this build`);
          await cache.put(url.href, response);
        }),
      );
    } catch (failure) {
      await this.storage.delete(this.#name);
      throw failure;
    }
  }

  /** Removes the builds that came before this one in the same folder. */
  async clear(): Promise<void> {
    for (const name of await this.storage.keys()) if (name.startsWith(`${PREFIX} ${this.#root.href} `) && name !== this.#name) await this.storage.delete(name);
  }

  /** The kept file for a request, or null where the request is not for the page itself. */
  address(request: Request): string | null {
    if (request.method !== "GET") return null;
    const url = new URL(request.url);
    if (url.origin !== this.#root.origin || !url.pathname.startsWith(this.#root.pathname)) return null;
    const path = url.pathname.slice(this.#root.pathname.length);
    // The folder itself is its page; nested addresses are not this page's, and may be pages of their own.
    const named = path === "" ? PAGE : decoded(path);
    return this.list.files.some((file) => file.path === named) ? this.#address(named).href : null;
  }

  /** The page is asked for by its folder: some hosts send its own name elsewhere. */
  #address(path: string): URL {
    return path === PAGE ? this.#root : new URL(path, this.#root);
  }

  /** The kept file, else the server's. */
  async answer(address: string, request: Request): Promise<Response> {
    // Not `open`, which would make anew what the kill switch has removed.
    const kept = await this.storage.match(address, { cacheName: this.#name }).catch(() => undefined);
    return kept ?? this.fetcher(request);
  }

  async #checked(url: URL, file: ShellFile, cache: RequestCache): Promise<Response | null> {
    const response = await this.fetcher(url.href, { cache, credentials: "same-origin", redirect: "error" });
    if (!response.ok || response.type === "opaque") return null;
    const bytes = await response.arrayBuffer();
    if (file.sha256 !== null && (await sha256Of(bytes)) !== file.sha256) return null;
    // A fresh response: what a host has encoded on the way is decoded by now.
    const headers = new Headers({ "Content-Type": response.headers.get("Content-Type") ?? "application/octet-stream" });
    for (const name of ["Content-Security-Policy", "Referrer-Policy", "Permissions-Policy", "X-Content-Type-Options"]) {
      const value = response.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    return new Response(bytes, { headers });
  }

  /** Sites of one origin share their storage, so the folder is part of the name. */
  get #name(): string {
    return `${PREFIX} ${this.#root.href} ${this.list.version}`;
  }
}

/** Removes every build kept for a folder. */
export async function forgetShells(storage: CacheStorage, scope: string): Promise<void> {
  for (const name of await storage.keys()) if (name.startsWith(`${PREFIX} ${scope} `)) await storage.delete(name);
}

async function sha256Of(bytes: ArrayBuffer): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
