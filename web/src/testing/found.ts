/** Answers for unit tests only. */
import type { Hit, Understood } from "../door";
import type { Found, FoundDocument } from "../protocol";

/** A query without dates. */
export const plainUnderstood: Understood = { meaning_text: "q", dates: [], refusals: [], phrases: [] };

/** A query that names the 1850s. */
export const dated: Understood = {
  ...plainUnderstood,
  dates: [{ match: "1850s", start: 0, end: 5, reading: "1850s → 1850 to 1859", first: 675_334, last: 678_985, seasonal: false, role: "mentioned" }],
};

/** A hit of the first document. */
export const plainHit: Hit = {
  document: 0,
  passage: 1,
  score: 0.9,
  shares: { meaning: 0.6, words: 0.3, time: 0 },
  cosine: 0.9,
  words: [],
  exact: false,
  time: null,
};

/** A found document. */
export function foundDocument(id: string, more: Partial<FoundDocument> = {}): FoundDocument {
  const { shares, cosine, words, exact, time, score } = plainHit;
  return { document: 0, id, title: id, passage: "", marks: [], date: null, url: null, image: null, fields: [], score, shares, cosine, words, exact, time, ...more };
}

/** An answer that found documents with these ids. */
export function foundIds(ids: readonly string[], more: Partial<Found> = {}): Found {
  return {
    stage: "full",
    documents: ids.map((id) => foundDocument(id)),
    ranked: ids.length,
    far: 0,
    dates: { intervals: [], undated: ids.length, seasons: [], seasonless: ids.length },
    best: ids.length === 0 ? null : 0.9,
    close: true,
    matching: 2,
    by: { meaning: true, words: true, time: false },
    understood: plainUnderstood,
    backend: "cpu",
    timings: { postings: 1, encode: 1, rank: 1, documents: 1 },
    downloads: { program: 1, model: 2, index: 3, documents: 0 },
    ...more,
  };
}
