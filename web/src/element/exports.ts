import type { Language } from "../language/table";
import type { FoundDocument } from "../protocol";
import { csvOf, jsonOf } from "../text/export";
import { h, setText } from "./dom";

/** What can be taken along. */
export interface Exported {
  documents: readonly FoundDocument[];
  query: string;
  collection: string;
}

/** Buttons that download the results shown, as a table or as data. */
export class ExportView {
  readonly #title = h("span");
  readonly #csv = h("button", { type: "button", class: "quiet small", part: "export-csv" }, "CSV");
  readonly #json = h("button", { type: "button", class: "quiet small", part: "export-json" }, "JSON");
  readonly node = h("div", { class: "cite", part: "export", role: "group" }, this.#title, this.#csv, this.#json);

  constructor(what: () => Exported) {
    this.#csv.addEventListener("click", () => save("results.csv", "text/csv;charset=utf-8", csvOf(what().documents)));
    this.#json.addEventListener("click", () => {
      const { documents, query, collection } = what();
      save("results.json", "application/json", jsonOf(documents, { query, collection, address: location.href }));
    });
  }

  /** Says how many are taken along. */
  draw(shown: number, language: Language): void {
    const title = language.say("export.title", { results: language.counted("results", shown) });
    setText(this.#title, title);
    this.node.setAttribute("aria-label", title);
  }
}

/** Hands a text to the browser as a file. */
function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  // The browser has taken the bytes by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
