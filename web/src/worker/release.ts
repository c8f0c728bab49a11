import type { FileEntry } from "../door";
import { reportOf, type FailureReport } from "../failure";
import { readCard } from "./card";
import { encodePath, type Files } from "./fetch";
import type { Shelf } from "./shelf";

/** Where a site's model and index lie. */
export interface Folders {
  model: URL;
  index: URL;
}

/** One release: a manifest with the card it goes with. Files are only ever read through the release that names them. */
export interface Release {
  /** Null where only words and dates can be searched. */
  card: Uint8Array | null;
  manifest: Uint8Array;
}

/** What the server has now. */
export interface Newest {
  release: Release;
  /** Why there is no card, where there is none. */
  fault: FailureReport | null;
}

/** A file and the folder it lies in. */
export interface Placed {
  folder: URL;
  file: FileEntry;
}

/** Asks the server for the card of its model. */
export function newestCard(files: Files, { model }: Folders): Promise<Uint8Array> {
  return files.entry(new URL("card.json", model));
}

/** Asks the server for its release; only a manifest that cannot be had is a failure. */
export async function newestRelease(files: Files, folders: Folders): Promise<Newest> {
  const [{ card, fault }, manifest] = await Promise.all([
    newestCard(files, folders).then(
      (card) => ({ card, fault: null }),
      (cause: unknown) => ({ card: null, fault: reportOf(cause, "card.json") }),
    ),
    files.entry(new URL("manifest.json", folders.index)),
  ]);
  return { release: { card, manifest }, fault };
}

/** Every file that a release names. */
export function filesOf({ card, manifest }: Release, { model, index }: Folders): Placed[] {
  const named = card === null ? null : readCard(card);
  return [
    ...manifestFiles(manifest).map((file) => ({ folder: index, file })),
    ...(named === null ? [] : [named.tokenizer, ...named.weights]).map((file) => ({ folder: model, file })),
  ];
}

/** The address of a file. */
export function addressOf({ folder, file }: Placed): URL {
  return new URL(encodePath(file.name), folder);
}

/** The release that this browser keeps, and the files it names. */
export class KeptRelease {
  constructor(
    private readonly shelf: Shelf,
    private readonly folders: Folders,
  ) {}

  /** The release of an earlier visit, or null. */
  async read(): Promise<Release | null> {
    const bytes = await this.shelf.read(this.#address);
    if (bytes === null) return null;
    try {
      const { card, manifest } = JSON.parse(decoded(bytes)) as Record<string, unknown>;
      return typeof card === "string" && typeof manifest === "string" ? { card: encoded(card), manifest: encoded(manifest) } : null;
    } catch {
      return null;
    }
  }

  /** Whether the kept release has all of its model here, so that meaning can be compared without a network. */
  async hasModel(): Promise<boolean> {
    const release = await this.read();
    if (release === null) return false;
    const missing = (await this.missing(release)) ?? [];
    return !missing.some(({ folder }) => folder === this.folders.model);
  }

  /** The files of a release that this browser does not keep yet; null where it cannot keep any, or half a release is all there is. */
  async missing(release: Release): Promise<Placed[] | null> {
    if (release.card === null || !(await this.shelf.usable())) return null;
    const kept = await this.shelf.list();
    return filesOf(release, this.folders).filter((placed) => !kept.has(addressOf(placed).href));
  }

  /**
   * Makes `release` the one that is read without a network, once what was fetched of it is kept.
   *
   * Card and manifest are one entry, so that they change together or not at all; only after
   * that are the files of other releases removed. A refusal leaves the earlier release as it was.
   */
  async commit(release: Release): Promise<void> {
    await this.shelf.settled();
    if (release.card === null || this.shelf.refused !== null) return;
    const bytes = encoded(JSON.stringify({ card: decoded(release.card), manifest: decoded(release.manifest) }));
    this.shelf.keep(this.#address, bytes);
    await this.shelf.settled();
    if (this.shelf.refused !== null) return;
    const named = new Set([this.#address, ...filesOf(release, this.folders).map(addressOf)].map(({ href }) => href));
    // Folders below these two may be those of another site on the same origin.
    const folders = new Set([this.folders.index.href, this.folders.model.href]);
    for (const url of await this.shelf.list()) {
      if (!named.has(url) && folders.has(new URL(".", url).href)) await this.shelf.drop(new URL(url));
    }
  }

  /** The pair has an address of its own: an index may be searched with another model elsewhere on the site. */
  get #address(): URL {
    return new URL(`./almanac-release?model=${encodeURIComponent(this.folders.model.href)}`, this.folders.index);
  }
}

/** The files of a manifest; the module has validated it before. */
function manifestFiles(bytes: Uint8Array): FileEntry[] {
  const { files } = JSON.parse(decoded(bytes)) as { files?: unknown };
  if (!Array.isArray(files)) return [];
  return files.flatMap((entry: unknown) => {
    const { file, bytes: size, sha256 } = entry as Record<string, unknown>;
    return typeof file === "string" && typeof size === "number" && typeof sha256 === "string" ? [{ name: file, bytes: size, sha256 }] : [];
  });
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
