import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Found, Loaded } from "../protocol";
import { FULL_PAUSE_MILLIS, WORDS_PAUSE_MILLIS } from "../session/session";
import { fakeInfo } from "../testing/fake-door";
import { FakeWorker } from "../testing/fake-worker";
import { dated, foundDocument, foundIds } from "../testing/found";
import { AlmanacSearch } from "./almanac-search";

const workers: FakeWorker[] = [];
vi.mock("../client/start", () => ({
  startWorker: () => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  },
}));

const loaded: Loaded = { info: fakeInfo, meaning_bytes: 24_300_000, meaning_fault: null, downloads: { program: 1, model: 2, index: 3, documents: 0 }, version: "0" };
const words = { stage: "words" } as const;

/** An element on a page, whose worker the test plays. */
class Page {
  readonly element = document.createElement("almanac-search");
  readonly results: Found[] = [];

  constructor(attributes: Record<string, string> = {}) {
    for (const [name, value] of Object.entries(attributes)) this.element.setAttribute(name, value);
    this.element.addEventListener("almanac-results", (event) => this.results.push((event as CustomEvent<Found>).detail));
    document.body.replaceChildren(this.element);
  }

  find<T extends HTMLElement = HTMLElement>(selector: string): T {
    const found = this.element.shadowRoot?.querySelector<T>(selector);
    if (found === null || found === undefined) throw new Error(`there is no ${selector}`);
    return found;
  }

  text(selector: string): string {
    return this.find(selector).textContent ?? "";
  }

  get titles(): string[] {
    return [...(this.element.shadowRoot?.querySelectorAll("[data-title]") ?? [])].map((title) => title.textContent ?? "");
  }

  async answer(name: "load" | "meaning" | "search", value: unknown): Promise<void> {
    const worker = workers.at(-1);
    const last = worker?.sent.filter((message) => message.name === name).at(-1);
    worker?.say({ answer: last?.call ?? 0, ok: true, value: value as never });
    await vi.advanceTimersByTimeAsync(0);
  }

  async full(): Promise<void> {
    this.element.load();
    await this.answer("load", loaded);
    await this.answer("meaning", { downloads: loaded.downloads });
  }

  async type(text: string): Promise<void> {
    const input = this.find<HTMLInputElement>("#query");
    input.value = text;
    input.dispatchEvent(new Event("input"));
    await vi.advanceTimersByTimeAsync(WORDS_PAUSE_MILLIS);
  }

