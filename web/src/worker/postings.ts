import type { FileEntry, Index } from "../door";

/** Brings in the postings files that questions need, each fetched once. */
export class Postings {
  /** By file name, while under way; what has arrived the index itself knows. */
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(
    private readonly index: Pick<Index, "word_files" | "add_file">,
    private readonly fetchFile: (file: FileEntry) => Promise<Uint8Array>,
  ) {}

  /** Ends when everything that `question` (JSON of a `Question`) needs is in. */
  async need(question: string): Promise<void> {
    await Promise.all(this.index.word_files(question).map((file) => this.#bring(file)));
  }

  #bring(file: FileEntry): Promise<void> {
    const known = this.#underWay.get(file.name);
    if (known !== undefined) return known;
    const coming = this.fetchFile(file)
      .then((bytes) => this.index.add_file(file.name, bytes))
      .finally(() => this.#underWay.delete(file.name));
    this.#underWay.set(file.name, coming);
    return coming;
  }
}
