import { describe, expect, it } from "vitest";
import { Failure } from "../failure";
import { described, filesOf, type Seen } from "../testing/fake-door";

const folder = new URL("https://museum.example/sub/index/");
const path = "/sub/index/a.bin";
const good = "0123456789";
const file = { name: "a.bin", ...described(good) };

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const thrown: unknown = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (!(thrown instanceof Failure)) throw new Error(`expected a failure, got ${String(thrown)}`);
  return thrown;
}

describe("content-hashed files", () => {
  it("are read from their folder with the ordinary cache", async () => {
    const seen: Seen[] = [];
    const bytes = await filesOf(new Map([[path, good]]), seen).file(folder, file, () => undefined);
    expect(new TextDecoder().decode(bytes)).toBe(good);
    expect(seen).toEqual([{ path, cache: "default" }]);
  });

  it.each([
    ["a flipped byte", "0123456780", /checksum/],
    ["a truncated body", "01234", /ended after 5 of 10 bytes/],
    ["a body that is too long", "01234567890", /longer than the 10 bytes/],
    ["a web page", "<!DOCTYPE html><title>Not found</title>", /web page/],
    ["a short web page", "<html></h>", /web page/],
  ])("with %s are asked for once more, then refused by name", async (_case, served, message) => {
    const seen: Seen[] = [];
    const failure = await failureOf(filesOf(new Map([[path, served]]), seen).file(folder, file, () => undefined));
    expect(failure.report).toMatchObject({ code: "corrupt", file: "a.bin" });
    expect(failure.message).toMatch(message);
    expect(seen.map((request) => request.cache)).toEqual(["default", "reload"]);
  });

  it("that were damaged only in the cache are read on the second try", async () => {
    const site = new Map([[path, (attempt: number) => new Response(attempt === 1 ? "x" : good)]]);
    await expect(filesOf(site).file(folder, file, () => undefined)).resolves.toHaveLength(10);
  });

  it("count each byte once, also when the file is started again", async () => {
    let counted = 0;
    const site = new Map([[path, (attempt: number) => new Response(attempt === 1 ? "012345678x" : good)]]);
    await filesOf(site).file(folder, file, (bytes) => (counted += bytes));
    expect(counted).toBe(10);
  });

  it("that the server does not have are a network failure with the status", async () => {
    const failure = await failureOf(filesOf(new Map()).file(folder, file, () => undefined));
    expect(failure.report).toMatchObject({ code: "network", file: "a.bin" });
    expect(failure.message).toMatch(/answered 404/);
  });

  it.each(["../secret", "a/../../b", "/etc/passwd", "a//b", ""])("never leave their folder: %j", async (name) => {
    const seen: Seen[] = [];
    const failure = await failureOf(filesOf(new Map(), seen).file(folder, { ...file, name }, () => undefined));
    expect(failure.report.code).toBe("corrupt");
    expect(seen).toEqual([]);
  });

  it("are written straight into the place given", async () => {
    const whole = new Uint8Array(12);
    await filesOf(new Map([[path, good]])).file(folder, file, () => undefined, whole.subarray(2));
    expect(new TextDecoder().decode(whole)).toBe(`\0\0${good}`);
  });
});

describe("entry files", () => {
  it("are always asked of the server anew", async () => {
    const seen: Seen[] = [];
    await filesOf(new Map([["/sub/index/manifest.json", "{}"]]), seen).entry(new URL("manifest.json", folder));
    expect(seen).toEqual([{ path: "/sub/index/manifest.json", cache: "no-cache" }]);
  });

  it("that are web pages are refused by name", async () => {
    const site = new Map([["/sub/index/manifest.json", "  <!doctype html>"]]);
    const failure = await failureOf(filesOf(site).entry(new URL("manifest.json", folder)));
    expect(failure.report).toMatchObject({ code: "corrupt", file: "manifest.json" });
  });
});
