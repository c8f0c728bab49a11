import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Persistence, Service, TAKE_OVER } from "./service";

/** A service worker and its registration as a browser has them. */
class Browser extends EventTarget {
  controller: object | null = null;
  readonly posted: unknown[] = [];
  readonly worker = Object.assign(new EventTarget(), { state: "installed", postMessage: (message: unknown) => void this.posted.push(message) });
  readonly registration = Object.assign(new EventTarget(), { waiting: null as object | null, installing: null as object | null });
  registered: string[] = [];

  async register(url: string): Promise<object> {
    this.registered.push(String(url));
    return this.registration;
  }

  /** A new build has been fetched and waits. */
  install(): void {
    this.registration.installing = this.worker;
    this.registration.dispatchEvent(new Event("updatefound"));
    this.registration.waiting = this.worker;
    this.worker.dispatchEvent(new Event("statechange"));
  }
}

const url = new URL("sw.js", location.href);

describe("the service worker of a page", () => {
  let browser: Browser;
  let told: string[];
  let service: Service;
  const answer = (body: string, status = 200): void => void vi.stubGlobal("fetch", async () => new Response(body, { status }));

  beforeEach(() => {
    browser = new Browser();
    told = [];
    service = new Service(browser as unknown as ServiceWorkerContainer, () => told.push("update"), () => told.push("reload"));
    answer('{"kill":false}');
  });
  afterEach(() => void vi.unstubAllGlobals());

  it("is registered, and its first build is nothing to speak of", async () => {
    await service.start(url);
    expect(browser.registered).toEqual([url.href]);
    browser.install();
    browser.dispatchEvent(new Event("controllerchange"));
    expect(told).toEqual([]);
  });

  it("tells of a new build, lets it take over when asked, and only then loads the page again", async () => {
    browser.controller = {};
    await service.start(url);
    browser.install();
    expect(told).toEqual(["update"]);
    service.update();
    expect(browser.posted).toEqual([TAKE_OVER]);
    expect(told).toEqual(["update"]);
    browser.dispatchEvent(new Event("controllerchange"));
    expect(told).toEqual(["update", "reload"]);
  });

  it("that another tab has let take over is told here too, and the page is loaded again when asked", async () => {
    browser.controller = {};
    await service.start(url);
    browser.dispatchEvent(new Event("controllerchange"));
    expect(told).toEqual(["update"]);
    service.update();
    expect(told).toEqual(["update", "reload"]);
  });

  it("is not registered where the site has taken it back", async () => {
    answer('{"kill":true}');
    await service.start(url);
    expect(browser.registered).toEqual([]);
  });

  it.each(["<!doctype html>", "null", "[]"])("is registered where the kill switch is %j", async (body) => {
    answer(body);
    await service.start(url);
    expect(browser.registered).toHaveLength(1);
  });

  it("is never another origin's, and may be refused", async () => {
    await service.start(new URL("https://elsewhere.example/sw.js"));
    expect(browser.registered).toEqual([]);
    browser.register = () => Promise.reject(new DOMException("no", "SecurityError"));
    await expect(service.start(url)).resolves.toBeUndefined();
  });
});

describe("lasting storage", () => {
  it("is asked for once, and may be refused", () => {
    let asked = 0;
    const persistence = new Persistence({
      persist: () => {
        asked += 1;
        return Promise.reject(new Error("no"));
      },
    });
    persistence.ask();
    persistence.ask();
    expect(asked).toBe(1);
    new Persistence(undefined).ask();
  });
});
