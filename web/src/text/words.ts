const unspaced = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}〇々]+$/u;

/**
 * The matched terms of a hit as people would say them.
 *
 * The index tells codes with a sign before them, and characters both alone and
 * in pairs: what stands inside a longer one is left out.
 */
export function saidWords(terms: readonly string[]): string[] {
  const codes = terms.filter((term) => term.startsWith("#")).map((term) => term.slice(1));
  const plain = terms.filter((term) => !/^[#=]/.test(term));
  const inside = (term: string): boolean =>
    codes.some((code) => code.includes(term)) || (unspaced.test(term) && plain.some((other) => other !== term && other.includes(term)));
  return [...new Set([...plain.filter((term) => !inside(term)), ...codes])];
}
