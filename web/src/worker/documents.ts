import type { FileEntry, Hit, Index } from "../door";
import type { FoundDocument } from "../protocol";

/** Reads found documents from their chunk files, each fetched once. */
export class Documents {
  /** By file name; a chunk holds many documents and neighbours are asked for together. */
  readonly #chunks = new Map<string, Promise<Uint8Array>>();

  constructor(
    private readonly index: Pick<Index, "document_file" | "document" | "marks" | "info">,
    private readonly fetchFile: (file: FileEntry) => Promise<Uint8Array>,
    private readonly maxChunks = 64,
  ) {}

  /** The documents of `hits`, in the same order; `question` (JSON) is what their passages are marked for. */
  async read(hits: readonly Hit[], question: string): Promise<FoundDocument[]> {
    return Promise.all(hits.map((hit) => this.#readOne(hit, question)));
  }

  /** Name and title of a document; null when the index has no such place. */
  async named(document: number): Promise<{ id: string; title: string } | null> {
    if (document >= this.index.info().documents) return null;
    const bytes = await this.#chunk(this.index.document_file(document));
    const { id, title } = this.index.document(document, bytes);
    return { id, title };
  }

  async #readOne(hit: Hit, question: string): Promise<FoundDocument> {
    const bytes = await this.#chunk(this.index.document_file(hit.document));
    const document = this.index.document(hit.document, bytes);
    const passage = document.passages[hit.passage - document.first_passage] ?? "";
    return {
      document: hit.document,
      id: document.id,
      title: document.title,
      passage,
      marks: [...this.index.marks(question, passage)],
      date: document.date ?? null,
      url: document.url ?? null,
      image: document.image ?? null,
      fields: document.fields,
      score: hit.score,
      shares: hit.shares,
      cosine: hit.cosine,
      words: hit.words,
      exact: hit.exact,
      time: hit.time,
    };
  }

  #chunk(file: FileEntry): Promise<Uint8Array> {
    const known = this.#chunks.get(file.name);
    if (known !== undefined) {
      // Re-inserted so that the map's order is least recently used first.
      this.#chunks.delete(file.name);
      this.#chunks.set(file.name, known);
      return known;
    }
    const chunk = this.fetchFile(file);
    this.#chunks.set(file.name, chunk);
    chunk.catch(() => this.#chunks.delete(file.name));
    if (this.#chunks.size > this.maxChunks) {
      const [oldest] = this.#chunks.keys();
      if (oldest !== undefined) this.#chunks.delete(oldest);
    }
    return chunk;
  }
}
