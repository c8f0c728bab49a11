/** A small stand-in for WebGPU, for unit tests only. */

/** What the stand-in adapter lacks or has. */
export interface FakeAdapterTraits {
  features?: string[];
  binding?: number;
  invocations?: number;
  fallback?: boolean;
}

/** A stand-in device whose loss the test decides. */
export class FakeDevice extends EventTarget {
  lose: (reason: string) => void = () => undefined;
  readonly lost = new Promise<{ message: string; reason: string }>((resolve) => {
    this.lose = (message) => resolve({ message, reason: "destroyed" });
  });
  /** What the next error scope that ends has caught. */
  fault: { message: string } | null = null;
  readonly queue = { submit: (): void => undefined };
  createShaderModule(): object {
    return {};
  }
  createComputePipeline(): object {
    return {};
  }
  pushErrorScope(): void {}
  async popErrorScope(): Promise<{ message: string } | null> {
    // A GPU tells of an error later than it hands out what came of it.
    await new Promise((resolve) => setTimeout(resolve, 5));
    return this.fault;
  }
}

/** A stand-in adapter; every device it makes is kept in `devices`. */
export class FakeAdapter {
  readonly devices: FakeDevice[] = [];
  readonly features: Set<string>;
  readonly limits: { maxStorageBufferBindingSize: number; maxComputeInvocationsPerWorkgroup: number };
  readonly info: { vendor: string; architecture: string; description: string; isFallbackAdapter: boolean };

  constructor(traits: FakeAdapterTraits = {}) {
    this.features = new Set(traits.features ?? ["timestamp-query"]);
    this.limits = {
      maxStorageBufferBindingSize: traits.binding ?? 134_217_728,
      maxComputeInvocationsPerWorkgroup: traits.invocations ?? 256,
    };
    this.info = { vendor: "v", architecture: "a", description: "d", isFallbackAdapter: traits.fallback ?? false };
  }
}

/** WebGPU that offers one adapter, or none. */
export function fakeGpu(adapter: FakeAdapter | null): GPU {
  return { requestAdapter: async () => adapter } as unknown as GPU;
}

/** An adapter of its own class, since watching devices changes the class. */
export function freshAdapter(traits: FakeAdapterTraits = {}): FakeAdapter & { requestDevice(): Promise<FakeDevice> } {
  class Adapter extends FakeAdapter {
    async requestDevice(): Promise<FakeDevice> {
      const device = new FakeDevice();
      this.devices.push(device);
      return device;
    }
  }
  return new Adapter(traits);
}
