import { test as base, expect, type Page } from "@playwright/test";
import type { BackendChoice, Found, Stage } from "../../src/protocol";
import type { AlmanacSearch } from "../../src/element/almanac-search";
import { deep, lab, packages, site, tiny } from "./paths";
import { StaticServer, type Served } from "./server";

/** Where the site lies on the server: a sub-path, as on a project page. */
export const SUB_PATH = "/repo/sub/";

/** Where the same page lies with a model that a software GPU computes in moments. */
export const TINY_PATH = "/tiny/";

/** Where the model of more tensors lies. */
export const DEEP_PATH = "/deep/";

/** Where the bare WebAssembly packages lie, for tests that call them without a page. */
export const LAB_PATH = "/lab/";

interface Fixtures {
  server: StaticServer;
  /** Console messages that a test causes on purpose; every other one fails it. */
  allowedConsole: RegExp[];
  /** Asserts an empty console and a closed origin. */
  quiet: void;
}

export const test = base.extend<Fixtures>({
  server: async ({}, use) => {
    const server = new StaticServer({
      [SUB_PATH]: site,
      [`${TINY_PATH}model/`]: tiny.model,
      [`${TINY_PATH}index/`]: tiny.index,
      [TINY_PATH]: site,
      [`${DEEP_PATH}model/`]: deep.model,
      [`${DEEP_PATH}index/`]: deep.index,
      [`${LAB_PATH}pkg/`]: packages,
      [LAB_PATH]: lab,
    });
    await server.start();
    await use(server);
    await server.stop();
  },

  allowedConsole: [[], { option: true }],

  quiet: [
    async ({ page, context, server, allowedConsole }, use) => {
      const said: string[] = [];
      const outside: string[] = [];
      const { origin } = server;
      page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
      page.on("pageerror", (error) => said.push(`uncaught: ${error.message}`));
      context.on("request", (request) => {
        if (!request.url().startsWith(`${origin}/`)) outside.push(request.url());
      });
      await context.addInitScript(keepFound);
      await use();
      expect(said.filter((line) => !allowedConsole.some((allowed) => allowed.test(line))), "the console is empty").toEqual([]);
      expect(outside, "no request leaves the origin").toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Chromium's own note on a file that a test broke. */
export const FAILED_FILE = /^error: Failed to load resource/;

/** Runs in the page: keeps the newest results for the test to read. */
function keepFound(): void {
  document.addEventListener("almanac-results", (event) => {
    (globalThis as unknown as { found: unknown }).found = (event as CustomEvent).detail;
  });
}

/** Opens the site; `search` is the query part of its address, `path` where it lies. */
export async function open(page: Page, server: StaticServer, search = "", path = SUB_PATH): Promise<void> {
  await page.goto(`${server.origin}${path}${search}`);
}

/** Waits until the element is in one of these states, and says which. */
export async function reach(page: Page, states: readonly string[], timeout = 60_000): Promise<string> {
  const handle = await page.waitForFunction(
    (wanted) => {
      const element = document.querySelector<AlmanacSearch>("almanac-search");
      const state = element?.state ?? "";
      if (wanted.includes(state)) return state;
      // Nothing follows a failure by itself: waiting on would only hide its reason.
      if (state === "failed") throw new Error(element?.shadowRoot?.querySelector("[role=alert]")?.textContent ?? state);
      return null;
    },
    states,
    { timeout },
  );
  return (await handle.jsonValue()) ?? "";
}

/** Waits until no GPU is being tried any more, and gives the choice. */
export async function settledBackend(page: Page, timeout = 60_000): Promise<BackendChoice> {
  const handle = await page.waitForFunction(
    () => {
      const choice = document.querySelector<AlmanacSearch>("almanac-search")?.backend ?? null;
      return choice === null || choice.trying ? null : choice;
    },
    null,
    { timeout },
  );
  const choice = await handle.jsonValue();
  if (choice === null) throw new Error("no backend was chosen");
  return choice;
}

/** Waits until meaning can be searched too. */
export async function reachFull(page: Page, timeout = 60_000): Promise<void> {
  await page.waitForFunction(
    () => {
      const element = document.querySelector<AlmanacSearch>("almanac-search");
      if (element?.stage === "full") return true;
      const alert = element?.shadowRoot?.querySelector<HTMLElement>("[part=failure]");
      if (alert?.hidden === false) throw new Error(alert.textContent ?? "it failed");
      return false;
    },
    null,
    { timeout },
  );
}

/** Forgets the newest results, so that the next ones can be told from them. */
export async function forgetFound(page: Page): Promise<void> {
  await page.evaluate(() => {
    (globalThis as unknown as { found: unknown }).found = null;
  });
}

/** Waits for results that rest on `stage`, and gives them. */
export async function foundBy(page: Page, stage: Stage, timeout = 60_000): Promise<Found> {
  const handle = await page.waitForFunction(
    (wanted) => {
      const { found } = globalThis as unknown as { found: Found | null };
      return found?.stage === wanted ? found : null;
    },
    stage,
    { timeout },
  );
  const found = await handle.jsonValue();
  if (found === null) throw new Error("no results came");
  return found;
}

/** Searches by words, time and meaning as a visitor does, asking for the nearest where nothing is close, and gives what was found. */
export async function searchFor(page: Page, query: string, timeout = 60_000): Promise<Found> {
  await page.getByRole("searchbox").focus();
  await reachFull(page, timeout);
  await forgetFound(page);
  await page.getByRole("searchbox").fill(query);
  await page.getByRole("searchbox").press("Enter");
  // What words have found is shown before the full answer, which may be that nothing is close.
  const answered = (): boolean => {
    const element = document.querySelector<AlmanacSearch>("almanac-search");
    const coming = element?.shadowRoot?.querySelector("section[aria-busy=true]") ?? null;
    return element?.state !== "searching" && coming === null;
  };
  await page.waitForFunction(answered, null, { timeout });
  if ((await reach(page, ["results", "no-match"], timeout)) === "no-match") {
    await page.getByRole("button", { name: "Show the nearest anyway" }).click();
    await reach(page, ["results"], timeout);
  }
  return foundBy(page, "full", timeout);
}

/** Holds back the answers for paths that match until `release` is called. */
export function holdBack(held: RegExp): { fault: (path: string, served: Served) => Served; release: () => void } {
  let release = (): void => undefined;
  const after = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { fault: (path, served) => (held.test(path) ? { ...served, after } : served), release };
}

/** A fault that changes the text of the page itself. */
export function pageWith(change: (html: string) => string) {
  return (path: string, served: Served): Served =>
    path === SUB_PATH ? { ...served, body: Buffer.from(change(served.body.toString("utf8"))) } : served;
}

/** A fault that changes the bytes of the files whose path ends so. */
export function damage(ending: string, change: (body: Buffer) => Buffer) {
  return (path: string, served: Served): Served => (path.endsWith(ending) ? { ...served, body: change(Buffer.from(served.body)) } : served);
}

/** A fault that runs `prelude` at the top of the worker, before any of the site's code, with these arguments. */
export function workerPrelude<A extends readonly (string | number)[]>(prelude: (...given: A) => void, ...given: A) {
  return (path: string, served: Served): Served =>
    /\/worker-[^/]*\.js$/.test(path)
      ? { ...served, body: Buffer.concat([Buffer.from(`(${prelude.toString()})(...${JSON.stringify(given)});\n`), served.body]) }
      : served;
}
