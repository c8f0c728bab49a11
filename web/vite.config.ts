import { existsSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const { version } = JSON.parse(readFileSync(path("package.json"), "utf8")) as { version: string };
const output = path("../dist");

/** Empties only `dist/assets`: the model and the index beside it are laid there by other tools. */
const emptyAssets: Plugin = {
  name: "almanac-empty-assets",
  apply: "build",
  buildStart() {
    rmSync(`${output}/assets`, { recursive: true, force: true });
  },
};

/** Fails early, and says what to do, when the WebAssembly packages have not been built. */
const needPackages: Plugin = {
  name: "almanac-need-packages",
  apply: "build",
  buildStart() {
    for (const name of ["cpu", "gpu"]) {
      const file = `pkg/${name}/almanac_${name}.js`;
      if (!existsSync(path(file))) {
        this.error(`web/${file} is missing: build the WebAssembly modules first (cargo xtask site)`);
      }
    }
  },
};

export default defineConfig({
  root: path(".."),
  // Relative, so that the built folder works under any sub-path.
  base: "./",
  publicDir: false,
  define: { __ALMANAC_VERSION__: JSON.stringify(version) },
  cacheDir: path("node_modules/.vite"),
  plugins: [needPackages, emptyAssets],
  worker: { format: "es" },
  build: {
    outDir: output,
    emptyOutDir: false,
    target: "es2022",
    // Inlined assets would be `data:` URLs, which the page's policy refuses.
    assetsInlineLimit: 0,
    // The polyfill would be the only code on the page that inserts scripts.
    modulePreload: { polyfill: false },
  },
  test: {
    root: path("."),
    include: ["src/**/*.test.ts"],
    environment: "happy-dom",
  },
});
