// The packages lie beside this file on the test server only.
import * as door from "./pkg/cpu/almanac_cpu.js";

await door.default({ module_or_path: new URL("./pkg/cpu/almanac_cpu_bg.wasm", import.meta.url) });
globalThis.door = door;

/** Fetches and starts the module for the GPU: for each number another instance, with a device of its own. */
globalThis.gpuDoor = async (instance = 0) => {
  // eslint-disable-next-line no-unsanitized/method -- a number at the end of a fixed address
  const gpu = await import(`./pkg/gpu/almanac_gpu.js#${Number(instance)}`);
  await gpu.default({ module_or_path: new URL("./pkg/gpu/almanac_gpu_bg.wasm", import.meta.url) });
  return gpu;
};
