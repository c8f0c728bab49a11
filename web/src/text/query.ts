/** Longest query that is read, in UTF-16 code units; the model itself reads far less. */
export const MAX_QUERY_UNITS = 1000;

/** A query that is safe to hand to the encoder. */
export interface CleanQuery {
  text: string;
  /** True when the end of the typed text was left out. */
  shortened: boolean;
}

/**
 * Makes typed text fit for the encoder: well-formed Unicode, single spaces, bounded length.
 *
 * An unpaired surrogate becomes U+FFFD, and the cut never splits a pair.
 */
export function cleanQuery(typed: string): CleanQuery {
  // Cut before any other work, so that a pasted book costs no more than a sentence.
  const head = typed.slice(0, MAX_QUERY_UNITS + 1);
  const cut = head.length > MAX_QUERY_UNITS ? head.slice(0, lastWhole(head, MAX_QUERY_UNITS)) : head;
  return {
    text: wellFormed(cut).replace(/\s+/gu, " ").trim(),
    shortened: typed.length > MAX_QUERY_UNITS,
  };
}

function lastWhole(text: string, end: number): number {
  const unit = text.charCodeAt(end - 1);
  const opensPair = unit >= 0xd800 && unit <= 0xdbff;
  return opensPair ? end - 1 : end;
}

function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD");
}
