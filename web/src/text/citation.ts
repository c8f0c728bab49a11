/** What a citation is made of. */
export interface Cited {
  id: string;
  title: string;
  /** As its owner writes it. */
  date: string | null;
  /** Checked before: an address of the web, or null. */
  url: string | null;
  /** Who made it, where the record says so. */
  creator: string | null;
  /** The collection it is in; "" where it has no name. */
  collection: string;
  /** The day it was looked at. */
  accessed: Date;
}

/** The ways of citing. */
export const citationStyles = ["plain", "chicago", "bibtex"] as const;

/** A way of citing. */
export type CitationStyle = (typeof citationStyles)[number];

const creatorLabels = /^(?:artist|creator|maker|author|photographer|designer|manufacturer|creators|artists|作者|创作者)$/i;

/** The first field that names a maker. */
export function creatorOf(fields: readonly (readonly [string, string])[]): string | null {
  const named = fields.find(([label, value]) => creatorLabels.test(label.trim()) && value.trim() !== "");
  return named?.[1].trim() ?? null;
}

/** A record as a citation; always plain text. */
export function citation(cited: Cited, style: CitationStyle): string {
  if (style === "bibtex") return bibtex(cited);
  const { id, title, date, url, creator, collection, accessed } = cited;
  const day = new Intl.DateTimeFormat("en-US", { year: "numeric", month: "long", day: "numeric" }).format(accessed);
  const holding = collection === "" ? id : `${collection}, ${id}`;
  const parts =
    style === "chicago"
      ? [creator, title, date, holding, url === null ? null : `Accessed ${day}. ${url}`]
      : [title, creator, date, holding, url];
  return parts
    .map((part) => oneLine(part ?? ""))
    .filter((part) => part !== "")
    .map((part) => (/[.!?]$|^https?:|https?:\S+$/.test(part) ? part : `${part}.`))
    .join(" ");
}

function bibtex({ id, title, date, url, creator, collection, accessed }: Cited): string {
  const year = /-?\d{3,4}/.exec(date ?? "")?.[0] ?? null;
  const fields: [string, string | null][] = [
    // Double braces: a workshop or "Unknown" is no family name.
    ["author", creator === null ? null : `{${escaped(creator)}}`],
    ["title", `{${escaped(title)}}`],
    ["year", year],
    ["howpublished", collection === "" ? null : escaped(collection)],
    ["note", escaped([date, id].filter((part) => part !== null && part !== "").join("; "))],
    ["url", url === null ? null : url.replace(/[{}\\\s]/g, encodeURIComponent)],
    ["urldate", accessed.toISOString().slice(0, 10)],
  ];
  const lines = fields.flatMap(([name, value]) => (value === null || value === "" ? [] : [`  ${name} = {${value}},`]));
  return [`@misc{${keyOf(id)},`, ...lines, "}"].join("\n");
}

/** A key that BibTeX reads: letters, digits, and hyphens. */
function keyOf(id: string): string {
  const key = id.normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  return key === "" ? "record" : key;
}

const special: Record<string, string> = {
  "\\": "\\textbackslash{}",
  "{": "\\{",
  "}": "\\}",
  $: "\\$",
  "&": "\\&",
  "#": "\\#",
  "%": "\\%",
  _: "\\_",
  "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}",
};

function escaped(text: string): string {
  return oneLine(text).replace(/[\\{}$&#%_^~]/g, (sign) => special[sign] ?? sign);
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
