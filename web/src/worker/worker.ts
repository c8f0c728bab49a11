/**
 * The worker's entry: owns the WebAssembly modules, so that neither loading nor
 * searching ever blocks the page.
 */
import cpuProgram from "../../pkg/cpu/almanac_cpu_bg.wasm?url";
// By its address, since each instance of this one is a module of its own.
import gpuScript from "../../pkg/gpu/almanac_gpu.js?url";
import gpuProgram from "../../pkg/gpu/almanac_gpu_bg.wasm?url";
import type { Door, GpuDoor } from "../door";
import { Failure } from "../failure";
import type { AnswerMessage, CallMessage, CallName, Calls, EventMessage } from "../protocol";
import { Engine } from "./engine";
import { filesOver } from "./fetch";
import { Shelf } from "./shelf";

const post = (message: AnswerMessage | EventMessage): void => self.postMessage(message);

const shelf = new Shelf(cacheRoom());

const engine = new Engine({
  files: filesOver((input, init) => fetch(input, init), shelf, (navigator as { locks?: LockManager }).locks),
  shelf,
  cpuDoor: () => started<Door>(import("../../pkg/cpu/almanac_cpu.js"), cpuProgram),
  // eslint-disable-next-line no-unsanitized/method -- the address is the build's own
  gpuDoor: (instance) => started<GpuDoor>(import(/* @vite-ignore */ instanceOf(gpuScript, instance)), gpuProgram),
  gpu: () => (navigator as Navigator & { gpu?: GPU }).gpu,
  programBytes,
  now: () => performance.now(),
  onProgress: (progress) => post({ event: "progress", progress }),
  onBackend: (choice) => post({ event: "backend", choice }),
});

/** Calls without an answer yet. */
const open = new Set<number>();

self.addEventListener("message", (event: MessageEvent<CallMessage>) => {
  void answer(event.data);
});

self.addEventListener("error", (event: ErrorEvent) => {
  event.preventDefault();
  uncaught(event.error ?? event.message);
});

self.addEventListener("unhandledrejection", (event: PromiseRejectionEvent) => {
  event.preventDefault();
  uncaught(event.reason);
});

async function answer(message: CallMessage): Promise<void> {
  open.add(message.call);
  try {
    const value = await called(message);
    if (open.delete(message.call)) post({ answer: message.call, ok: true, value });
  } catch (thrown) {
    if (open.delete(message.call)) post({ answer: message.call, ok: false, failure: engine.report(thrown) });
  }
}

function called(message: CallMessage): Promise<Calls[CallName]["gives"]> {
  switch (message.name) {
    case "load":
      return engine.load(message.request);
    case "meaning":
      return engine.meaning();
    case "settle":
      return engine.settle();
    case "keep":
      return engine.keep();
    case "search":
      return engine.search(message.request);
    case "explain":
      return engine.explain(message.request);
  }
}

/** A trap in a module's own task leaves its promise hanging: every open call is answered here. */
function uncaught(error: unknown): void {
  if (engine.survives(error)) return;
  const failure = { ...engine.report(error), fatal: true };
  for (const call of open) post({ answer: call, ok: false, failure });
  open.clear();
}

/** Starts a module from its script and the URL of its program, fetched side by side. */
async function started<Module extends Door | GpuDoor>(script: Promise<unknown>, program: string): Promise<Module> {
  const url = new URL(program, import.meta.url);
  const [door, response] = await Promise.all([script.catch(notFetched(url)), fetch(url).catch(notFetched(url))]);
  if (!response.ok) return notFetched(url)(`the server answered ${response.status}`);
  await (door as Module).default({ module_or_path: response });
  return door as Module;
}

/** The address of a script under which it is another module, though the same file. */
function instanceOf(script: string, instance: number): string {
  const url = new URL(script, import.meta.url);
  url.hash = instance === 0 ? "" : String(instance);
  return url.href;
}

function notFetched(url: URL): (cause: unknown) => never {
  const file = url.pathname.split("/").pop() ?? url.pathname;
  return (cause) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure({ code: "network", message: `${file} could not be fetched: ${reason}`, file });
  };
}

/** The browser's room for files; absent outside a secure context, and blocked where a visitor has said so. */
function cacheRoom(): CacheStorage | undefined {
  try {
    return (globalThis as { caches?: CacheStorage }).caches;
  } catch {
    return undefined;
  }
}

function programBytes(): number {
  return performance
    .getEntriesByType("resource")
    .filter((entry): entry is PerformanceResourceTiming => entry instanceof PerformanceResourceTiming)
    .filter((entry) => new URL(entry.name).pathname.endsWith(".wasm"))
    .reduce((sum, entry) => sum + entry.decodedBodySize, 0);
}
