import { describe, expect, it } from "vitest";
import type { FoundDocument } from "../protocol";
import { isWriting, moveFocus } from "./keyboard";
import { resultItem } from "./results";
import { backendText, failureText, statusText } from "./wording";
import { initialState } from "../session/state";
import { h } from "./dom";

const base = "https://museum.example/sub/";
const plain: FoundDocument = {
  id: "1",
  title: "Old Trees",
  passage: "charcoal on laid paper",
  date: "1883",
  url: "https://museum.example/1",
  image: null,
  fields: [["medium", "charcoal"]],
  score: 0.4321,
};
const own = { base, remoteImages: false };

const payloads = [
  "<script>globalThis.pwned = 1</script>",
  "<img src=x onerror=globalThis.pwned=1>",
  "\"><svg onload=globalThis.pwned=1>",
  "</li></ol><iframe srcdoc=x>",
  "&lt;b&gt;&#60;b&#62;",
];

describe("a result", () => {
  it.each(payloads)("shows %j as the text it is, wherever it stands", (text) => {
    const item = resultItem({ ...plain, id: text, title: text, passage: text, date: text, fields: [[text, text]] }, own);
    item.querySelector("details")?.dispatchEvent(new Event("toggle"));
    expect(item.querySelector("script, img, svg, iframe, b")).toBeNull();
    expect(item.querySelector("[data-title]")?.textContent).toBe(text);
    expect(item.querySelector(".passage")?.textContent).toBe(text);
    expect(item.querySelector("dd:last-child")?.textContent).toBe(text);
  });

  it("without a safe link has a title that is no link", () => {
    const item = resultItem({ ...plain, url: "javascript:alert(1)" }, own);
    expect(item.querySelector("a")).toBeNull();
    expect(item.querySelector("h3")?.textContent).toBe("Old Trees");
  });

  it("without a title is called by its identifier", () => {
    expect(resultItem({ ...plain, title: " " }, own).querySelector("h3")?.textContent).toBe("1");
  });

  it("loads a thumbnail from another site only where the page allows it", () => {
    const elsewhere = { ...plain, image: "https://images.example/1.jpg" };
    expect(resultItem(elsewhere, own).querySelector("img")).toBeNull();
    const image = resultItem(elsewhere, { base, remoteImages: true }).querySelector("img");
    expect(image?.getAttribute("loading")).toBe("lazy");
    expect(image?.getAttribute("alt")).toBe("");
    expect(resultItem({ ...plain, image: "thumbs/1.jpg" }, own).querySelector("img")?.getAttribute("src")).toBe(
      "https://museum.example/sub/thumbs/1.jpg",
    );
  });

  it("gives its score only when asked why", () => {
    const item = resultItem(plain, own);
    expect(item.textContent).not.toContain("0.432");
    item.querySelector("details")?.dispatchEvent(new Event("toggle"));
    expect(item.textContent).toContain("0.432");
    expect(item.textContent).toContain("medium");
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
  it("names the file at fault, once", () => {
    expect(failureText({ code: "corrupt", message: "w.bin is short", file: "w.bin" })).toBe("The file w.bin is short.");
    expect(failureText({ code: "corrupt", message: "bad magic", file: "w.bin" })).toBe("The file w.bin: bad magic.");
    expect(failureText({ code: "worker", message: "the worker stopped" })).toBe("The worker stopped.");
  });

  it("says plainly that a software adapter is one", () => {
    const adapter = { vendor: "", architecture: "", description: "", fallback: true };
    const choice = { chosen: "gpu", reason: "it was asked for", adapter, timings: { cpu: null, gpu: null }, trying: false, settled: false } as const;
    expect(backendText(choice)).toBe("Queries are encoded on the GPU (software adapter): it was asked for.");
  });

  it("gives the live region one sentence per phase", () => {
    const loading = { name: "loading", progress: { received: 1, total: 2, step: "Downloading" } } as const;
    expect(statusText({ ...initialState, phase: loading })).toBe("Downloading…");
    expect(statusText({ ...initialState, phase: { name: "ready" } })).toBe("Ready.");
  });
});
