// The packages lie beside this file on the test server only.
import * as door from "./pkg/cpu/almanac_cpu.js";

globalThis.door = door;
