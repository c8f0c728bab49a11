import type { Year } from "./days";

/** Farthest year that is read, either way; far beyond any collection, and safe in every sum of days. */
export const MAX_YEAR: Year = 999_999;

const signed = /^([-\u2212\u2013+]?)\s*(\d{1,6})\s*年?$/u;
const before = /^(?:(?:b\.?\s?c\.?(?:\s?e\.?)?)\s*(\d{1,6})|(\d{1,6})\s*(?:b\.?\s?c\.?(?:\s?e\.?)?)|(?:公元|西元)?前\s*(\d{1,6})\s*年?)$/iu;
const after = /^(?:(?:a\.?\s?d\.?|c\.?\s?e\.?)\s*(\d{1,6})|(\d{1,6})\s*(?:a\.?\s?d\.?|c\.?\s?e\.?)|(?:公元|西元)\s*(\d{1,6})\s*年?)$/iu;

/**
 * Reads a year as visitors write it, or gives null.
 *
 * A sign means astronomical years, as in ISO 8601 and EDTF: "-500" is 501 BC and
 * "0" is 1 BC. "500 BC", "500 BCE" and "公元前500年" count from 1 BC and know no
 * year zero.
 */
export function parseYear(typed: string): Year | null {
  const text = typed.normalize("NFKC").trim();
  const era = (pattern: RegExp): number | null => {
    const found = pattern.exec(text);
    return found === null ? null : Number(found[1] ?? found[2] ?? found[3]);
  };
  const [bc, ad] = [era(before), era(after)];
  if (bc !== null) return bc === 0 ? null : 1 - bc;
  if (ad !== null) return ad === 0 ? null : ad;
  const plain = signed.exec(text);
  if (plain === null) return null;
  const year = Number(plain[2]);
  return plain[1] === "" || plain[1] === "+" || year === 0 ? year : -year;
}
