import { existsSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { offline } from "./offline.vite.ts";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const { version } = JSON.parse(readFileSync(path("package.json"), "utf8")) as { version: string };
/** Empties only the output's `assets`: the model and the index beside it are laid there by other tools. */
const emptyAssets: Plugin = {
  name: "almanac-empty-assets",
  apply: "build",
  configResolved({ root, build }) {
    rmSync(resolve(root, build.outDir, "assets"), { recursive: true, force: true });
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
        this.error(`web/${file} is missing: cargo xtask demo builds it`);
      }
    }
  },
};

/** Files that keep their names across releases: other pages name the element, and a service worker is known by its address. */
const keptNames: Record<string, string> = { "almanac-search": "assets/almanac-search.js", sw: "sw.js" };

export default defineConfig({
  root: path(".."),
  // Relative, so that the built folder works under any sub-path.
  base: "./",
  publicDir: false,
  define: { __ALMANAC_VERSION__: JSON.stringify(version) },
  cacheDir: path("node_modules/.vite"),
  plugins: [needPackages, emptyAssets, offline()],
  worker: { format: "es" },
  build: {
    outDir: path("../dist"),
    emptyOutDir: false,
    target: "es2022",
    // Inlined assets would be `data:` URLs, which the page's policy refuses.
    assetsInlineLimit: 0,
    // The polyfill would be the only code on the page that inserts scripts.
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { index: path("../index.html"), "almanac-search": path("src/element/almanac-search.ts"), sw: path("src/service/sw.ts") },
      output: {
        entryFileNames: ({ name }) => keptNames[name] ?? "assets/[name]-[hash].js",
      },
    },
  },
  test: {
    root: path("."),
    include: ["src/**/*.test.ts"],
    environment: "happy-dom",
    // Laws are drawn hundreds of times; a busy machine is no reason to fail them.
    testTimeout: 60_000,
  },
});
