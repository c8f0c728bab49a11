import { beforeEach, describe, expect, it } from "vitest";
import { english } from "../language/choose";
import { foundDocument } from "../testing/found";
import { h } from "./dom";
import { ResultList } from "./list";
import type { ResultContext } from "./results";

const context: ResultContext = { base: "https://museum.example/", remoteImages: false, language: english, span: "", collection: "Museum", onLike: () => undefined };
const documents = (ids: string) => [...ids].map((id) => foundDocument(id, { url: `https://museum.example/${id}` }));

describe("the list", () => {
  let refuge: HTMLInputElement;
  let list: ResultList;
  const ids = (): string => list.titles.map((title) => title.textContent).join("");

  beforeEach(() => {
    refuge = h("input");
    list = new ResultList(refuge);
    document.body.replaceChildren(refuge, list.node);
  });

  it("keeps the items of documents that stay, with their focus", () => {
    list.draw(documents("abc"), context);
    const [first, second] = list.node.children;
    list.titles[1]?.focus();
    list.draw(documents("xbya"), context);
    expect(ids()).toBe("xbya");
    expect(list.node.children[1]).toBe(second);
    expect(list.node.children[3]).toBe(first);
    expect(document.activeElement?.textContent).toBe("b");
  });

  it("gives the focus to the box when the item that had it goes", () => {
    list.draw(documents("ab"), context);
    list.titles[0]?.focus();
    list.draw(documents("bc"), context);
    expect(document.activeElement).toBe(refuge);
    list.titles[0]?.focus();
    list.clear();
    expect(document.activeElement).toBe(refuge);
    expect(list.node.children).toHaveLength(0);
  });

  it("leaves the focus alone when it is elsewhere", () => {
    const elsewhere = h("button");
    document.body.append(elsewhere);
    elsewhere.focus();
    list.draw(documents("ab"), context);
    list.draw(documents("cd"), context);
    expect(document.activeElement).toBe(elsewhere);
  });

  it("shows the newest view of a document that stays", () => {
    list.draw([foundDocument("a", { passage: "old" })], context);
    list.draw([foundDocument("a", { passage: "new" })], context);
    expect(list.node.querySelector(".passage")?.textContent).toBe("new");
  });

  it("says why the like of a record cannot be asked for, and asks for it once it can", () => {
    const asked: string[] = [];
    list.allowLike({ id: "reason", text: "Not yet." });
    list.draw(documents("ab"), { ...context, onLike: ({ id }) => asked.push(id) });
    const button = list.node.querySelector<HTMLButtonElement>("[part=more-like]");
    expect(button?.textContent).toBe("More like this: a");
    expect(button?.getAttribute("aria-describedby")).toBe("reason");
    expect(button?.title).toBe("Not yet.");
    button?.click();
    expect(asked).toEqual([]);
    list.allowLike(null);
    button?.click();
    expect(asked).toEqual(["a"]);
    expect(button?.hasAttribute("aria-disabled")).toBe(false);
  });
});
