import { describe, expect, it } from "vitest";
import { builtIn, english } from "../language/choose";
import type { FoundDocument } from "../protocol";
import { initialState, type SessionState } from "../session/state";
import { fakeInfo } from "../testing/fake-door";
import { foundDocument, foundIds } from "../testing/found";
import { noAsk } from "../session/ask";
import { h } from "./dom";
import { isWriting, moveFocus } from "./keyboard";
import { ResultView, type ResultContext } from "./results";
import { backendText, failureText, noticeText, statusText } from "./wording";

const own: ResultContext = { base: "https://museum.example/sub/", remoteImages: false, language: english, span: "1850 to 1859", collection: "Museum", onLike: () => undefined };
const plain = foundDocument("1", {
  title: "Old Trees",
  passage: "charcoal on laid paper",
  date: "1883",
  url: "https://museum.example/1",
  fields: [["medium", "charcoal"]],
  cosine: 0.4321,
  shares: { meaning: 0.31, words: 0.12, time: 0.25 },
});

const item = (found: FoundDocument, context: Partial<ResultContext> = {}): HTMLElement => new ResultView(found, { ...own, ...context }).node;

/** Opens the explanation as a press does. */
function explain(node: HTMLElement): HTMLElement {
  const details = node.querySelector("details");
  if (details === null) throw new Error("there is no explanation");
  details.open = true;
  details.dispatchEvent(new Event("toggle"));
  return node;
}

const payloads = [
  "<script>globalThis.pwned = 1</script>",
  "<img src=x onerror=globalThis.pwned=1>",
  "\"><svg onload=globalThis.pwned=1>",
  "</li></ol><iframe srcdoc=x>",
  "&lt;b&gt;&#60;b&#62;",
];

const asked = { ...noAsk, query: "boats" };

