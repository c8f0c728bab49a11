import { readAddress, writeAddress } from "../session/address";
import type { Ask } from "../session/ask";
import type { Notice } from "../session/state";

/** Pause in typing after which the address follows, in milliseconds; browsers refuse more than a few changes a second. */
export const TYPED_PAUSE_MILLIS = 500;

/** How a question came about: only what was asked on purpose is a step to go back to. */
export type Manner = "typed" | "asked";

/** The page's address as the search's memory: it keeps query and filters, and back and forward bring them back. */
export class AddressBar {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly onReturn: (ask: Ask, notices: Notice[]) => void) {}

  /** Begins to follow the visitor back and forward, and gives what the address asks for now. */
  open(): { ask: Ask; notices: Notice[] } {
    addEventListener("popstate", this.#return);
    return readAddress(location.search);
  }

  /** Lets the address be. */
  close(): void {
    clearTimeout(this.#timer);
    removeEventListener("popstate", this.#return);
  }

  /** Writes a question into the address. */
  keep(ask: () => Ask, manner: Manner): void {
    clearTimeout(this.#timer);
    if (manner === "asked") return this.#write(ask(), manner);
    this.#timer = setTimeout(() => this.#write(ask(), manner), TYPED_PAUSE_MILLIS);
  }

  readonly #return = (): void => {
    clearTimeout(this.#timer);
    const { ask, notices } = readAddress(location.search);
    this.onReturn(ask, notices);
  };

  #write(ask: Ask, manner: Manner): void {
    const { pathname, search, hash } = location;
    const written = writeAddress(search, ask);
    const before: unknown = history.state;
    const wasTyped = typeof before === "object" && before !== null && "almanac" in before && before.almanac === "typed";
    const unchanged = written === writeAddress(search, readAddress(search).ask);
    if (unchanged && !(wasTyped && manner === "asked")) return;
    try {
      // Half a word is no place to go back to: what was typed gives way to what follows it.
      const change = wasTyped || unchanged ? "replaceState" : "pushState";
      history[change]({ almanac: manner }, "", `${pathname}${written}${hash}`);
    } catch {
      // A browser that allows no more changes for now loses a step, not the search.
    }
  }
}
