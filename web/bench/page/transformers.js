// What a page with transformers.js needs for its first results by meaning: library, runtime, model and
// vectors, fetched side by side, one encoding and one pass over the vectors. It shows no documents.
import { env, pipeline } from "./library/transformers.min.js";
import { plainLoop, readVectors } from "./vectors.js";

const QUERY = "boats on a stormy sea";

env.allowRemoteModels = false;
env.allowLocalModels = true;
// A path: the library looks for the tokenizer of a local model only where it is no address.
env.localModelPath = new URL("./models/", import.meta.url).pathname;
env.backends.onnx.wasm.wasmPaths = new URL("./runtime/", import.meta.url).href;
env.backends.onnx.wasm.numThreads = 1;

const folder = new URL("../index/", import.meta.url);
const read = async (name) => (await fetch(new URL(name, folder))).arrayBuffer();

/** The vectors of the index on the same server. */
async function vectorsOf() {
  const manifest = JSON.parse(new TextDecoder().decode(await read("manifest.json")));
  const named = manifest.files.filter(({ kind }) => kind === "vectors").sort((a, b) => a.first - b.first);
  const files = await Promise.all(named.map(async ({ file }) => new Uint8Array(await read(file))));
  const dims = manifest.model.dimensions;
  return plainLoop(readVectors(files, dims, manifest.passages).vectors, dims, manifest.passages);
}

const [encode, search] = await Promise.all([pipeline("feature-extraction", "minilm", { dtype: "q8", device: "wasm" }), vectorsOf()]);
const output = await encode(QUERY, { pooling: "mean", normalize: true });
globalThis.passages = search(output.data);
globalThis.full = performance.now();