describe("a result", () => {
  it.each(payloads)("shows %j as the text it is, wherever it stands", (text) => {
    const time = { relation: "inside", date: text } as const;
    const node = item({ ...plain, id: text, title: text, passage: text, date: text, words: [text, "script"], exact: true, time, marks: [0, text.length], fields: [[text, text]] });
    explain(node);
    expect(node.querySelector("script, img, svg, iframe, b")).toBeNull();
    expect(node.querySelector("[data-title]")?.textContent).toBe(text);
    expect(node.querySelector(".passage")?.textContent).toBe(text);
    expect(node.querySelector(".time")?.textContent).toBe(`${text}: within 1850 to 1859`);
    expect(node.querySelector(".record dd:last-child")?.textContent).toBe(text);
  });

  it("marks what the index says stands there", () => {
    const node = item({ ...plain, passage: "朱墨 on laid paper", marks: [0, 2, 11, 16] });
    expect([...node.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual(["朱墨", "paper"]);
    expect(node.querySelector(".passage")?.textContent).toBe("朱墨 on laid paper");
  });

  it.each([[[0, 3, 2, 5]], [[4, 2]], [[0, 99]], [[1]]])("shows a passage whole, with the marks %j as far as they fit", (marks) => {
    const node = item({ ...plain, passage: "paper", marks });
    expect(node.querySelector(".passage")?.textContent).toBe("paper");
  });

  it.each([
    [{ relation: "inside", date: "1853" }, "1853: within 1850 to 1859"],
    [{ relation: "overlaps", date: "c. 1860" }, "c. 1860: overlaps 1850 to 1859"],
    [{ relation: "outside", date: "1900" }, "1900: outside 1850 to 1859"],
    [{ relation: "inside", date: null }, "1883: within 1850 to 1859"],
    [{ relation: "unknown", date: null }, "no date known"],
    [null, ""],
  ] as const)("says how its date lies to that of the query: %j", (time, text) => {
    const line = item({ ...plain, time }).querySelector<HTMLElement>(".time");
    expect(line?.textContent).toBe(text);
    expect(line?.hidden).toBe(text === "");
  });

  it("without a safe link has a title that is no link", () => {
    const node = item({ ...plain, url: "javascript:alert(1)" });
    expect(node.querySelector("a")).toBeNull();
    expect(node.querySelector("h3")?.textContent).toBe("Old Trees");
  });

  it("without a title is called by its identifier", () => {
    expect(item({ ...plain, title: " " }).querySelector("h3")?.textContent).toBe("1");
  });

  it("loads a thumbnail from another site only where the page allows it", () => {
    const elsewhere = { ...plain, image: "https://images.example/1.jpg" };
    expect(item(elsewhere).querySelector("img")).toBeNull();
    const image = item(elsewhere, { remoteImages: true }).querySelector("img");
    expect(image?.getAttribute("loading")).toBe("lazy");
    expect(image?.getAttribute("alt")).toBe("");
    expect(item({ ...plain, image: "thumbs/1.jpg" }).querySelector("img")?.getAttribute("src")).toBe("https://museum.example/sub/thumbs/1.jpg");
  });
});

describe("an explanation", () => {
  it("gives its numbers only when asked for", () => {
    const node = item({ ...plain, words: ["charcoal"] });
    expect(node.textContent).not.toContain("0.432");
    explain(node);
    for (const text of ["0.432", "0.310", "0.120", "0.250", "0.680", "Words of your search in this record: charcoal."]) {
      expect(node.textContent).toContain(text);
    }
  });

  it("draws a bar for each part, as long as its share and never longer than whole", () => {
    const node = explain(item({ ...plain, shares: { meaning: 0.5, words: 2, time: -1 } }));
    const bars = [...node.querySelectorAll<HTMLElement>(".share")].map((bar) => bar.style.getPropertyValue("--share"));
    expect(bars).toEqual(["0.5", "1", "0"]);
  });

  it("says what was not compared, and what matched exactly", () => {
    const node = explain(item({ ...plain, cosine: null, exact: true }));
    expect(node.textContent).toContain("Meaning was not compared.");
    expect(node.textContent).toContain("exactly");
    expect(node.textContent).toContain("None of the words");
  });

  it("says that dates were read by rules, where there is a date", () => {
    const says = (time: FoundDocument["time"]): boolean => (explain(item({ ...plain, time })).textContent ?? "").includes("read by rules");
    expect(says({ relation: "inside", date: "1853" })).toBe(true);
    expect(says({ relation: "unknown", date: null })).toBe(false);
    expect(says(null)).toBe(false);
  });

  it("that is open follows the next answer and stays open", () => {
    const view = new ResultView(plain, own);
    explain(view.node);
    view.update({ ...plain, cosine: 0.777 }, own);
    expect(view.node.textContent).toContain("0.777");
    expect(view.node.textContent).not.toContain("0.432");
    expect(view.node.querySelector("details")?.open).toBe(true);
  });
});

describe("arrow keys", () => {
  function stage(): { input: HTMLElement; titles: HTMLElement[] } {
    const input = h("input");
    const titles = [h("a", { href: "#" }), h("a", { href: "#" })];
    document.body.replaceChildren(input, ...titles);
    input.focus();
    return { input, titles };
  }

  it("go from the input down the titles and back to the input", () => {
    const { input, titles } = stage();
    expect(moveFocus(input, titles, document.activeElement, 1)).toBe(true);
    expect(document.activeElement).toBe(titles[0]);
    moveFocus(input, titles, document.activeElement, 1);
    expect(document.activeElement).toBe(titles[1]);
    expect(moveFocus(input, titles, document.activeElement, 1)).toBe(false);
    moveFocus(input, titles, document.activeElement, -1);
    moveFocus(input, titles, document.activeElement, -1);
    expect(document.activeElement).toBe(input);
  });

  it("do nothing above the input, without results, or elsewhere", () => {
    const { input, titles } = stage();
    expect(moveFocus(input, titles, input, -1)).toBe(false);
    expect(moveFocus(input, [], input, 1)).toBe(false);
    expect(moveFocus(input, titles, document.body, 1)).toBe(false);
  });

  it("leave a slash alone where something is being written", () => {
    expect(isWriting([h("textarea"), document.body])).toBe(true);
    expect(isWriting([h("button"), document.body])).toBe(false);
  });
});

describe("wording", () => {
  const words = { stage: "words" } as const;
  const loading = { name: "loading", bytes: 24_000_000, progress: { received: 0, total: 0, step: "model" } } as const;
  const state = (change: Partial<SessionState>): SessionState => ({ ...initialState, info: fakeInfo, meaning: { name: "ready" }, ...change });
  const status = (change: Partial<SessionState>): string => statusText(state(change), english);
  const results = { name: "results", nearest: false, millis: 31, partial: false } as const;

  it("names the file at fault, once", () => {
    expect(failureText({ code: "corrupt", message: "w.bin is short", file: "w.bin" }, english)).toBe("The file w.bin is short.");
    expect(failureText({ code: "corrupt", message: "bad magic", file: "w.bin" }, english)).toBe("The file w.bin: bad magic.");
    expect(failureText({ code: "worker", message: "the worker stopped" }, english)).toBe("The worker stopped.");
  });

  it("says plainly that a software adapter is one", () => {
    const adapter = { vendor: "", architecture: "", description: "", fallback: true };
    const choice = { chosen: "gpu", reason: "it was asked for", adapter, timings: { cpu: null, gpu: null }, trying: false, settled: false } as const;
    expect(backendText(choice, english)).toBe("Queries are encoded on the GPU (software adapter):");
  });

  it("gives the live region one sentence per phase", () => {
    expect(status({ phase: { name: "loading", progress: { received: 1, total: 2, step: "index" } } })).toBe("Downloading the index…");
    expect(status({ phase: { name: "ready" } })).toBe("Ready: 2 records, searched on this device.");
    expect(status({ ask: asked, phase: { ...results, found: foundIds(["a"]) } })).toBe("1 result, found in 31 ms.");
  });

  it("tells what is browsed without a query", () => {
    const found = foundIds(["a"], { matching: 12 });
    expect(status({ phase: { ...results, found } })).toBe("12 records pass the filters; 1 result shown, in the order of the collection.");
  });

  it("tells a download of more than 10 MB with its size", () => {
    expect(status({ phase: { name: "ready" }, meaning: loading })).toContain("(24.0 MB)");
    expect(status({ phase: { name: "ready" }, meaning: { ...loading, bytes: 9_000_000 } })).not.toContain("MB");
  });

  it("announces an answer by words only where a fuller one does not follow at once", () => {
    const found = foundIds(["a"], words);
    expect(status({ phase: { ...results, found, partial: true } })).toBe("Searching…");
    expect(status({ ask: asked, phase: { ...results, found }, meaning: loading })).toBe("1 result by words and dates, found in 31 ms.");
  });

  it("counts the records that the filters let pass", () => {
    const ask = { ...asked, filter: { ...noAsk.filter, from: 1850 } };
    const found = foundIds(["a"], { matching: 1234 });
    expect(status({ ask, phase: { ...results, found } })).toBe("1 result, found in 31 ms; the filters let 1,234 records pass.");
    expect(status({ ask, phase: { name: "no-match", found: foundIds([], { matching: 0 }) } })).toBe("No record passes the filters.");
  });

  it("tells apart why nothing was found", () => {
    const far = foundIds([], { close: false, best: 0.1 });
    expect(status({ phase: { name: "no-match", found: far } })).toContain("near that in meaning");
    expect(status({ phase: { name: "no-match", found: { ...far, ...words } } })).toBe("No record has these words or dates.");
    expect(status({ phase: { name: "no-match", found: { ...far, ...words } }, meaning: loading })).toContain("is being downloaded");
    expect(status({ phase: { name: "no-match", found: foundIds([]) } })).toBe("Nothing was found.");
  });

  it("says in Chinese what it says in English", () => {
    expect(statusText(state({ ask: asked, phase: { ...results, found: foundIds(["a"]) } }), builtIn("zh-CN"))).toBe("1 条结果，用时 31 ms。");
    expect(noticeText({ about: "shortened" }, builtIn("zh"))).toBe("只检索了前 1,000 个字符。");
  });
});
