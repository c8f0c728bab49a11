import { beforeEach, describe, expect, it } from "vitest";
import { Failure } from "../failure";
import { FakeCaches } from "../testing/fake-caches";
import { described, fakeDoor, fakeGpuDoor, fakeLexicon, fakePostings, fakeShard, fakeSite, type Seen } from "../testing/fake-door";
import { Engine } from "./engine";
import { filesOver } from "./fetch";
import { Shelf, SHELF_NAME } from "./shelf";

const origin = "https://museum.example";
const request = { model: `${origin}/model/`, index: `${origin}/index/`, backend: "cpu" } as const;

/** A manifest as its owner publishes it; the stand-in module does not read it. */
const manifestOf = (...files: { name: string; bytes: number; sha256: string }[]): string =>
  JSON.stringify({ files: files.map(({ name, bytes, sha256 }) => ({ file: name, bytes, sha256 })) });

describe("a release that is kept", () => {
  let caches: FakeCaches;
  let site: Map<string, string>;
  let seen: Seen[];
  let online: boolean;

  beforeEach(() => {
    caches = new FakeCaches();
    site = fakeSite();
    site.set("/index/manifest.json", manifestOf(fakeLexicon, fakeShard, fakePostings));
    seen = [];
    online = true;
  });

  /** A new visit in the same browser. */
  function visit(room: FakeCaches | null = caches): Engine {
    const shelf = new Shelf(room ?? undefined);
    const fetcher = (async (input: URL, init?: RequestInit) => {
      const path = new URL(input).pathname;
      seen.push({ path, cache: init?.cache });
      if (!online) throw new TypeError("Failed to fetch");
      const content = site.get(path);
      return content === undefined ? new Response("no", { status: 404 }) : new Response(content);
    }) as typeof fetch;
    return new Engine({
      files: filesOver(fetcher, shelf),
      shelf,
      cpuDoor: async () => fakeDoor(),
      gpuDoor: async () => fakeGpuDoor(),
      gpu: () => undefined,
      programBytes: () => 0,
      now: () => performance.now(),
      onProgress: () => undefined,
      onBackend: () => undefined,
    });
  }

  async function whole(engine: Engine): Promise<Engine> {
    await engine.load(request);
    await engine.meaning();
    await engine.settle();
    return engine;
  }

  const kept = (): string[] => [...(caches.caches.get(SHELF_NAME)?.keys() ?? [])].map((url) => new URL(url).pathname.split("/").pop() ?? "");
  const search = { question: { query: "q", k: 10 }, show: 10, stage: "full", nearest: false } as const;

  it("opens without a network, as far as it was fetched", async () => {
    await whole(visit());
    online = false;
    seen = [];
    const engine = await whole(visit());
    expect(new Set(seen.map(({ path }) => path))).toEqual(new Set(["/model/card.json", "/index/manifest.json"]));
    await expect(engine.search(search)).rejects.toThrow(fakePostings.name);
  });

  it("is complete once everything else has been asked for, and says how much that is", async () => {
    const engine = await whole(visit());
    expect(await engine.settle()).toEqual({ unkept: fakePostings.bytes });
    expect(await engine.keep()).toEqual({ unkept: 0 });
    expect(kept()).toContain(fakePostings.name);
  });

  it("gives way to a new one once that is whole, whose files alone are left", async () => {
    await whole(visit());
    expect(kept()).toContain(fakeShard.name);
    const next = { name: "next.bin", ...described("0123456789") };
    site.set("/index/manifest.json", manifestOf(fakeLexicon, next));
    await whole(visit());
    expect(kept()).not.toContain(fakeShard.name);
    expect(kept()).toContain(fakeLexicon.name);
  });

  it("leaves alone what another site of the same origin keeps", async () => {
    await whole(visit());
    const held = caches.caches.get(SHELF_NAME);
    const others = [`${origin}/other/index/vectors-0.bin`, `${origin}/index/nested/vectors-0.bin`];
    for (const url of others) held?.set(url, new Response("other"));
    await whole(visit());
    expect([...(held?.keys() ?? [])]).toEqual(expect.arrayContaining(others));
  });

  it("is not replaced by a newer one of which only the small files are there", async () => {
    await whole(visit());
    const old = site.get("/index/manifest.json") ?? "";
    site.set("/index/manifest.json", manifestOf(fakeLexicon));
    const engine = visit();
    await engine.load(request);
    await engine.settle();
    const release = await new Shelf(caches).read(new URL(`${origin}/index/almanac-release?model=${encodeURIComponent(request.model)}`));
    expect(JSON.parse(new TextDecoder().decode(release ?? new Uint8Array()))).toMatchObject({ manifest: old });
  });

  it.each([
    ["gone", (at: Map<string, string>) => at.delete("/index/manifest.json")],
    ["a web page", (at: Map<string, string>) => at.set("/index/manifest.json", "<!doctype html>Log in")],
    ["of a card that is damaged", (at: Map<string, string>) => at.set("/model/card.json", "{")],
  ])("is read where the newest is %s", async (_what, damage) => {
    await whole(visit());
    damage(site);
    const { documents } = await (await whole(visit())).search(search);
    expect(documents).toHaveLength(1);
  });

  it("that is no help either leaves the newest one's failure to be told", async () => {
    await whole(visit());
    online = false;
    for (const held of caches.caches.values()) for (const url of [...held.keys()]) if (url.endsWith(".bin")) held.delete(url);
    const failure: unknown = await visit().load(request).catch((thrown: unknown) => thrown);
    expect(failure instanceof Failure ? failure.report : failure).toMatchObject({ code: "network", file: "manifest.json" });
  });

  it("with a damaged file is mended from the server", async () => {
    await whole(visit());
    const held = caches.caches.get(SHELF_NAME);
    held?.set(`${origin}/index/${fakeShard.name}`, new Response("shXrd"));
    seen = [];
    await whole(visit());
    expect(seen.filter(({ path }) => path.endsWith(".bin")).map(({ path }) => path)).toEqual([`/index/${fakeShard.name}`]);
    expect(await held?.get(`${origin}/index/${fakeShard.name}`)?.clone().text()).toBe("shard");
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7])("survives a room that is full after %i files", async (room) => {
    caches.room = room;
    const engine = await whole(visit());
    expect((await engine.search(search)).documents).toHaveLength(1);
    const failure: unknown = await engine.keep().catch((thrown: unknown) => thrown);
    if (failure instanceof Failure) expect(failure.report).toMatchObject({ code: "storage", message: expect.stringContaining("no room") });
    expect((await engine.search(search)).documents).toHaveLength(1);
    // Whatever was kept is used, or fetched again.
    caches.room = Number.POSITIVE_INFINITY;
    expect((await (await whole(visit())).search(search)).documents).toHaveLength(1);
  });

  it("does not exist in a browser that keeps nothing", async () => {
    const engine = await whole(visit(null));
    expect(await engine.settle()).toEqual({ unkept: null });
    const blocked = { open: () => Promise.reject(new DOMException("blocked", "SecurityError")) } as unknown as FakeCaches;
    expect(await (await whole(visit(blocked))).settle()).toEqual({ unkept: null });
  });
});
