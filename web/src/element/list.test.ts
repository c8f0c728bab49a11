import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { english } from "../language/choose";
import { foundDocument } from "../testing/found";
import { h } from "./dom";
import { arrange, ResultList } from "./list";
import type { ResultContext } from "./results";

const context: ResultContext = { base: "https://museum.example/", remoteImages: false, language: english, span: "", phrases: [] };
const documents = (ids: string) => [...ids].map((id) => foundDocument(id, { url: `https://museum.example/${id}` }));

describe("arranging", () => {
  const permutation = fc.uniqueArray(fc.constantFrom(..."abcdefgh"), { maxLength: 8 });

  it("ends with what is wanted, and never takes out the item that must not move", () => {
    fc.assert(
      fc.property(permutation, permutation, fc.nat(8), (before, after, at) => {
        const nodes = new Map([..."abcdefgh"].map((id) => [id, h("li", { id })]));
        const nodesOf = (ids: string[]): HTMLElement[] => ids.map((id) => nodes.get(id) ?? h("li"));
        const list = h("ol");
        list.append(...nodesOf(before));
        const stays = before.filter((id) => after.includes(id));
        const fixed = nodes.get(stays[at % Math.max(1, stays.length)] ?? "");
        let moved = 0;
        const insert = list.insertBefore.bind(list);
        list.insertBefore = <T extends Node>(node: T, next: Node | null): T => {
          if (node === (fixed as Node | undefined)) moved += 1;
          return insert(node, next);
        };
        arrange(list, nodesOf(after), fixed);
        expect([...list.children].map(({ id }) => id)).toEqual(after);
        expect(moved).toBe(0);
      }),
    );
  });

  it("touches nothing when the order stays", () => {
    const list = h("ol", {}, h("li"), h("li"));
    const items = [...list.children] as HTMLElement[];
    list.insertBefore = () => {
      throw new Error("an item was moved");
    };
    arrange(list, items, items[1]);
    arrange(list, items, undefined);
    expect([...list.children]).toEqual(items);
  });
});

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
});
