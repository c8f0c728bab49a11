import workerUrl from "../worker/worker.ts?worker&url";
import type { WorkerLike } from "./client";
import { trustedScript } from "./trusted";

/** Starts the worker from its own file: no `blob:`, so the page's policy can stay strict. */
export function startWorker(): WorkerLike {
  const url = new URL(workerUrl, import.meta.url).href;
  return new Worker(trustedScript(url), { type: "module", name: "almanac" });
}
