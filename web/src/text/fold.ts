/** A text in lower case without accents, with the way back to the original. */
export interface Folded {
  text: string;
  /** For each code unit of `text`, where the character it came from starts in the original. */
  starts: number[];
  /** For each code unit of `text`, where that character ends, accents that follow included. */
  ends: number[];
}

/** Folds as the index does for Latin, Greek and Cyrillic; Han forms stay as they are. */
export function fold(original: string): Folded {
  let text = "";
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const character of original) {
    const end = at + character.length;
    const folded = character.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "");
    if (folded === "" && ends.length > 0) ends[ends.length - 1] = end;
    for (let unit = 0; unit < folded.length; unit += 1) {
      starts.push(at);
      ends.push(end);
    }
    text += folded;
    at = end;
  }
  return { text, starts, ends };
}
