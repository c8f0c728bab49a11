/** A child of a built node: text always becomes a text node, never markup. */
export type Child = Node | string | null;

/** Builds an element from attributes and children. */
export function h<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Record<string, string | boolean> = {},
  ...children: Child[]
): HTMLElementTagNameMap[T] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "string") node.setAttribute(name, value);
    else node.toggleAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** Builds an element of a drawing from attributes. */
export function svg<T extends keyof SVGElementTagNameMap>(tag: T, attributes: Record<string, string> = {}): SVGElementTagNameMap[T] {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

/** Leaves a text alone unless its words change, so that a live region is not read twice. */
export function setText(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}
