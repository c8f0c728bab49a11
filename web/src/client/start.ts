import workerUrl from "../worker/worker.ts?worker&url";
import type { WorkerLike } from "./client";

interface TrustedPolicy {
  createScriptURL(url: string): unknown;
}

interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): TrustedPolicy;
}

let policy: TrustedPolicy | null = null;

/** Starts the worker from its own file: no `blob:`, so the page's policy can stay strict. */
export function startWorker(): WorkerLike {
  const url = new URL(workerUrl, import.meta.url).href;
  return new Worker(trusted(url) as string, { type: "module", name: "almanac" });
}

/** The worker's URL in the form that a page with Trusted Types accepts. */
function trusted(url: string): unknown {
  const factory = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes;
  if (factory === undefined) return url;
  policy ??= factory.createPolicy("almanac", {
    // The only script this program ever starts: anything else is refused.
    createScriptURL: (wanted) => {
      if (wanted !== new URL(workerUrl, import.meta.url).href) throw new TypeError("not the search worker");
      return wanted;
    },
  });
  return policy.createScriptURL(url);
}
