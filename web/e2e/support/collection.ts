import { gunzipSync } from "node:zlib";

/** An object as the shipped collection holds it. */
export type MuseumObject = Record<string, unknown> & { id: string; title: string };

/** Records that try to run as code; every field a page shows holds an attempt. */
const hostile: readonly { id: string; text: string; url: string }[] = [
  { id: "hostile:1", text: "<img src=x onerror=\"globalThis.pwned=1\">", url: "javascript:globalThis.pwned=1" },
  { id: "hostile:2", text: "</li></ol><script>globalThis.pwned=1</script>", url: "data:text/html,<script>parent.pwned=1</script>" },
];

/**
 * Cuts a small collection from the shipped one: every n-th object that has a date
 * and a medium, `count` in all, and two hostile records made from a real one.
 */
export function cutCollection(gzip: Buffer, count: number): MuseumObject[] {
  const all = gunzipSync(gzip)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as MuseumObject)
    .filter((object) => filled(object.title) && filled(object.creation_date) && filled(object.medium));
  const step = Math.floor(all.length / count);
  const cut = Array.from({ length: count }, (_, at) => all[at * step]).filter((object) => object !== undefined);
  const model = cut[0];
  if (step < 1 || model === undefined) throw new Error(`the shipped collection has fewer than ${count} whole objects`);
  const attacks = hostile.map(({ id, text, url }) => ({
    ...model,
    id,
    title: `${text} embroidered payload`,
    medium: text,
    creation_date: text,
    // Text that is no date, and no date beside it: these two are the undated ones.
    creation_date_earliest: null,
    creation_date_latest: null,
    web_url: url,
    // The model's own number must find the model alone.
    accession_number: null,
  }));
  return [...cut, ...attacks];
}

function filled(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}
