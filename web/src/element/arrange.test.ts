import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arrange } from "./arrange";
import { h } from "./dom";

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
