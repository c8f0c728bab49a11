import { beforeEach, describe, expect, it } from "vitest";
import { english } from "../language/choose";
import { dated, plainUnderstood } from "../testing/found";
import { ReadingsView } from "./readings";

let asked: boolean[];
let view: ReadingsView;
const shown = (selector: string): string[] => [...view.node.querySelectorAll(selector)].map((node) => node.textContent ?? "");
const button = (): HTMLButtonElement => view.node.querySelector("button") ?? document.createElement("button");

beforeEach(() => {
  asked = [];
  view = new ReadingsView((time) => asked.push(time));
  document.body.replaceChildren(view.node);
});

describe("the readings", () => {
  it("are one chip for each date, and one button that drops them", () => {
    view.draw({ understood: dated, time: true }, english);
    expect(shown(".chip")).toEqual(["1850s → 1850 to 1859"]);
    expect(button().textContent).toBe("Search for the words instead");
    button().click();
    expect(asked).toEqual([false]);
  });

  it("that were dropped can be brought back by the same button, which keeps the focus", () => {
    view.draw({ understood: dated, time: true }, english);
    button().focus();
    view.draw({ understood: plainUnderstood, time: false }, english);
    expect(document.activeElement).toBe(button());
    expect(view.node.textContent).toContain("plain words");
    button().click();
    expect(asked).toEqual([true]);
  });

  it("take no room where the query names no date", () => {
    view.draw({ understood: plainUnderstood, time: true }, english);
    expect(view.node.hidden).toBe(true);
    view.draw({ understood: null, time: false }, english);
    expect(view.node.hidden).toBe(true);
  });

  it("say why what looks like a date is none, as the text it is", () => {
    const refusals = [{ match: "雍正二十三年", start: 0, end: 6, reason: "Yongzheng had <b>13</b> years" }];
    view.draw({ understood: { ...plainUnderstood, refusals }, time: true }, english);
    expect(shown("[part=refusal]")).toEqual(["“雍正二十三年” is no date here: Yongzheng had <b>13</b> years."]);
    expect(view.node.querySelector("b")).toBeNull();
    expect(view.node.querySelector<HTMLElement>(".read")?.hidden).toBe(true);
  });
});
