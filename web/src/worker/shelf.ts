/** The part of a browser's storage for responses that a shelf uses. */
export type CacheRoom = Pick<CacheStorage, "open">;

/** All of the site's files that this browser keeps are under this name; their addresses tell indexes and models apart. */
export const SHELF_NAME = "almanac-files";

/**
 * Files kept in this browser, so that a later visit needs no network.
 *
 * Nothing here can fail a search: storage that is absent, blocked or full
 * reads as empty, and what is read is still checked by whoever asked for it.
 */
export class Shelf {
  readonly #room: CacheRoom | undefined;
  #opened: Promise<Cache | null> | null = null;
  readonly #underWay = new Set<Promise<void>>();
  #refused: string | null = null;

  constructor(room: CacheRoom | undefined) {
    this.#room = room;
  }

  /** Why a file could not be kept, once that has happened. */
  get refused(): string | null {
    return this.#refused;
  }

  /** Whether this browser can keep files at all. */
  async usable(): Promise<boolean> {
    return (await this.#cache()) !== null;
  }

  /** The bytes kept for an address, or null. */
  async read(url: URL): Promise<Uint8Array | null> {
    try {
      const kept = await (await this.#cache())?.match(url.href);
      return kept === undefined ? null : new Uint8Array(await kept.arrayBuffer());
    } catch {
      return null;
    }
  }

  /** Begins to keep bytes, which are copied at once; `settled` waits for the end. */
  keep(url: URL, bytes: Uint8Array): void {
    if (this.#room === undefined) return;
    const response = new Response(bytes as BodyInit, { headers: { "Content-Type": "application/octet-stream" } });
    const kept = this.#put(url, response).finally(() => this.#underWay.delete(kept));
    this.#underWay.add(kept);
  }

  /** Ends when everything is kept or refused. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Forgets an address. */
  async drop(url: URL): Promise<void> {
    try {
      await (await this.#cache())?.delete(url.href);
    } catch {
      // What cannot be removed is found damaged again, and fetched again.
    }
  }

  /** The addresses of what is kept. */
  async list(): Promise<Set<string>> {
    try {
      return new Set((await (await this.#cache())?.keys())?.map(({ url }) => url));
    } catch {
      return new Set();
    }
  }

  /** Makes room for another attempt after a refusal. */
  forgive(): void {
    this.#refused = null;
  }

  async #put(url: URL, response: Response): Promise<void> {
    // Once the room is used up, each further attempt would only write half a file.
    if (this.#refused !== null) return;
    try {
      await (await this.#cache())?.put(url.href, response);
    } catch (cause) {
      this.#refused = cause instanceof Error ? cause.message : String(cause);
      await this.drop(url);
    }
  }

  #cache(): Promise<Cache | null> {
    this.#opened ??= this.#room === undefined ? Promise.resolve(null) : this.#room.open(SHELF_NAME).catch(() => null);
    return this.#opened;
  }
}
