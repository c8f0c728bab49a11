// Encoders side by side on one page: this project's CPU and GPU modules, and onnxruntime-web.
import * as cpu from "./pkg/cpu/almanac_cpu.js";
import * as gpu from "./pkg/gpu/almanac_gpu.js";
import * as ort from "./ort/ort.wasm.min.mjs";

ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = new URL("./ort/", import.meta.url).href;

const bytesOf = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());

/** The model's files as the encoders take them. */
async function modelBytes(folder) {
  const card = await bytesOf(`${folder}card.json`);
  const { weights, tokenizer } = JSON.parse(new TextDecoder().decode(card));
  const parts = await Promise.all(weights.parts.map(({ file }) => bytesOf(folder + file)));
  const whole = new Uint8Array(await new Blob(parts).arrayBuffer());
  return [card, whole, await bytesOf(folder + tokenizer.file)];
}

/** onnxruntime-web behind the same face: text in, unit vector out, with our tokenizer's ids. */
async function peerEncoder(url, tokens) {
  const session = await ort.InferenceSession.create(await bytesOf(url), { executionProviders: ["wasm"] });
  return async (text) => {
    const ids = Array.from(tokens(text), BigInt);
    const row = (values) => new ort.Tensor("int64", BigInt64Array.from(values), [1, ids.length]);
    const feeds = { input_ids: row(ids), attention_mask: row(ids.map(() => 1n)), token_type_ids: row(ids.map(() => 0n)) };
    const known = Object.fromEntries(Object.entries(feeds).filter(([name]) => session.inputNames.includes(name)));
    const output = (await session.run(known))[session.outputNames[0]];
    return unit(output.dims.length === 3 ? meanOf(output.data, ids.length) : Float32Array.from(output.data));
  };
}

function meanOf(states, tokens) {
  const width = states.length / tokens;
  return Float32Array.from({ length: width }, (_, at) => {
    let sum = 0;
    for (let token = 0; token < tokens; token += 1) sum += states[token * width + at];
    return sum / tokens;
  });
}

function unit(vector) {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Words of a museum's titles, each with the blank that parts it from the next. */
const museum = "boats on a stormy sea near the old harbor with people watching from the shore at night".split(" ").map((word) => `${word} `);
/** Characters of a question about farming. */
const farming = [..."古人在春天播种之前怎样整治田地才能防止旱灾并且让五谷丰收呢"];

/** A text of exactly `wanted` tokens. */
function textOf(wanted, tokens, words) {
  let text = "";
  for (let at = 0; tokens(text.trim()).length < wanted; at += 1) text += words[at % words.length];
  text = text.trim();
  if (tokens(text).length !== wanted) throw new Error(`no text of ${wanted} tokens was found`);
  return text;
}

/** Loads every encoder; `withGpu` also the GPU one. */
async function load({ model, classical, peer, withGpu }) {
  const [card, weights, tokenizer] = await modelBytes(model);
  await cpu.default({ module_or_path: new URL("./pkg/cpu/almanac_cpu_bg.wasm", import.meta.url) });
  const own = cpu.Encoder.load(card, weights, tokenizer);
  const tokens = (text) => own.tokens(text);
  const ofBooks = cpu.Encoder.load(...(await modelBytes(classical)));
  const encoders = {
    "Almanac CPU": (text) => own.encode(text, "query"),
    "Almanac CPU, farming books": (text) => ofBooks.encode(text, "query"),
    "onnxruntime-web": await peerEncoder(peer, tokens),
  };
  if (withGpu) {
    await gpu.default({ module_or_path: new URL("./pkg/gpu/almanac_gpu_bg.wasm", import.meta.url) });
    const onGpu = await gpu.GpuEncoder.load(card, weights);
    encoders["Almanac GPU"] = (text) => onGpu.encode(own.ids(text, "query"));
  }
  globalThis.encoders = encoders;
  globalThis.textOf = (name, wanted) =>
    name === "Almanac CPU, farming books" ? textOf(wanted, (text) => ofBooks.tokens(text), farming) : textOf(wanted, tokens, museum);
}

/** Milliseconds of each of `times` encodings, after one to warm up. */
async function measure(name, text, times) {
  const encode = globalThis.encoders[name];
  await encode(text);
  const taken = [];
  for (let round = 0; round < times; round += 1) {
    const start = performance.now();
    await encode(text);
    taken.push(performance.now() - start);
  }
  return taken;
}

/** Cosine of what two encoders make of a text: a peer that computes something else is no peer. */
async function agreement(one, other, text) {
  const [a, b] = [await globalThis.encoders[one](text), await globalThis.encoders[other](text)];
  return a.reduce((sum, value, at) => sum + value * b[at], 0);
}

Object.assign(globalThis, { load, measure, agreement });
