// The WebAssembly packages are built, not committed; `door.ts` says what they export.
declare module "*/almanac_cpu.js";
declare module "*/almanac_gpu.js";
