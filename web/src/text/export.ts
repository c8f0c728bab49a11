import type { FoundDocument } from "../protocol";

/** The columns that every row has; a record's own fields follow them. */
const columns = ["rank", "id", "title", "date", "url", "score", "meaning", "words", "time", "passage"] as const;

/** Results as CSV for spreadsheets: UTF-8 with a byte-order mark, CRLF, every cell quoted, none of them a formula. */
export function csvOf(documents: readonly FoundDocument[]): string {
  const own = [...new Set(documents.flatMap(({ fields }) => fields.map(([label]) => label)))];
  const rows = documents.map((found, at) => {
    const { id, title, date, url, score, shares, passage, fields } = found;
    const numbers = [score, shares.meaning, shares.words, shares.time].map((number) => number.toFixed(4));
    const valueOf = (label: string): string => fields.filter(([name]) => name === label).map(([, value]) => value).join("; ");
    return [String(at + 1), id, title, date ?? "", url ?? "", ...numbers, passage, ...own.map(valueOf)];
  });
  return `\uFEFF${[[...columns, ...own], ...rows].map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** Results as JSON, with the question they answer. */
export function jsonOf(documents: readonly FoundDocument[], question: { query: string; address: string; collection: string }): string {
  const results = documents.map(({ id, title, date, url, image, score, shares, cosine, words, exact, time, passage, fields }, at) => ({
    ...{ rank: at + 1, id, title, date, url, image, score, shares, cosine, words, exact, time, passage },
    fields: fields.map(([label, value]) => ({ label, value })),
  }));
  return `${JSON.stringify({ ...question, results }, null, 2)}\n`;
}

/** A quoted cell; what a spreadsheet would run as a formula is shown as the text it is. */
function cell(text: string): string {
  // Spreadsheets skip white space and read full-width signs too.
  const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@|＝＋－＠]/u.test(text) || /^[\t\r\n]/.test(text);
  // A plain negative number is data.
  const guarded = formula && !/^-?\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text;
  return `"${guarded.replaceAll("\u0000", "").replaceAll('"', '""')}"`;
}
