import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { noAsk, type Ask } from "../session/ask";
import { AddressBar, TYPED_PAUSE_MILLIS } from "./history";

const boats: Ask = { ...noAsk, query: "boats" };
const ships: Ask = { ...noAsk, query: "ships" };

describe("the address bar", () => {
  let returned: Ask[];
  let bar: AddressBar;
  let steps: string[];

  beforeEach(() => {
    vi.useFakeTimers();
    history.replaceState(null, "", "/?backend=cpu");
    steps = [];
    returned = [];
    for (const change of ["pushState", "replaceState"] as const) {
      const original = history[change].bind(history);
      vi.spyOn(history, change).mockImplementation((state, unused, url) => {
        steps.push(`${change} ${String(url)}`);
        original(state, unused, url);
      });
    }
    bar = new AddressBar((ask) => returned.push(ask));
    bar.open();
  });

  afterEach(() => {
    bar.close();
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it("makes one step of each question that was asked, and none of the same again", () => {
    bar.keep(() => boats, "asked");
    bar.keep(() => boats, "asked");
    bar.keep(() => ships, "asked");
    expect(steps).toEqual(["pushState /?backend=cpu&q=boats", "pushState /?backend=cpu&q=ships"]);
  });

  it("waits while the typing goes on, and lets what was typed give way to what follows", async () => {
    bar.keep(() => boats, "asked");
    for (const query of ["s", "sh", "shi"]) {
      bar.keep(() => ({ ...noAsk, query }), "typed");
      await vi.advanceTimersByTimeAsync(TYPED_PAUSE_MILLIS - 1);
    }
    expect(steps).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    bar.keep(() => ships, "asked");
    expect(steps.slice(1)).toEqual(["pushState /?backend=cpu&q=shi", "replaceState /?backend=cpu&q=ships"]);
    bar.keep(() => boats, "asked");
    expect(steps.at(-1)).toBe("pushState /?backend=cpu&q=boats");
  });

  it("gives what the address asks for when the visitor goes back", () => {
    bar.keep(() => boats, "asked");
    history.replaceState(null, "", "/?q=earlier&from=1850");
    dispatchEvent(new Event("popstate"));
    expect(returned).toMatchObject([{ query: "earlier", filter: { from: 1850 } }]);
    bar.close();
    dispatchEvent(new Event("popstate"));
    expect(returned).toHaveLength(1);
  });

  it("does without a browser that allows no more changes", () => {
    vi.spyOn(history, "pushState").mockImplementation(() => {
      throw new DOMException("too many", "SecurityError");
    });
    expect(() => bar.keep(() => boats, "asked")).not.toThrow();
  });
});
