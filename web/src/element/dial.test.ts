import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { builtIn, english } from "../language/choose";
import type { SeasonChoice } from "../session/filter";
import { SeasonDial, type DialState } from "./dial";
import { KEY_PAUSE_MILLIS } from "./timeline";

const spring = { first: 34, last: 62 };
const dates = { seasons: [[48, 29.5], [80, 15]] as [number, number][], seasonless: 1 };
const shown: DialState = { dates, ranked: 3, season: null };

describe("the dial of the year", () => {
  let dial: SeasonDial;
  let asked: (SeasonChoice | null)[];
  const select = (id: string): HTMLSelectElement => {
    const found = dial.node.querySelector<HTMLSelectElement>(`#${id}`);
    if (found === null) throw new Error(`there is no ${id}`);
    return found;
  };
  const choose = (id: string, value: string): void => {
    select(id).value = value;
    select(id).dispatchEvent(new Event("change"));
    vi.advanceTimersByTime(KEY_PAUSE_MILLIS);
  };

  afterEach(() => void vi.useRealTimers());
  beforeEach(() => {
    vi.useFakeTimers();
    asked = [];
    dial = new SeasonDial((season) => asked.push(season));
    document.body.replaceChildren(dial.node);
  });

  it("is not there where fewer than two results, or a tenth of them, say anything of the time of year", () => {
    dial.draw({ dates: { seasons: [[48, 29.5]], seasonless: 2 }, ranked: 3, season: null }, english);
    expect(dial.node.hidden).toBe(true);
    dial.draw({ dates: { ...dates, seasonless: 19 }, ranked: 21, season: null }, english);
    expect(dial.node.hidden, "fewer than a tenth").toBe(true);
    dial.draw(shown, english);
    expect(dial.node.hidden).toBe(false);
    expect(dial.node.textContent).toContain("Time of year: 2 results with one");
    expect(dial.node.textContent).toContain("1 result without a time of year.");
  });

  it("stays where a time of year is asked for, so that it can be taken back", () => {
    dial.draw({ dates: null, ranked: 0, season: spring }, english);
    expect(dial.node.hidden).toBe(false);
    dial.node.querySelector<HTMLElement>("[part=dial-clear]")?.click();
    expect(asked).toEqual([null]);
  });

  it("draws a density of all times of year", () => {
    dial.draw(shown, english);
    expect(dial.node.querySelector(".area")?.getAttribute("d")).toMatch(/^M[\d. L-]+Z/);
    expect(dial.node.querySelector("svg")?.getAttribute("aria-label")).toMatch(/most about .*(February|March)/);
  });

  it("takes a month or a solar term whole, and then each end by itself", () => {
    dial.draw(shown, english);
    choose("dial-from", "month 3");
    expect(asked.at(-1)).toEqual({ first: 59, last: 89 });
    choose("dial-to", "term 3");
    expect(asked.at(-1)).toEqual({ first: 34, last: 48 });
    dial.draw({ ...shown, season: spring }, english);
    choose("dial-to", "month 4");
    expect(asked.at(-1)).toEqual({ first: 34, last: 119 });
    choose("dial-from", "");
    expect(asked.at(-1)).toBeNull();
  });

  it("passes by what is chosen on the way to another", () => {
    dial.draw(shown, english);
    select("dial-from").value = "month 9";
    select("dial-from").dispatchEvent(new Event("change"));
    choose("dial-from", "term 3");
    expect(asked).toEqual([{ first: 34, last: 48 }]);
  });

  it("shows the ends asked for, by a name where they have one", () => {
    dial.draw({ ...shown, season: spring }, english);
    expect(select("dial-from").selectedOptions[0]?.textContent).toBe("Start of Spring (4 February)");
    dial.draw({ ...shown, season: { first: 40, last: 58 } }, english);
    expect(select("dial-from").selectedOptions[0]?.textContent).toBe("10 February");
    expect(select("dial-to").selectedOptions[0]?.textContent).toBe("February");
    dial.draw(shown, english);
    expect(select("dial-from").value).toBe("");
  });

  it("names the months and seasons, and in Chinese the 24 solar terms", () => {
    dial.draw(shown, english);
    const names = (kind: string): string[] => [...dial.node.querySelectorAll(`.names .${kind}`)].map((name) => name.textContent ?? "");
    expect(names("month")).toHaveLength(12);
    expect(names("season")).toEqual(["Spring", "Summer", "Autumn", "Winter"]);
    expect(names("term")).toEqual([]);
    dial.draw(shown, builtIn("zh"));
    expect(names("term")).toHaveLength(24);
    expect(names("term")[2]).toBe("立春");
    expect(names("month")[0]).toBe("一月");
  });
});
