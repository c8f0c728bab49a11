import type { Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { damage, expect, FAILED_FILE, open, pageWith, reach, reachFull, searchFor, test } from "./support/fixtures";
import { indexFolder, site } from "./support/paths";
import type { Fault, StaticServer } from "./support/server";

const query = "boats on a stormy sea";

/** The file of each kind that the site really has. */
async function fileNames(): Promise<{ weights: string; tokenizer: string; vectors: string; lexicon: string; postings: string[]; documents: string[] }> {
  const card = JSON.parse(await readFile(join(site, "model", "card.json"), "utf8")) as {
    weights: { parts: { file: string }[] };
    tokenizer: { file: string };
  };
  const manifest = JSON.parse(await readFile(join(indexFolder, "manifest.json"), "utf8")) as { files: { kind: string; file: string }[] };
  const ofKind = (kind: string): string[] => manifest.files.filter((file) => file.kind === kind).map(({ file }) => file);
  const [weights, vectors, lexicon] = [card.weights.parts[0]?.file, ofKind("vectors")[0], ofKind("lexicon")[0]];
  if (weights === undefined || vectors === undefined || lexicon === undefined) throw new Error("the site lacks weights, vectors or a lexicon");
  return { weights, tokenizer: card.tokenizer.file, vectors, lexicon, postings: ofKind("postings"), documents: ofKind("documents") };
}

const flipped = (body: Buffer): Buffer => {
  body.writeUInt8(body.readUInt8(body.length >> 1) ^ 1, body.length >> 1);
  return body;
};
const truncated = (body: Buffer): Buffer => body.subarray(0, body.length >> 1);
const webPage = (): Buffer => Buffer.from("<!doctype html><title>Welcome to the museum's wireless network</title>");

/** What a fault takes away: everything, or the search by meaning alone. */
type Loss = "all" | "meaning";

/** Sees the failure named and what still works, then removes the fault and finds that Retry is enough. */
async function expectFailureThenRetry(page: Page, server: StaticServer, fault: Fault, names: RegExp, loss: Loss): Promise<void> {
  server.fault = fault;
  await open(page, server, "?backend=cpu");
  const alert = page.locator("almanac-search [part=failure]");
  await expect(alert).toBeVisible();
  await expect(alert).toContainText(names);
  expect(await page.evaluate(() => document.querySelector("almanac-search")?.state)).toBe(loss === "all" ? "failed" : "ready");
  if (loss === "meaning") {
    await expect(alert).toContainText("Search by words and dates still works");
    await page.getByRole("searchbox").fill("oil on canvas");
    expect(await reach(page, ["results", "no-match"])).toBe("results");
    await expect(alert).toBeVisible();
  }
  server.fault = null;
  await page.getByRole("button", { name: "Retry" }).click();
  await reachFull(page);
  await expect(alert).toBeHidden();
  expect((await searchFor(page, query)).documents.length).toBe(10);
}

test("one flipped byte in the weights is refused by file name, and Retry mends it", async ({ page, server }) => {
  const { weights } = await fileNames();
  await expectFailureThenRetry(page, server, damage(weights, flipped), new RegExp(`${weights}.*checksum`), "meaning");
});

test("one flipped byte in the tokenizer is refused by file name, and Retry mends it", async ({ page, server }) => {
  const { tokenizer } = await fileNames();
  await expectFailureThenRetry(page, server, damage(tokenizer, flipped), new RegExp(`${tokenizer}.*checksum`), "meaning");
});

test("one flipped byte in the lexicon is refused by file name, and Retry mends it", async ({ page, server }) => {
  const { lexicon } = await fileNames();
  await expectFailureThenRetry(page, server, damage(lexicon, flipped), new RegExp(`${lexicon}.*checksum`), "all");
});

test("a truncated shard is refused by file name, and Retry mends it", async ({ page, server }) => {
  const { vectors } = await fileNames();
  await expectFailureThenRetry(page, server, damage(vectors, truncated), new RegExp(`${vectors}.*ended after`), "meaning");
});

test("a web page in place of a shard is called one, and Retry mends it", async ({ page, server }) => {
  const { vectors } = await fileNames();
  await expectFailureThenRetry(page, server, damage(vectors, webPage), new RegExp(`${vectors}.*is a web page`), "meaning");
});

test("a web page in place of the manifest is called one, and Retry mends it", async ({ page, server }) => {
  await expectFailureThenRetry(page, server, damage("/index/manifest.json", webPage), /manifest\.json.*is a web page/, "all");
});

test("a manifest of a newer format is refused as such", async ({ page, server }) => {
  const newer = (body: Buffer): Buffer => Buffer.from(JSON.stringify({ ...JSON.parse(body.toString("utf8")), version: [99, 0] }));
  await expectFailureThenRetry(page, server, damage("/index/manifest.json", newer), /manifest\.json.*99\.0/, "all");
});

test("a model other than the index's own is refused, naming both", async ({ page, server }) => {
  const other = (body: Buffer): Buffer => Buffer.from(JSON.stringify({ ...JSON.parse(body.toString("utf8")), id: "another-model" }));
  await expectFailureThenRetry(page, server, damage("/model/card.json", other), /built with model.*another-model/, "meaning");
});

test("a model's card that is cut off leaves words and dates, and Retry mends it", async ({ page, server }) => {
  await expectFailureThenRetry(page, server, damage("/model/card.json", truncated), /card\.json.*is not JSON/, "meaning");
});

test("a web page in place of the model's card leaves words and dates, and Retry mends it", async ({ page, server }) => {
  await expectFailureThenRetry(page, server, damage("/model/card.json", webPage), /card\.json.*is a web page/, "meaning");
});

test("a shard damaged only once is fetched again without a word", async ({ page, server }) => {
  const { vectors } = await fileNames();
  let sent = 0;
  server.fault = (path, served) => {
    if (!path.endsWith(vectors)) return served;
    sent += 1;
    return sent === 1 ? { ...served, body: flipped(Buffer.from(served.body)) } : served;
  };
  await open(page, server, "?backend=cpu");
  await reachFull(page);
  expect(sent).toBe(2);
});

test.describe("on a host that fails", () => {
  test.use({ allowedConsole: [FAILED_FILE] });

  test("a missing shard is named with the status, and Retry mends it", async ({ page, server }) => {
    const { vectors } = await fileNames();
    const missing: Fault = (path, served) => (path.endsWith(vectors) ? { ...served, status: 404 } : served);
    await expectFailureThenRetry(page, server, missing, new RegExp(`${vectors}.*404`), "meaning");
  });

  test("a model's card that is missing leaves words and dates, and Retry mends it", async ({ page, server }) => {
    const missing: Fault = (path, served) => (path.endsWith("/model/card.json") ? { ...served, status: 404 } : served);
    await expectFailureThenRetry(page, server, missing, /card\.json.*404/, "meaning");
  });

  test("a connection cut in the middle of the weights is named, and Retry mends it", async ({ page, server }) => {
    const { weights } = await fileNames();
    const cut: Fault = (path, served) => (path.endsWith(weights) ? { ...served, cutAfter: 100_000 } : served);
    await expectFailureThenRetry(page, server, cut, new RegExp(`${weights}.*cut off`), "meaning");
  });

  test("records that cannot be fetched leave the search alive, and Retry shows them", async ({ page, server }) => {
    const { documents } = await fileNames();
    server.fault = (path, served) => (documents.some((name) => path.endsWith(name)) ? { ...served, status: 503 } : served);
    await open(page, server, "?backend=cpu");
    await reachFull(page);
    await page.getByRole("searchbox").fill(query);
    // In an index this small the nearest may be too far to be shown unasked.
    if ((await reach(page, ["failed", "results", "no-match"])) === "no-match") {
      await page.getByRole("button", { name: "Show the nearest anyway" }).click();
    }
    expect(await reach(page, ["failed", "results"])).toBe("failed");
    await expect(page.locator("almanac-search [part=failure]")).toContainText("503");
    const weightsBefore = server.requests.filter((path) => path.includes("/model/")).length;
    server.fault = null;
    await page.getByRole("button", { name: "Retry" }).click();
    await reach(page, ["results"]);
    expect(server.requests.filter((path) => path.includes("/model/")).length).toBe(weightsBefore);
  });

  test("postings that cannot be fetched are named, and Retry goes on without loading again", async ({ page, server }) => {
    const { postings } = await fileNames();
    expect(postings.length).toBeGreaterThan(0);
    await open(page, server, "?backend=cpu");
    await reachFull(page);
    server.fault = (path, served) => (postings.some((name) => path.endsWith(name)) ? { ...served, status: 503 } : served);
    await page.getByRole("searchbox").fill("oil on canvas");
    await reach(page, ["failed"]);
    await expect(page.locator("almanac-search [part=failure]")).toContainText("503");
    server.requests.length = 0;
    server.fault = null;
    await page.getByRole("button", { name: "Retry" }).click();
    await reach(page, ["results"]);
    expect(server.requests.filter((path) => path.includes("/model/") || path.endsWith("manifest.json"))).toEqual([]);
  });

  test("a device that is offline at the start is told so, and Retry works once it is not", async ({ page, server, context }) => {
    server.fault = pageWith((html) => html.replace(" autoload", ""));
    await open(page, server, "?backend=cpu");
    await page.waitForLoadState("networkidle");
    await context.setOffline(true);
    await page.getByRole("searchbox").fill(query);
    await reach(page, ["failed"]);
    await expect(page.locator("almanac-search [part=failure]")).toContainText("offline");
    await context.setOffline(false);
    await page.getByRole("button", { name: "Retry" }).click();
    await reach(page, ["results", "no-match"]);
  });
});

test.describe("on a host that calls WebAssembly by another type", () => {
  test.use({ allowedConsole: [/instantiateStreaming/] });
  test("the search works all the same", async ({ page, server }) => {
    server.fault = (path, served) => (path.endsWith(".wasm") ? { ...served, type: "application/octet-stream" } : served);
    await open(page, server, "?backend=cpu");
    expect((await searchFor(page, query)).documents.length).toBe(10);
  });
});

test.describe("on a host whose policy forbids WebAssembly", () => {
  test.use({ allowedConsole: [/instantiateStreaming|Content Security Policy/] });
  test("the reason is told in a sentence", async ({ page, server }) => {
    server.fault = (path, served) =>
      path.endsWith(".js") ? { ...served, headers: { "Content-Security-Policy": "script-src 'self'" } } : served;
    await open(page, server, "?backend=cpu");
    expect(await reach(page, ["failed", "ready"])).toBe("failed");
    await expect(page.locator("almanac-search [part=failure]")).toContainText("WebAssembly is not allowed here");
  });
});
