import type { FoundDocument } from "../protocol";
import { arrange } from "./arrange";
import { h } from "./dom";
import { ResultView, type Reason, type ResultContext } from "./results";

/**
 * The results in their order.
 *
 * A document that stays from one answer to the next keeps its item, with its
 * focus and whatever is open in it, and what the reader looks at stays in place.
 */
export class ResultList {
  readonly node = h("ol", { part: "results", role: "list" });
  readonly #views = new Map<string, ResultView>();
  /** Why the like of a record cannot be asked for; null when it can. */
  #noLike: Reason | null = null;

  constructor(
    /** Takes the focus when the item that had it is gone. */
    private readonly refuge: HTMLElement,
  ) {}

  /** The titles, which the arrow keys go along. */
  get titles(): HTMLElement[] {
    return [...this.node.querySelectorAll<HTMLElement>("[data-title]")];
  }

  /** Lets the like of each record be asked for, or says why not. */
  allowLike(reason: Reason | null): void {
    if (reason?.text === this.#noLike?.text) return;
    this.#noLike = reason;
    for (const view of this.#views.values()) view.allowLike(reason);
  }

  /** Removes all. */
  clear(): void {
    const focused = this.#focused();
    this.#views.clear();
    this.node.replaceChildren();
    if (focused !== undefined) this.refuge.focus({ preventScroll: true });
  }

  /** Shows an answer; `beside` draws what stands around the list, which must not move what is looked at either. */
  draw(documents: readonly FoundDocument[], context: ResultContext, beside: () => void = () => undefined): void {
    const focused = this.#focused();
    const ids = new Set(documents.map(({ id }) => id));
    for (const id of [...this.#views.keys()]) if (!ids.has(id)) this.#views.delete(id);
    const wanted = documents.map((found) => this.#item(found, context));
    const fixed = this.#fixed(wanted, focused);
    const offset = fixed?.getBoundingClientRect().top ?? 0;
    const scrolled = isScrolledInto(this.node);
    arrange(this.node, wanted, fixed);
    beside();
    if (scrolled && fixed !== undefined) scrollBy(0, fixed.getBoundingClientRect().top - offset);
    if (focused !== undefined && !wanted.includes(focused)) this.refuge.focus({ preventScroll: true });
  }

  #item(found: FoundDocument, context: ResultContext): HTMLElement {
    const known = this.#views.get(found.id);
    if (known !== undefined) {
      known.update(found, context);
      return known.node;
    }
    const view = new ResultView(found, context);
    view.allowLike(this.#noLike);
    this.#views.set(found.id, view);
    return view.node;
  }

  /** The item that must not move: the one with the focus, else the first in view, if it stays. */
  #fixed(wanted: readonly HTMLElement[], focused: HTMLElement | undefined): HTMLElement | undefined {
    if (focused !== undefined && wanted.includes(focused)) return focused;
    const items = [...this.node.children] as HTMLElement[];
    return items.find((item) => wanted.includes(item) && item.getBoundingClientRect().bottom > 0);
  }

  /** The item that holds the focus. */
  #focused(): HTMLElement | undefined {
    const { activeElement = null } = this.node.getRootNode() as Partial<DocumentOrShadowRoot>;
    return ([...this.node.children] as HTMLElement[]).find((item) => item.contains(activeElement));
  }
}

/** True when the reader has scrolled down into the list. */
function isScrolledInto(list: HTMLElement): boolean {
  return list.hasChildNodes() && list.getBoundingClientRect().top < 0;
}
