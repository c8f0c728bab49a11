import type { Door, FileEntry, Index } from "../door";
import { Failure } from "../failure";
import { sumBytes, type Card } from "./card";
import { Encoding, TIMING_QUERY, type EncodingOptions } from "./encoding";
import type { Files } from "./fetch";
import { naming } from "./naming";
import type { ProgressMeter } from "./progress";

/** What a search by meaning is loaded from. */
export interface MeaningSource {
  door: Door;
  index: Index;
  files: Files;
  modelFolder: URL;
  indexFolder: URL;
  card: Card;
  cardBytes: Uint8Array;
  /** Files of the index that every search by meaning needs and no other. */
  vectors: FileEntry[];
  /** Whether further vectors come with the questions that need them. */
  clustered: boolean;
  encoding: EncodingOptions;
}

/** Bytes that a search by meaning fetches. */
export function meaningBytes({ card, vectors }: Pick<MeaningSource, "card" | "vectors">): number {
  return sumBytes([...card.weights, card.tokenizer, ...vectors]);
}

/** Downloads the model and the vectors, and starts the encoder; then tries the GPU behind the visitor's back. */
export async function loadMeaning(source: MeaningSource, meter: ProgressMeter): Promise<Encoding> {
  const { door, index, files, modelFolder, indexFolder, card, cardBytes, vectors } = source;
  meter.expect(meaningBytes(source));
  meter.step("model");
  const count = (bytes: number): void => meter.add(bytes);
  const [weights, tokenizer] = await Promise.all([
    readWeights(source, count),
    files.file(modelFolder, card.tokenizer, count),
    ...vectors.map(async (file) => {
      const bytes = await files.file(indexFolder, file, count);
      naming(file.name, () => index.add_file(file.name, bytes));
    }),
  ]);
  if (!source.clustered && !index.ready()) {
    throw new Failure({ code: "corrupt", message: "manifest.json does not name every file the index needs", file: "manifest.json" });
  }
  meter.step("preparing");
  const encoder = door.Encoder.load(cardBytes, weights, tokenizer);
  // The first encoding is slower than the rest: the visitor should not pay for it.
  await encoder.encode(TIMING_QUERY, "query");
  const encoding = new Encoding(encoder, source.encoding);
  void encoding.choose({ card: cardBytes, weights });
  return encoding;
}

async function readWeights({ card, files, modelFolder }: MeaningSource, count: (bytes: number) => void): Promise<Uint8Array> {
  const whole = new Uint8Array(sumBytes(card.weights));
  let offset = 0;
  await Promise.all(
    card.weights.map((part) => {
      const into = whole.subarray(offset, offset + part.bytes);
      offset += part.bytes;
      return files.file(modelFolder, part, count, into);
    }),
  );
  return whole;
}
