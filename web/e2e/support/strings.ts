/** A small seeded generator (mulberry32), so that every run draws the same strings. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Ranges of code points, each a kind of text that tokenizers treat in their own way. */
const alphabets: readonly (readonly [number, number])[] = [
  [0x20, 0x7e], // ASCII
  [0xa1, 0x17f], // Latin with accents, precomposed
  [0x300, 0x36f], // combining marks
  [0x370, 0x3ff], // Greek
  [0x400, 0x4ff], // Cyrillic
  [0x5d0, 0x5ea], // Hebrew
  [0x620, 0x64a], // Arabic
  [0x900, 0x97f], // Devanagari
  [0xe01, 0xe5b], // Thai
  [0x2000, 0x206f], // spaces, zero-width and direction marks, punctuation
  [0x3041, 0x30ff], // kana
  [0x3400, 0x4dbf], // CJK extension A
  [0x4e00, 0x9fff], // CJK
  [0xac00, 0xd7a3], // Hangul
  [0xf900, 0xfaff], // CJK compatibility
  [0xfe00, 0xfe0f], // variation selectors
  [0xff01, 0xff60], // full-width forms
  [0x1f300, 0x1faff], // emoji
  [0x20000, 0x2a6df], // CJK extension B
  [0xe0020, 0xe007f], // tags
];

const words = [
  ..."oil on canvas portrait of a woman c. 1860 bowl silver ca. dynasty Ming 明 清 農桑輯要 naïve façade Ünïcödé".split(" "),
  ..."don't 79.66.115 (attributed to) Édouard Manet ＡＢＣ ﬁne ﬂower ½ № ™ 한국어 ありがとう שלום مرحبا ไทย हिन्दी".split(" "),
  "👩‍👩‍👧‍👦",
  "🇫🇷",
  "👍🏽",
  "e\u0301",
  "\u200b",
  "\u200d",
  "\u202eabc\u202c",
  "\ufeff",
  "[CLS]",
  "[SEP]",
  "[MASK]",
  "[UNK]",
  "##ing",
  "\u0000",
  "\ufffd",
  "\t",
  "\n",
  "a".repeat(120),
];

/** Draws `count` strings: words of museum records, runs of one script, and mixtures of all. */
export function drawStrings(count: number, seed: number): string[] {
  const random = randomFrom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => {
    const item = list[below(list.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
  const letter = ([first, last]: readonly [number, number]): string => String.fromCodePoint(first + below(last - first + 1));
  const run = (): string => {
    const alphabet = pick(alphabets);
    return Array.from({ length: 1 + below(12) }, () => letter(alphabet)).join("");
  };
  const kinds = [
    () => Array.from({ length: 1 + below(12) }, () => pick(words)).join(" "),
    run,
    () => Array.from({ length: 1 + below(8) }, run).join(pick(["", " ", "\u3000", "-"])),
    () => Array.from({ length: 1 + below(20) }, () => letter(pick(alphabets))).join(""),
    () => `${pick(words)}${run()}${pick(words)}`,
    () => Array.from({ length: 100 + below(200) }, () => pick(words)).join(" "),
  ];
  return Array.from({ length: count }, () => pick(kinds)());
}
