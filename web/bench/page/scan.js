// Times the search for the ten nearest of the same vectors: this project's exact scan, exact and
// approximate indexes of other packages, a plain loop, and a sum over the same bytes.
import * as cpu from "./pkg/cpu/almanac_cpu.js";
import { plainLoop, readVectors } from "./vectors.js";

const bytesOf = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());

/** Sixteen queries: vectors of the collection itself with a little noise. */
function queriesFrom(vectors, dims, passages) {
  return Array.from({ length: 16 }, (_, n) => {
    const at = Math.floor(((n + 0.5) * passages) / 16) * dims;
    const query = vectors.slice(at, at + dims).map((value) => value + (Math.random() - 0.5) * 0.02);
    const length = Math.hypot(...query);
    return query.map((value) => value / length);
  });
}

/** EdgeVec's program, started once. */
async function edgevec() {
  const package_ = await import("./peers/edgevec/edgevec.js");
  await package_.default({ module_or_path: new URL("./peers/edgevec/edgevec_bg.wasm", import.meta.url) });
  return package_;
}

/** EdgeVec's graph of float32 vectors, which is approximate. */
async function edgevecGraph(vectors, dims, passages) {
  const { EdgeVec, EdgeVecConfig } = await edgevec();
  const config = new EdgeVecConfig(dims);
  // By distance, which orders unit vectors as the product does; its "dot" gives the farthest first.
  config.metric = "l2";
  const index = new EdgeVec(config);
  const [first] = index.insertBatchFlat(vectors, passages);
  return (query) => index.search(query, 10).map((hit) => hit.id - first);
}

/** EdgeVec's flat index, which takes one bit a number in the browser. */
async function edgevecBits(vectors, dims, passages) {
  const { EdgeVec, EdgeVecConfig, JsIndexType } = await edgevec();
  const config = new EdgeVecConfig(dims);
  config.metric = "hamming";
  config.indexType = JsIndexType.Flat;
  const index = new EdgeVec(config);
  const ids = Array.from({ length: passages }, (_, row) =>
    index.insertBinary(signs(vectors.subarray(row * dims, (row + 1) * dims))),
  );
  return (query) => index.searchBinary(signs(query), 10).map((hit) => hit.id - ids[0]);
}

/** The signs of a vector, eight a byte. */
function signs(vector) {
  const bits = new Uint8Array(vector.length >> 3);
  vector.forEach((value, at) => {
    if (value > 0) bits[at >> 3] |= 1 << (at & 7);
  });
  return bits;
}

/** Voy's tree, which is approximate in so many dimensions and takes JavaScript arrays. */
async function voy(vectors, dims, passages) {
  const glue = await import("./peers/voy-search/voy_search_bg.js");
  const program = await bytesOf("./peers/voy-search/voy_search_bg.wasm");
  const { instance } = await WebAssembly.instantiate(program, { "./voy_search_bg.js": glue });
  glue.__wbg_set_wasm(instance.exports);
  const embeddings = Array.from({ length: passages }, (_, row) => ({
    id: String(row),
    title: "",
    url: "",
    embeddings: Array.from(vectors.subarray(row * dims, (row + 1) * dims)),
  }));
  const index = new glue.Voy({ embeddings });
  return (query) => index.search(query, 10).neighbors.map((hit) => Number(hit.id));
}

/**
 * A program that adds up the 32-bit lanes from one address to another, 64 bytes a round:
 * `(func (export "sum") (param i32 i32) (result i32))` over the memory `page.memory`.
 */
const SUM =
  "AGFzbQEAAAABBwFgAn9/AX8CEAEEcGFnZQZtZW1vcnkCAAEDAgEABwcBA3N1bQAACl4BXAEEewNAIAIgAP0ABAD9rgEhAiADIAD9AAQQ/a4BIQMgBCAA/QAEIP2uASEEIAUgAP0ABDD9rgEhBSAAQcAAaiIAIAFJDQALIAIgA/2uASAE/a4BIAX9rgH9GwAL";

/** What reading the codes once costs: a sum over them by 128-bit loads. */
async function sumOver(codes) {
  const whole = codes.length & ~63;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(whole / 65536) + 1 });
  new Uint8Array(memory.buffer).set(codes.subarray(0, whole));
  const program = Uint8Array.from(atob(SUM), (letter) => letter.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(program, { page: { memory } });
  return () => instance.exports.sum(0, whole);
}

/** Loads the index and every searcher; gives their names. */
async function load(folder, withSlow) {
  await cpu.default({ module_or_path: new URL("./pkg/cpu/almanac_cpu_bg.wasm", import.meta.url) });
  const index = cpu.Index.open(await bytesOf(`${folder}manifest.json`));
  const files = [];
  for (const { name, kind } of index.required_files()) {
    const bytes = await bytesOf(folder + name);
    index.add_file(name, bytes);
    if (kind === "vectors") files.push(bytes);
  }
  const { dims, passages } = index.info();
  const { vectors, codes } = readVectors(files, dims, passages);
  globalThis.queries = queriesFrom(vectors, dims, passages);
  const question = JSON.stringify({ query: "red silk 1850s", k: 10 });
  for (const { name } of index.word_files(question)) index.add_file(name, await bytesOf(folder + name));
  globalThis.searchers = {
    "Almanac, exact scan": (query) => index.nearest(query, 10).map((hit) => hit.passage),
    "Almanac, meaning + words + time": (query) => index.rank(question, query),
    "EdgeVec 0.9.0, flat, one bit": await edgevecBits(vectors, dims, passages),
    ...(withSlow
      ? {
          "EdgeVec 0.9.0, graph": await edgevecGraph(vectors, dims, passages),
          "Voy 0.6.3": await voy(vectors, dims, passages),
        }
      : {}),
    "plain JavaScript loop": plainLoop(vectors, dims, passages),
    "sum over the int8 bytes": await sumOver(codes),
  };
  return { passages, bytes: codes.length, names: Object.keys(globalThis.searchers) };
}

/** Milliseconds of `times` searches by one searcher, after one to warm up. */
function measure(name, times) {
  const { queries, searchers } = globalThis;
  searchers[name](queries[0]);
  return Array.from({ length: times }, (_, round) => {
    const start = performance.now();
    searchers[name](queries[round % queries.length]);
    return performance.now() - start;
  });
}

/** For each searcher of passages, the share of the plain loop's ten best that it finds too. */
function agreement() {
  const { queries, searchers } = globalThis;
  const [truth, ...others] = ["plain JavaScript loop", ...Object.keys(searchers)].filter(
    (name, at) => at === 0 || !/loop|sum|words/.test(name),
  );
  const expected = queries.map((query) => searchers[truth](query));
  return others.map((name) => {
    const found = queries.map((query, at) => {
      const ids = Array.from(searchers[name](query));
      return expected[at].filter((id) => ids.includes(id)).length / 10;
    });
    return [name, found.reduce((sum, share) => sum + share, 0) / found.length];
  });
}

/** Libraries throw values of their own; only an Error's message leaves the page. */
async function loadOrSay(folder, withSlow) {
  try {
    return await load(folder, withSlow);
  } catch (thrown) {
    throw thrown instanceof Error ? thrown : new Error(JSON.stringify(thrown));
  }
}

Object.assign(globalThis, { load: loadOrSay, measure, agreement });
