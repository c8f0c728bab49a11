import type { FileEntry, Index } from "../door";

/** Brings in the index's files that questions turn out to need, each fetched once. */
export class OnDemand {
  /** By file name, while under way; what has arrived the index itself knows. */
  readonly #underWay = new Map<string, Promise<void>>();

  /** `probes` is how many clusters a search by meaning looks into; null where it looks at all vectors. */
  constructor(
    private readonly index: Pick<Index, "word_files" | "vector_files" | "add_file">,
    private readonly probes: number | null,
    private readonly fetchFile: (file: FileEntry) => Promise<Uint8Array>,
  ) {}

  /** Ends when the postings that `question` (JSON of a `Question`) needs are in. */
  async words(question: string): Promise<void> {
    await this.#all(this.index.word_files(question));
  }

  /** Ends when the vectors of the clusters nearest to a question's vector are in. */
  async near(vector: Float32Array): Promise<void> {
    if (this.probes !== null) await this.#all(this.index.vector_files(vector, this.probes));
  }

  /** Ends when all vectors are in, for what compares records with each other. */
  async vectors(): Promise<void> {
    if (this.probes !== null) await this.#all(this.index.vector_files());
  }

  async #all(files: FileEntry[]): Promise<void> {
    await Promise.all(files.map((file) => this.#bring(file)));
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
