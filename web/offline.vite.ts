import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

/** Files of the page that lie beside it under names of their own, as browsers look for them there. */
const beside = ["app.webmanifest", "icon.svg", "icon-maskable.svg"];

/** Nothing is to be removed; a site sets `kill` to true to take its service worker back. */
const killSwitch = `${JSON.stringify({ kill: false })}\n`;

const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");

/** Lays the web app's manifest and icons beside the page, and tells the service worker which files the page is made of. */
export function offline(): Plugin {
  return {
    name: "almanac-offline",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const page = (name: string): string => readFileSync(fileURLToPath(new URL(`src/page/${name}`, import.meta.url)), "utf8");
        for (const fileName of beside) this.emitFile({ type: "asset", fileName, source: page(fileName) });
        this.emitFile({ type: "asset", fileName: "kill.json", source: killSwitch });
        const service = bundle["sw.js"];
        if (service?.type !== "chunk") return this.error("there is no service worker in this build");
        if (service.imports.length > 0) return this.error(`the service worker is not one file: it imports ${service.imports.join(", ")}`);
        const files = Object.values(bundle)
          // The GPU's module is large and only ever a faster way: without a network the CPU does.
          .filter(({ fileName }) => !["sw.js", "kill.json"].includes(fileName) && !/almanac_gpu/.test(fileName))
          .map((file) => ({ path: file.fileName, sha256: sha256(file.type === "chunk" ? file.code : file.source) }))
          .sort((a, b) => (a.path < b.path ? -1 : 1));
        const version = sha256(JSON.stringify(files)).slice(0, 16);
        // Owners write their own words into the page, so it is kept as they serve it.
        const list = { version, files: files.map((file) => (file.path === "index.html" ? { ...file, sha256: null } : file)) };
        const written = JSON.stringify(JSON.stringify(list)).slice(1, -1);
        if (!service.code.includes("__ALMANAC_SHELL__")) return this.error("the service worker has no place for the list of files");
        service.code = service.code.replace("__ALMANAC_SHELL__", () => written);
      },
    },
  };
}
