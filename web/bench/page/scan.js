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

/** EdgeVec's flat index, which is exact. */
async function edgevec(vectors, dims, passages) {
  const package_ = await import("./peers/edgevec/edgevec.js");
  await package_.default({ module_or_path: new URL("./peers/edgevec/edgevec_bg.wasm", import.meta.url) });
  const config = new package_.EdgeVecConfig(dims);
  config.metric = "dot";
  config.indexType = package_.IndexType.Flat;
  const index = new package_.EdgeVec(config);
  index.insertBatchFlat(vectors, passages);
  return (query) => index.search(query, 10);
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
  return (query) => index.search(query, 10);
}

/** What reading the codes once costs: a sum over them, four at a time. */
function sumOver(codes) {
  const words = new Int32Array(codes.buffer, 0, codes.length >> 2);
  return () => {
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let at = 0; at + 3 < words.length; at += 4) {
      a = (a + words[at]) | 0;
      b = (b + words[at + 1]) | 0;
      c = (c + words[at + 2]) | 0;
      d = (d + words[at + 3]) | 0;
    }
    return a ^ b ^ c ^ d;
  };
}

/** Loads the index and every searcher; gives their names. */
async function load(folder, withVoy) {
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
    "EdgeVec 0.9.0, flat": await edgevec(vectors, dims, passages),
    ...(withVoy ? { "Voy 0.6.3": await voy(vectors, dims, passages) } : {}),
    "plain JavaScript loop": plainLoop(vectors, dims, passages),
    "sum over the int8 bytes": sumOver(codes),
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

/** Share of the plain loop's ten best that the exact scan of int8 finds too. */
function agreement() {
  const { queries, searchers } = globalThis;
  const shares = queries.map((query) => {
    const [own, plain] = [searchers["Almanac, exact scan"](query), searchers["plain JavaScript loop"](query)];
    return own.filter((id) => plain.includes(id)).length / 10;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

Object.assign(globalThis, { load, measure, agreement });
