// Times the exact scan of an index in this browser.
import * as cpu from "./pkg/cpu/almanac_cpu.js";

const bytesOf = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());

/** Milliseconds of `times` rankings for the ten best by a vector alone, each for another random one. */
async function scan(folder, times) {
  await cpu.default({ module_or_path: new URL("./pkg/cpu/almanac_cpu_bg.wasm", import.meta.url) });
  const index = cpu.Index.open(await bytesOf(`${folder}manifest.json`));
  for (const { name } of index.required_files()) index.add_file(name, await bytesOf(folder + name));
  const { dims, passages } = index.info();
  const query = () => {
    const values = Float32Array.from({ length: dims }, () => Math.random() - 0.5);
    const length = Math.hypot(...values);
    return values.map((value) => value / length);
  };
  const question = JSON.stringify({ query: "", time: false, k: 10 });
  index.rank(question, query());
  const taken = [];
  for (let round = 0; round < times; round += 1) {
    const vector = query();
    const start = performance.now();
    index.rank(question, vector);
    taken.push(performance.now() - start);
  }
  index.free();
  return { passages, taken };
}

Object.assign(globalThis, { scan });
