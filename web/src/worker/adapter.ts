import type { AdapterInfo } from "../protocol";

/** Largest binding the encoder makes, rounded up to WebGPU's own default: 128 MiB. */
export const MIN_STORAGE_BINDING_BYTES = 134_217_728;

/** Largest workgroup the encoder's kernels use. */
export const MIN_WORKGROUP_INVOCATIONS = 256;

/** A GPU that may be tried, or why not. */
export type Preflight =
  | { usable: true; adapter: GPUAdapter; info: AdapterInfo }
  | { usable: false; reason: string; info: AdapterInfo | null };

/**
 * Decides in JavaScript whether the GPU module is worth fetching.
 *
 * The checks come first because the module cannot recover from their absence:
 * its runtime stops for good on an adapter without `timestamp-query`.
 */
export async function preflight(gpu: GPU | undefined, allowSoftware: boolean): Promise<Preflight> {
  if (gpu === undefined || gpu === null) {
    return { usable: false, reason: "this browser has no WebGPU", info: null };
  }
  let adapter: GPUAdapter | null;
  try {
    adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
  } catch (cause) {
    return { usable: false, reason: `WebGPU refused an adapter (${text(cause)})`, info: null };
  }
  if (adapter === null) return { usable: false, reason: "WebGPU offers no adapter on this device", info: null };

  const info = describe(adapter);
  const refuse = (reason: string): Preflight => ({ usable: false, reason, info });
  if (!adapter.features.has("timestamp-query")) {
    return refuse("the GPU adapter lacks timestamp-query");
  }
  const { maxStorageBufferBindingSize, maxComputeInvocationsPerWorkgroup } = adapter.limits;
  if (!(maxStorageBufferBindingSize >= MIN_STORAGE_BINDING_BYTES)) {
    return refuse(`the GPU adapter binds at most ${maxStorageBufferBindingSize} bytes, fewer than ${MIN_STORAGE_BINDING_BYTES}`);
  }
  if (!(maxComputeInvocationsPerWorkgroup >= MIN_WORKGROUP_INVOCATIONS)) {
    return refuse(
      `the GPU adapter runs ${maxComputeInvocationsPerWorkgroup} invocations per workgroup, fewer than ${MIN_WORKGROUP_INVOCATIONS}`,
    );
  }
  if (info.fallback && !allowSoftware) {
    return refuse("the only GPU adapter is a software one, slower than the CPU itself");
  }
  return { usable: true, adapter, info };
}

function describe(adapter: GPUAdapter): AdapterInfo {
  const { info } = adapter;
  // Older browsers keep the flag on the adapter itself.
  const legacy = "isFallbackAdapter" in adapter && adapter.isFallbackAdapter === true;
  return {
    vendor: info?.vendor ?? "",
    architecture: info?.architecture ?? "",
    description: info?.description ?? "",
    fallback: info?.isFallbackAdapter === true || legacy,
  };
}

/** Rejects when the GPU can no longer be trusted; never resolves. */
export class GpuAlarm {
  readonly #alarm: Promise<never>;
  #raise: (cause: Error) => void = () => undefined;
  #cause: Error | null = null;
  #lost = false;
  readonly #checks = new Set<Promise<void>>();

  constructor() {
    this.#alarm = new Promise((_, reject) => {
      this.#raise = reject;
    });
    // Raised between queries the rejection has no other listener yet.
    this.#alarm.catch(() => undefined);
  }

  /** Why the GPU is not to be trusted, once it is so. */
  get cause(): Error | null {
    return this.#cause;
  }

  /** Whether the device went away, which says nothing against the next one. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Declares the device gone. */
  lose(message: string): void {
    this.#lost = true;
    this.raise(message);
  }

  /** Has `calm` wait for a check that may raise the alarm. */
  expect(check: Promise<void>): void {
    const done = check.catch(() => undefined).finally(() => this.#checks.delete(done));
    this.#checks.add(done);
  }

  /** Ends when nothing is being checked any more; throws why the GPU is not to be trusted, where that is so. */
  async calm(): Promise<void> {
    while (this.#checks.size > 0 && this.#cause === null) await Promise.all(this.#checks);
    if (this.#cause !== null) throw this.#cause;
  }

  /** Declares the GPU dead. */
  raise(message: string): void {
    if (this.#cause !== null) return;
    this.#cause = new Error(message);
    this.#raise(this.#cause);
  }

  /** `work`, unless the alarm is raised first or `millis` pass. */
  async guard<T>(work: Promise<T>, millis: number): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${Math.round(millis / 1000)} s`)), millis);
    });
    try {
      return await Promise.race([this.#alarm, work, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * Watches every device made from adapters like `adapter` until the function that it gives is called.
 *
 * The module makes its own device and tells nobody when it is lost; the
 * prototype is the one place where JavaScript sees that device.
 */
export function watchDevices(adapter: GPUAdapter, alarm: GpuAlarm): () => void {
  const prototype = Object.getPrototypeOf(adapter) as GPUAdapter;
  const original = prototype.requestDevice;
  prototype.requestDevice = async function requestDevice(this: GPUAdapter, descriptor?: GPUDeviceDescriptor) {
    const device = await original.call(this, descriptor);
    void device.lost.then((lost) => {
      alarm.lose(`the GPU device was lost (${lost.message || lost.reason || "unknown"})`);
    });
    device.addEventListener("uncapturederror", (event) => {
      event.preventDefault();
      alarm.raise(`the GPU reported an error (${event.error.message})`);
    });
    checkEach(device, device, ["createShaderModule", "createComputePipeline"], alarm);
    checkEach(device, device.queue, ["submit"], alarm);
    return device;
  };
  return () => {
    prototype.requestDevice = original;
  };
}

/**
 * Has the errors of these calls raise the alarm.
 *
 * A broken shader does not fail the module: its work is left out, and what was in memory before
 * comes back as the result. The event that tells may come after that result, so each call that
 * matters has a scope of its own, whose end can be waited for.
 */
function checkEach<K extends string>(device: GPUDevice, owner: Record<K, unknown>, names: readonly NoInfer<K>[], alarm: GpuAlarm): void {
  for (const name of names) {
    const call = owner[name] as (...given: unknown[]) => unknown;
    const checked = (...given: unknown[]): unknown => {
      device.pushErrorScope("validation");
      try {
        return call.apply(owner, given);
      } finally {
        const told = device.popErrorScope().then((error) => {
          if (error !== null) alarm.raise(`the GPU reported an error (${error.message})`);
        });
        alarm.expect(told);
      }
    };
    Object.defineProperty(owner, name, { value: checked, configurable: true, writable: true });
  }
}

function text(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