  get asked(): Record<string, unknown> {
    const last = workers.at(-1)?.sent.findLast((message) => message.name === "search");
    if (last?.name !== "search") throw new Error("nothing was asked");
    return { ...last.request.question, stage: last.request.stage };
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  workers.length = 0;
  document.documentElement.lang = "en";
  history.replaceState(null, "", "/");
});
afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the element", () => {
  it("is what the page names", () => {
    expect(new Page().element).toBeInstanceOf(AlmanacSearch);
  });

  it("answers by words first, changes the list in place, and announces once", async () => {
    const page = new Page();
    await page.full();
    const said: string[] = [];
    const observer = new MutationObserver(() => said.push(page.text("#status")));
    observer.observe(page.find("#status"), { childList: true, characterData: true, subtree: true });
    await page.type("boats");
    await page.answer("search", foundIds(["a", "b", "c"], words));
    expect(page.titles).toEqual(["a", "b", "c"]);
    const second = page.find("[part=result]:nth-child(2)");
    page.find("[part=result]:nth-child(2) [data-title]").focus();
    await vi.advanceTimersByTimeAsync(FULL_PAUSE_MILLIS);
    expect(page.titles).toEqual(["a", "b", "c"]);
    await page.answer("search", foundIds(["b", "d"]));
    expect(page.titles).toEqual(["b", "d"]);
    expect(page.find("[part=result]:first-child")).toBe(second);
    expect(page.element.shadowRoot?.activeElement?.textContent).toBe("b");
    expect(page.results.map(({ stage }) => stage)).toEqual(["words", "full"]);
    await vi.advanceTimersByTimeAsync(0);
    observer.disconnect();
    expect(said.filter((text) => text.includes("result"))).toHaveLength(1);
  });

  it("shows how dates were read, and searches for the words instead", async () => {
    const page = new Page();
    await page.full();
    page.element.search("boats of the 1850s");
    const time = { relation: "inside", date: "1853" } as const;
    await page.answer("search", foundIds([], { documents: [foundDocument("a", { time })], understood: dated }));
    expect(page.text("[part=date-chip]")).toBe("1850s → 1850 to 1859");
    expect(page.text("[part=time]")).toBe("1853: within 1850 to 1859");
    page.find("[part=dates-switch]").click();
    expect(page.asked).toMatchObject({ query: "boats of the 1850s", time: false });
    await page.answer("search", foundIds(["a"]));
    page.find("[part=dates-switch]").click();
    expect(page.asked).toMatchObject({ time: true });
  });

  it("shows more on request, goes on at the first new one, and says how many there are", async () => {
    const page = new Page();
    await page.full();
    await page.type("boats");
    await vi.advanceTimersByTimeAsync(FULL_PAUSE_MILLIS);
    await page.answer("search", foundIds(["a", "b"], { ...words, ranked: 3 }));
    await page.answer("search", foundIds(["a", "b"], { ranked: 3 }));
    const more = page.find<HTMLButtonElement>("[part=more-results]");
    expect(more.textContent).toBe("More results (2 of 3 shown)");
    more.click();
    await page.answer("search", foundIds(["a", "b", "c"]));
    expect(page.element.shadowRoot?.activeElement?.textContent).toBe("c");
    expect(page.text("#status")).toMatch(/^3 results/);
    expect(more.hidden).toBe(true);
  });

  it("offers what does not answer the question as such, after all that does", async () => {
    const page = new Page();
    await page.full();
    await page.type("boats");
    await vi.advanceTimersByTimeAsync(FULL_PAUSE_MILLIS);
    await page.answer("search", foundIds(["a"], words));
    await page.answer("search", foundIds(["a"], { far: 2 }));
    const more = page.find<HTMLButtonElement>("[part=more-results]");
    expect(more.textContent).toBe("Less close results (2)");
    more.click();
    await page.answer("search", foundIds(["a", "b", "c"]));
    expect(page.element.shadowRoot?.activeElement?.textContent).toBe("b");
    expect(more.hidden).toBe(true);
  });

  it("reads dates again in a query that the page chooses", async () => {
    const page = new Page();
    await page.full();
    page.element.search("1984");
    await page.answer("search", foundIds(["a"], { understood: dated }));
    page.find("[part=dates-switch]").click();
    await page.answer("search", foundIds(["a"]));
    page.element.search("boats of the 1850s");
    expect(page.asked).toMatchObject({ query: "boats of the 1850s", time: true });
  });

  it("waits for an input method to finish its characters", async () => {
    const page = new Page();
    await page.full();
    const input = page.find<HTMLInputElement>("#query");
    input.value = "ma";
    input.dispatchEvent(Object.assign(new Event("input"), { isComposing: true }));
    await vi.advanceTimersByTimeAsync(FULL_PAUSE_MILLIS);
    expect(page.element.state).toBe("ready");
    input.value = "馬";
    input.dispatchEvent(new Event("compositionend"));
    await vi.advanceTimersByTimeAsync(WORDS_PAUSE_MILLIS);
    expect(page.asked).toMatchObject({ query: "馬" });
  });

  it("leaves the model until the visitor asks for it, with its size", async () => {
    const page = new Page({ "words-only": "" });
    page.element.load();
    await page.answer("load", loaded);
    expect(page.element.stage).toBe("words");
    const offer = page.find("[part=meaning-offer]");
    expect(offer.hidden).toBe(false);
    expect(offer.textContent).toBe("Search by meaning too (24.3 MB)");
    expect(workers[0]?.sent.map(({ name }) => name)).toEqual(["load", "settle"]);
    offer.click();
    expect(offer.hidden).toBe(true);
    expect(page.find(".progress").hidden).toBe(false);
    await page.answer("meaning", { downloads: loaded.downloads });
    expect(page.element.stage).toBe("full");
    expect(page.find(".progress").hidden).toBe(true);
  });

  it("saves data where the browser is told to", async () => {
    vi.stubGlobal("navigator", { userAgent: "a browser", connection: { saveData: true } });
    const page = new Page();
    page.element.load();
    await page.answer("load", loaded);
    expect(page.find("[part=meaning-offer]").hidden).toBe(false);
  });

  it("says that words still work when the model fails, and tries again on request", async () => {
    const page = new Page();
    page.element.load();
    await page.answer("load", loaded);
    const call = workers[0]?.sent.find(({ name }) => name === "meaning")?.call ?? 0;
    workers[0]?.say({ answer: call, ok: false, failure: { code: "corrupt", message: "w.bin is short", file: "w.bin" } });
    await vi.advanceTimersByTimeAsync(0);
    expect(page.element.state).toBe("ready");
    expect(page.find("[role=alert][part=failure]").hidden).toBe(false);
    expect(page.text("[part=failure]")).toMatch(/The file w\.bin is short\..*words and dates still works/);
    page.find("[part=retry]").click();
    expect(page.find("[part=failure]").hidden).toBe(true);
    expect(workers[0]?.sent.filter(({ name }) => name === "meaning")).toHaveLength(2);
  });
});

