import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { queries } from "./queries";
import { randomFrom } from "./strings";

/**
 * The shape of a model that has every kind of layer and computes in moments: a software GPU takes
 * seconds for one query of the real one.
 */
const shape = { hidden: 64, heads: 2, inner: 256, positions: 128 };

/** Standard deviation of the weights, large enough that two texts differ. */
const SPREAD = 0.12;

/** The words that a text is cut into: marks of the model's own, letters and digits. */
function vocabulary(): Record<string, number> {
  const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
  // The queries and the first golden sentence take a token a word, and so are encoded soonest.
  const common = `oil painting of a harvest ${queries.join(" ")}`.toLowerCase().match(/[a-z]+/g) ?? [];
  const words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", ...letters, ...letters.map((letter) => `##${letter}`), ...common];
  return Object.fromEntries([...new Set(words)].map((word, id) => [word, id]));
}

/** Writes a Hugging Face directory with generated weights, the same in every run; each layer has 16 tensors, and 5 come before. */
export async function writeTinyModel(folder: string, layers: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const vocab = vocabulary();
  const config = {
    ...{ model_type: "bert", hidden_act: "gelu", layer_norm_eps: 1e-12, type_vocab_size: 2, vocab_size: Object.keys(vocab).length },
    ...{ hidden_size: shape.hidden, num_hidden_layers: layers, num_attention_heads: shape.heads },
    ...{ intermediate_size: shape.inner, max_position_embeddings: shape.positions },
  };
  await writeFile(join(folder, "config.json"), JSON.stringify(config));
  await writeFile(join(folder, "tokenizer.json"), JSON.stringify(tokenizer(vocab)));
  await writeFile(join(folder, "model.safetensors"), safetensors(tensorShapes(config.vocab_size, layers)));
}

/** Every tensor that such a model publishes, with its shape. */
function tensorShapes(words: number, layers: number): [name: string, shape: number[]][] {
  const { hidden, inner, positions } = shape;
  const pair = (name: string, size: number[]): [string, number[]][] => [
    [`${name}.weight`, size],
    [`${name}.bias`, size.slice(0, 1)],
  ];
  const layer = (name: string): [string, number[]][] => [
    ...["query", "key", "value"].flatMap((part) => pair(`${name}.attention.self.${part}`, [hidden, hidden])),
    ...pair(`${name}.attention.output.dense`, [hidden, hidden]),
    ...pair(`${name}.attention.output.LayerNorm`, [hidden]),
    ...pair(`${name}.intermediate.dense`, [inner, hidden]),
    ...pair(`${name}.output.dense`, [hidden, inner]),
    ...pair(`${name}.output.LayerNorm`, [hidden]),
  ];
  return [
    ["embeddings.word_embeddings.weight", [words, hidden]],
    ["embeddings.position_embeddings.weight", [positions, hidden]],
    ["embeddings.token_type_embeddings.weight", [2, hidden]],
    ...pair("embeddings.LayerNorm", [hidden]),
    ...Array.from({ length: layers }, (_, at) => layer(`encoder.layer.${at}`)).flat(),
  ];
}

/** A file of float32 tensors: the length of a JSON header, the header, the numbers. */
function safetensors(tensors: readonly [name: string, shape: number[]][]): Buffer {
  const random = randomFrom(20_260_102);
  const header: Record<string, { dtype: "F32"; shape: number[]; data_offsets: [number, number] }> = {};
  const bodies: Buffer[] = [];
  let offset = 0;
  for (const [name, size] of tensors) {
    const middle = name.endsWith("LayerNorm.weight") ? 1 : 0;
    const values = Float32Array.from({ length: size.reduce((all, length) => all * length, 1) }, () => middle + SPREAD * Math.sqrt(3) * (2 * random() - 1));
    header[name] = { dtype: "F32", shape: size, data_offsets: [offset, offset + values.byteLength] };
    offset += values.byteLength;
    bodies.push(Buffer.from(values.buffer));
  }
  const text = JSON.stringify(header);
  const padded = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  return Buffer.concat([length, padded, ...bodies]);
}

function tokenizer(vocab: Record<string, number>): unknown {
  const special = (name: string): unknown => ({ id: name, ids: [vocab[name]], tokens: [name] });
  return {
    ...{ version: "1.0", truncation: null, padding: null, added_tokens: [], decoder: null },
    normalizer: { type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [{ SpecialToken: { id: "[CLS]", type_id: 0 } }, { Sequence: { id: "A", type_id: 0 } }, { SpecialToken: { id: "[SEP]", type_id: 0 } }],
      pair: [],
      special_tokens: { "[CLS]": special("[CLS]"), "[SEP]": special("[SEP]") },
    },
    model: { type: "WordPiece", unk_token: "[UNK]", continuing_subword_prefix: "##", max_input_chars_per_word: 100, vocab },
  };
}
