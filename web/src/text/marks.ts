import { fold } from "./fold";

/** Part of a text as UTF-16 code units, end excluded. */
export type Range = readonly [start: number, end: number];

const letter = /[\p{L}\p{N}]/u;
// Written without spaces between words, so that a term may begin or end anywhere.
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u;

/** Where whole words or phrases of `terms` stand in `text`, in order and without overlap. */
export function markedRanges(text: string, terms: readonly string[]): Range[] {
  const folded = fold(text);
  const found: Range[] = [];
  for (const wanted of terms.flatMap((term) => formsOf(fold(term).text.trim()))) {
    for (let at = folded.text.indexOf(wanted); at !== -1; at = folded.text.indexOf(wanted, at + 1)) {
      const end = at + wanted.length;
      const whole = isEdge(folded.text, at) && isEdge(folded.text, end);
      const [start, stop] = [folded.starts[at], folded.ends[end - 1]];
      if (whole && start !== undefined && stop !== undefined) found.push([start, stop]);
    }
  }
  return merged(found);
}

/** A term and the plurals that an index may have cut down to it. */
function formsOf(term: string): string[] {
  if (!/^[a-z]{3,}$/.test(term)) return term === "" ? [] : [term];
  return [term, `${term}s`, ...(term.endsWith("y") ? [`${term.slice(0, -1)}ies`] : [])];
}

/** True where a word can begin or end. */
function isEdge(text: string, at: number): boolean {
  const left = characterBefore(text, at);
  const right = characterAt(text, at);
  return !letter.test(left) || !letter.test(right) || unspaced.test(left) || unspaced.test(right);
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function characterBefore(text: string, at: number): string {
  if (at === 0) return "";
  const low = text.charCodeAt(at - 1);
  return characterAt(text, low >= 0xdc00 && low <= 0xdfff && at > 1 ? at - 2 : at - 1);
}

function merged(ranges: Range[]): Range[] {
  const result: [number, number][] = [];
  for (const [start, end] of ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = result.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}