describe("the element's address", () => {
  it("asks what it holds, and follows the visitor", async () => {
    history.replaceState(null, "", "/?q=boats&from=1850&f=Department%3AArms&f=Department%3AMagic");
    const page = new Page({ address: "" });
    await page.answer("load", loaded);
    expect(page.find<HTMLInputElement>("#query").value).toBe("boats");
    expect(page.asked).toMatchObject({ query: "boats", filter: { first: 675_334, last: null, facets: [[0, 1]] } });
    expect(page.text("[part=notice]")).toContain("“Department: Magic”");
    await page.answer("search", foundIds(["a"], words));
    page.element.search("ships");
    expect(location.search).toBe("?q=ships&from=1850&f=Department%3AArms");
    history.replaceState(null, "", "/?q=trees");
    dispatchEvent(new Event("popstate"));
    await page.answer("search", foundIds(["b"], words));
    expect(page.find<HTMLInputElement>("#query").value).toBe("trees");
    expect(page.asked).toMatchObject({ query: "trees" });
    expect(page.asked).not.toHaveProperty("filter");
  });

  it("is not touched unless the page says so", async () => {
    history.replaceState(null, "", "/?q=theirs");
    const page = new Page();
    await page.full();
    expect(page.find<HTMLInputElement>("#query").value).toBe("");
    page.element.search("boats");
    expect(location.search).toBe("?q=theirs");
  });
});

describe("the element's language", () => {
  it("is the page's, or its own", async () => {
    document.documentElement.lang = "zh-CN";
    const page = new Page();
    expect(page.text("[part=button]")).toBe("检索");
    expect(page.find(".frame").lang).toBe("zh-Hans");
    page.element.setAttribute("lang", "en");
    expect(page.text("[part=button]")).toBe("Search");
    expect(page.text("#status")).toBe("The search is downloaded when you first use it.");
  });

  it("can be a site's own, and what the site leaves out is English", async () => {
    vi.stubGlobal("fetch", async () => new Response('{"box.search": "Chercher"}'));
    const page = new Page({ lang: "fr", strings: "fr.json" });
    await vi.advanceTimersByTimeAsync(0);
    expect(page.text("[part=button]")).toBe("Chercher");
    expect(page.text("label")).toBe("Search the collection");
    expect(page.find(".frame").lang).toBe("fr");
  });

  it("of a site that holds unknown keys is refused by their name", async () => {
    vi.stubGlobal("fetch", async () => new Response('{"box.serch": "Chercher"}'));
    const page = new Page({ strings: "texts/fr.json" });
    await vi.advanceTimersByTimeAsync(0);
    expect(page.text("[part=button]")).toBe("Search");
    expect(page.text("[part=notice]")).toMatch(/refused: fr\.json: unknown keys: "box\.serch"/);
  });

  it("that changes while results are shown changes them too", async () => {
    const page = new Page();
    await page.full();
    page.element.search("boats");
    await page.answer("search", foundIds(["a"]));
    page.element.setAttribute("lang", "zh");
    expect(page.text("[part=explanation] summary")).toContain("为何有此结果");
    expect(page.results).toHaveLength(1);
  });
});
