import { describe, expect, it } from "vitest";
import { FakeCaches } from "../testing/fake-caches";
import { described } from "../testing/fake-door";
import { forgetShells, Shell } from "./shell";

const scope = "https://museum.example/repo/sub/";
const files = [
  { path: "index.html", sha256: null },
  { path: "assets/a b.js", sha256: described("shard").sha256 },
];

/** A build whose host answers with `site`, by path below the folder. */
function stage(site: Record<string, string>, version = "1", caches = new FakeCaches()) {
  const asked: string[] = [];
  const fetcher = (async (input: string | Request, init?: RequestInit) => {
    const url = typeof input === "string" ? input : input.url;
    const path = decodeURIComponent(url.slice(scope.length));
    asked.push(`${path} ${init?.cache ?? ""}`);
    const content = site[path];
    return content === undefined ? new Response("no", { status: 404 }) : new Response(content);
  }) as typeof fetch;
  return { shell: new Shell({ version, files }, scope, caches as unknown as CacheStorage, fetcher), asked, caches };
}

const good = { "": "<!doctype html>", "assets/a b.js": "shard" };

describe("a build", () => {
  it("is kept whole, and answered from what is kept", async () => {
    const { shell, asked } = stage(good);
    await shell.fill();
    asked.length = 0;
    const address = shell.address(new Request(`${scope}?q=boats`));
    expect(shell.address(new Request(`${scope}index.html`))).toBe(address);
    expect(address).toBe(scope);
    const answer = await shell.answer(address ?? "", new Request(scope));
    expect(await answer.text()).toBe("<!doctype html>");
    expect(asked).toEqual([]);
  });

  it.each([
    ["missing", { "": "<!doctype html>" }],
    ["another than was built", { ...good, "assets/a b.js": "<!doctype html>Log in" }],
  ])("of which a file is %s is not kept at all", async (_what, site) => {
    const { shell, asked, caches } = stage(site);
    await expect(shell.fill()).rejects.toThrow("assets/a b.js");
    expect(asked).toContain("assets/a b.js reload");
    expect(caches.caches.size).toBe(0);
  });

  it("without room is not kept at all", async () => {
    const { shell, caches } = stage(good);
    caches.room = 1;
    await expect(shell.fill()).rejects.toThrow("Quota");
    expect(caches.caches.size).toBe(0);
  });

  it("takes the place of the one before in its own folder only", async () => {
    const caches = new FakeCaches();
    await stage(good, "1", caches).shell.fill();
    await caches.open("almanac-shell https://museum.example/other/ 1");
    await caches.open("almanac-files");
    const { shell } = stage(good, "2", caches);
    await shell.fill();
    await shell.clear();
    expect(await caches.keys()).toEqual(["almanac-shell https://museum.example/other/ 1", "almanac-files", `almanac-shell ${scope} 2`]);
    await forgetShells(caches as unknown as CacheStorage, scope);
    expect(await caches.keys()).toEqual(["almanac-shell https://museum.example/other/ 1", "almanac-files"]);
  });

  it.each([
    `${scope}index/manifest.json`,
    `${scope}model/card.json`,
    `${scope}a/b/`,
    "https://museum.example/repo/",
    "https://elsewhere.example/repo/sub/index.html",
    `${scope}%E0%A4%A`,
  ])("leaves %s to the server", (url) => {
    expect(stage(good).shell.address(new Request(url))).toBeNull();
  });

  it("answers no request but GET", () => {
    expect(stage(good).shell.address(new Request(scope, { method: "POST" }))).toBeNull();
  });

  it("whose files were cleared by the browser is asked of the server", async () => {
    const { shell, caches } = stage(good);
    const answer = await shell.answer(scope, new Request(scope));
    expect(caches.caches.size).toBe(0);
    expect(await answer.text()).toBe("<!doctype html>");
  });
});
