import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, sep } from "node:path";

/** What the server sends for one file. */
export interface Served {
  status: number;
  type: string;
  body: Buffer;
  /** Further headers. */
  headers?: Record<string, string>;
  /** Close the connection after this many bytes of the body. */
  cutAfter?: number;
  /** Send nothing before this is settled. */
  after?: Promise<void>;
}

/** Changes what is sent for a path; used to play broken hosts. */
export type Fault = (path: string, served: Served) => Served;

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** A plain static host: folders under URL prefixes, faults on demand, every request noted. */
export class StaticServer {
  /** Paths asked for, oldest first. */
  readonly requests: string[] = [];
  /** How this host misbehaves; null for a good one. */
  fault: Fault | null = null;
  readonly #server: Server;

  constructor(private mounts: Record<string, string>) {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** Serves other folders from now on. */
  remount(mounts: Record<string, string>): void {
    this.mounts = mounts;
  }

  /** Listens on a free port of this machine alone. */
  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** Stops, also where a browser keeps a connection open. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    this.requests.push(path);
    const found = await this.#file(path);
    const served = this.fault === null ? found : this.fault(path, found);
    await served.after;
    response.writeHead(served.status, {
      "Content-Type": served.type,
      "Content-Length": served.body.length,
      "Cache-Control": "public, max-age=600",
      ...served.headers,
    });
    if (served.cutAfter === undefined) {
      response.end(served.body);
    } else {
      response.write(served.body.subarray(0, served.cutAfter), () => response.destroy());
    }
  }

  async #file(path: string): Promise<Served> {
    const name = path.endsWith("/") ? `${path}index.html` : path;
    for (const [prefix, folder] of Object.entries(this.mounts)) {
      const file = normalize(join(folder, name.slice(prefix.length)));
      if (!name.startsWith(prefix) || !file.startsWith(normalize(folder) + sep)) continue;
      try {
        return { status: 200, type: types[extname(file)] ?? "application/octet-stream", body: await readFile(file) };
      } catch {
        break;
      }
    }
    return { status: 404, type: "text/html; charset=utf-8", body: Buffer.from("<!doctype html><title>Not found</title>") };
  }
}
