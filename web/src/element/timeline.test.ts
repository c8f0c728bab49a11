import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { builtIn, english } from "../language/choose";
import { firstDayOf, lastDayOf } from "../text/days";
import type { Years } from "../timeline/view";
import { tickText } from "./axis";
import { KEY_PAUSE_MILLIS, Timeline, type TimelineState } from "./timeline";

const year = (number: number): [number, number] => [firstDayOf(number), lastDayOf(number)];
const open: Years = { from: null, to: null };
const state: TimelineState = { dates: { intervals: [year(-499), year(1850), year(1851)], undated: 2 }, ranked: 5, years: open, query: "boats" };

describe("the timeline", () => {
  let asked: Years[];
  let timeline: Timeline;
  const find = (selector: string): HTMLElement => {
    const found = timeline.node.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error(`there is no ${selector}`);
    return found;
  };
  const key = (side: string, name: string): boolean => find(`[data-side=${side}]`).dispatchEvent(new KeyboardEvent("keydown", { key: name, cancelable: true }));
  const value = (side: string): string | null => find(`[data-side=${side}]`).getAttribute("aria-valuetext");
  const path = (): string | null => find(".area").getAttribute("d");

  beforeEach(() => {
    vi.useFakeTimers();
    asked = [];
    timeline = new Timeline((years) => asked.push(years));
    document.body.replaceChildren(timeline.node);
    timeline.draw(state, english);
  });
  afterEach(() => void vi.useRealTimers());

  it("counts what has a date, and what has none apart", () => {
    expect(find(".timeline-title").textContent).toBe("When these are from: 3 results with a date");
    expect(find("[part=timeline-undated]").textContent).toBe("2 results without a date.");
    expect(find("svg").getAttribute("aria-label")).toMatch(/BC to \d+, most about 18\d\d\.$/);
  });

  it("is hidden with its reason where fewer than two results have a date, and wholly without results", () => {
    timeline.draw({ ...state, dates: { intervals: [year(1850)], undated: 4 } }, english);
    expect(find(".timeline").hidden).toBe(true);
    expect(find(".hidden-text").textContent).toBe("No timeline: fewer than two results have a date.");
    timeline.draw({ ...state, dates: null, ranked: 0 }, english);
    expect(timeline.node.hidden).toBe(true);
  });

  it("says the years asked for as people do, in either era", () => {
    timeline.draw({ ...state, years: { from: -499, to: 1850 } }, english);
    expect([value("from"), value("to")]).toEqual(["500 BC", "1850"]);
    timeline.draw({ ...state, years: { from: null, to: 1850 } }, english);
    expect(value("from")).toMatch(/BC, not limited$/);
    timeline.draw({ ...state, years: { from: -499, to: null } }, builtIn("zh"));
    expect(value("from")).toBe("公元前500年");
  });

  it("is operated by keys, and asks once when they pause", () => {
    timeline.draw({ ...state, years: { from: 1000, to: 1850 } }, english);
    expect(key("to", "ArrowLeft")).toBe(false);
    key("to", "ArrowLeft");
    expect(asked).toEqual([]);
    vi.advanceTimersByTime(KEY_PAUSE_MILLIS);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.from).toBe(1000);
    expect(asked[0]?.to).toBeLessThan(1850);
    key("from", "Home");
    vi.advanceTimersByTime(KEY_PAUSE_MILLIS);
    expect(asked.at(-1)?.from).toBeNull();
  });

  it("lets an edge that passes the other push it along", () => {
    timeline.draw({ ...state, years: { from: 1849, to: 1850 } }, english);
    key("from", "PageUp");
    vi.advanceTimersByTime(KEY_PAUSE_MILLIS);
    const { from, to } = asked[0] ?? open;
    expect(to ?? 0).toBeGreaterThanOrEqual(from ?? 0);
  });

  it("keeps its view while a range narrows the results, and begins anew with another query", () => {
    const axis = (): string => [...find(".axis").children].map((tick) => tick.textContent).join(" ");
    const before = axis();
    timeline.draw({ ...state, dates: { intervals: [year(1850), year(1851)], undated: 0 }, ranked: 2, years: { from: 1850, to: 1851 } }, english);
    expect(axis()).toBe(before);
    timeline.draw({ ...state, query: "silver", dates: { intervals: [year(1850), year(1851)], undated: 0 }, ranked: 2 }, english);
    expect(axis()).not.toBe(before);
  });

  it("zooms from millennia to days and back", () => {
    const whole = path();
    const press = (name: string): void => find(`[part=timeline-${name}]`).click();
    for (let step = 0; step < 15; step += 1) press("in");
    expect(find("[part=timeline-in]").getAttribute("aria-disabled")).toBe("true");
    expect(find(".axis").textContent).toMatch(/\w+ \d+, 18\d\d/);
    expect(path()).not.toBe(whole);
    press("whole");
    expect(path()).toBe(whole);
    const wheel = new WheelEvent("wheel", { deltaY: -1, ctrlKey: true, cancelable: true });
    find(".plot").dispatchEvent(wheel);
    expect(wheel.defaultPrevented).toBe(true);
    expect(path()).not.toBe(whole);
    expect(find(".plot").dispatchEvent(new WheelEvent("wheel", { deltaY: -1, cancelable: true }))).toBe(true);
  });

  it("takes a drawn range as the years, and nothing from a press or after Escape", () => {
    vi.spyOn(find(".plot"), "getBoundingClientRect").mockReturnValue({ left: 0, width: 100 } as DOMRect);
    const pointer = (type: string, clientX: number): boolean => find(".plot").dispatchEvent(new PointerEvent(type, { clientX, button: 0 }));
    pointer("pointerdown", 20);
    pointer("pointerup", 20);
    expect(asked).toEqual([]);
    pointer("pointerdown", 90);
    pointer("pointermove", 30);
    expect(find(".range").hidden).toBe(false);
    pointer("pointerup", 30);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.from ?? 0).toBeLessThan(asked[0]?.to ?? 0);
    pointer("pointerdown", 10);
    pointer("pointermove", 20);
    dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    pointer("pointerup", 20);
    expect(asked).toHaveLength(1);
  });
});

describe("a mark", () => {
  it("is said as people say it", () => {
    expect(tickText({ day: firstDayOf(0), unit: "year" }, english)).toBe("1 BC");
    expect(tickText({ day: firstDayOf(1850) + 31, unit: "month" }, english)).toBe("Feb 1850");
    expect(tickText({ day: firstDayOf(1850) + 31, unit: "day" }, builtIn("zh"))).toContain("2月1日");
  });
});
