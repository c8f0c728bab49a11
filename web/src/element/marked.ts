import { h } from "./dom";

/** A text as nodes in which ranges are marked; `marks` holds starts and ends by turns, in UTF-16 code units. */
export function markedNodes(text: string, marks: readonly number[]): Node[] {
  const nodes: Node[] = [];
  let at = 0;
  for (let mark = 0; mark + 1 < marks.length; mark += 2) {
    const [start = 0, end = 0] = marks.slice(mark, mark + 2);
    // What overlaps or reaches beyond the text would show a letter twice, or none.
    if (start < at || end <= start || end > text.length) continue;
    if (start > at) nodes.push(document.createTextNode(text.slice(at, start)));
    nodes.push(h("mark", {}, text.slice(start, end)));
    at = end;
  }
  if (at < text.length || nodes.length === 0) nodes.push(document.createTextNode(text.slice(at)));
  return nodes;
}
