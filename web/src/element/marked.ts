import { markedRanges } from "../text/marks";
import { h } from "./dom";

/** A text as nodes in which each of `terms` is marked. */
export function markedNodes(text: string, terms: readonly string[]): Node[] {
  const nodes: Node[] = [];
  let at = 0;
  for (const [start, end] of markedRanges(text, terms)) {
    if (start > at) nodes.push(document.createTextNode(text.slice(at, start)));
    nodes.push(h("mark", {}, text.slice(start, end)));
    at = end;
  }
  if (at < text.length || nodes.length === 0) nodes.push(document.createTextNode(text.slice(at)));
  return nodes;
}
