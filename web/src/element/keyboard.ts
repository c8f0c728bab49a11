/** Direction of a move among results. */
export type Move = 1 | -1;

/**
 * Moves the focus from the input through the result titles and back.
 *
 * @returns true when the focus moved.
 */
export function moveFocus(input: HTMLElement, titles: readonly HTMLElement[], focused: Element | null, move: Move): boolean {
  const at = titles.findIndex((title) => title === focused);
  if (at === -1 && focused !== input) return false;
  const next = at === -1 ? (move === 1 ? 0 : -1) : at + move;
  const target = next === -1 && at === 0 ? input : titles[next];
  if (target === undefined) return false;
  target.focus();
  target.scrollIntoView?.({ block: "nearest" });
  return true;
}

/** True when a `/` typed at `path` belongs to something being written. */
export function isWriting(path: readonly EventTarget[]): boolean {
  return path.some(
    (target) =>
      target instanceof HTMLElement &&
      (target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName)),
  );
}
