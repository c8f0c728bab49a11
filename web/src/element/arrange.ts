/** Makes `wanted` the children of `list`, never taking `fixed` out: an element that is taken out loses the focus. */
export function arrange(list: HTMLElement, wanted: readonly HTMLElement[], fixed: HTMLElement | undefined): void {
  for (const item of [...list.children]) if (!(wanted as readonly Element[]).includes(item)) item.remove();
  const middle = fixed === undefined ? -1 : wanted.indexOf(fixed);
  let next: ChildNode | null = middle === -1 ? null : (fixed ?? null);
  for (let at = middle - 1; at >= 0; at -= 1) next = placed(list, wanted[at], next);
  let after: ChildNode | null = middle === -1 ? list.firstChild : (fixed?.nextSibling ?? null);
  for (const item of wanted.slice(middle + 1)) {
    if (item === after) after = item.nextSibling;
    else list.insertBefore(item, after);
  }
}

function placed(list: HTMLElement, item: HTMLElement | undefined, next: ChildNode | null): ChildNode | null {
  if (item === undefined) return next;
  if (item.nextSibling !== next || item.parentNode !== list) list.insertBefore(item, next);
  return item;
}
