// The packages lie beside this file on the test server only.
import * as door from "./pkg/cpu/almanac_cpu.js";

await door.default({ module_or_path: new URL("./pkg/cpu/almanac_cpu_bg.wasm", import.meta.url) });
globalThis.door = door;
