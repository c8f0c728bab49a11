import { describe, expect, it, vi } from "vitest";
import type { GpuDoor } from "../door";
import type { BackendChoice, BackendWish } from "../protocol";
import { fakeDoor, fakeGpuDoor, unitVector } from "../testing/fake-door";
import { fakeGpu, freshAdapter, type FakeAdapterTraits, type FakeDevice } from "../testing/fake-gpu";
import { preflight } from "./adapter";
import { Encoding } from "./encoding";

const model = { card: new Uint8Array(), weights: new Uint8Array() };

interface Setup {
  wish?: BackendWish;
  settled?: string;
  adapter?: FakeAdapterTraits | null;
  noGpu?: boolean;
  gpu?: Parameters<typeof fakeGpuDoor>[0];
  gpuDoor?: () => Promise<GpuDoor>;
  /** How many devices are lost as soon as they are there. */
  losses?: number;
  /** Milliseconds that one encoding takes. */
  millis?: { cpu: number; gpu: number };
}

/** An encoding over stand-ins, with what it announced. */
async function encodingWith(setup: Setup) {
  let clock = 0;
  let asked = 0;
  const adapter = setup.adapter === null ? null : freshAdapter(setup.adapter);
  const announced: BackendChoice[] = [];
  const { cpu, gpu } = setup.millis ?? { cpu: 40, gpu: 10 };
  const taking = (millis: number) => async () => {
    clock += millis;
    return unitVector();
  };
  const gpuDoor = fakeGpuDoor({ encode: taking(gpu), ...setup.gpu });
  const load = gpuDoor.GpuEncoder.load;
  let losses = setup.losses ?? 0;
  gpuDoor.GpuEncoder.load = async (...bytes) => {
    const device = await adapter?.requestDevice();
    if (losses > 0) {
      losses -= 1;
      device?.lose("gone at once");
      return new Promise<never>(() => undefined);
    }
    return load(...bytes);
  };
  const instances: number[] = [];
  const encoder = fakeDoor({ encode: taking(cpu) }).Encoder.load(model.card, model.weights, new Uint8Array());
  const encoding = new Encoding(encoder, {
    wish: setup.wish ?? "auto",
    settled: setup.settled,
    gpu: () => {
      asked += 1;
      return setup.noGpu === true ? undefined : fakeGpu(adapter);
    },
    gpuDoor:
      setup.gpuDoor ??
      (async (instance) => {
        instances.push(instance);
        return gpuDoor;
      }),
    announce: (choice) => announced.push(choice),
    now: () => clock,
  });
  await encoding.choose(model);
  return { encoding, adapter, announced, instances, asked: () => asked };
}

describe("pre-flight", () => {
  it.each<[string, GPU | undefined, RegExp]>([
    ["no WebGPU", undefined, /no WebGPU/],
    ["no adapter", fakeGpu(null), /no adapter/],
    ["an adapter without timestamp-query", fakeGpu(freshAdapter({ features: [] })), /timestamp-query/],
    ["a small binding limit", fakeGpu(freshAdapter({ binding: 134_217_727 })), /binds at most 134217727/],
    ["small workgroups", fakeGpu(freshAdapter({ invocations: 128 })), /128 invocations/],
    ["a software adapter", fakeGpu(freshAdapter({ fallback: true })), /software/],
  ])("with %s refuses the GPU and says so", async (_case, gpu, reason) => {
    const result = await preflight(gpu, false);
    expect(result).toMatchObject({ usable: false });
    expect(result.usable ? "" : result.reason).toMatch(reason);
  });

  it("that throws refuses the GPU and says so", async () => {
    const gpu = { requestAdapter: async () => Promise.reject(new Error("blocked")) } as unknown as GPU;
    expect(await preflight(gpu, true)).toMatchObject({ usable: false, reason: expect.stringContaining("blocked") });
  });

  it("takes a software adapter when the GPU was asked for", async () => {
    expect(await preflight(fakeGpu(freshAdapter({ fallback: true })), true)).toMatchObject({ usable: true, info: { fallback: true } });
  });
});

describe("the choice of a backend", () => {
  it("never touches WebGPU when the CPU was asked for", async () => {
    const { encoding, asked } = await encodingWith({ wish: "cpu" });
    expect(asked()).toBe(0);
    expect(encoding.choice).toMatchObject({ chosen: "cpu", reason: "the CPU was asked for", trying: false });
  });

  it("keeps the GPU when it is faster, and says by how much", async () => {
    const { encoding } = await encodingWith({ millis: { cpu: 40, gpu: 10 } });
    expect(encoding.choice).toMatchObject({ chosen: "gpu", timings: { cpu: 40, gpu: 10 }, settled: false });
    expect((await encoding.encode("q")).backend).toBe("gpu");
  });

  it("has the GPU encode the tokens of the CPU module's tokenizer", async () => {
    const texts: string[] = [];
    const encode = async (text: string) => {
      texts.push(text);
      return unitVector();
    };
    const { encoding } = await encodingWith({ wish: "gpu", gpu: { encode } });
    expect((await encoding.encode("a stormy sea")).backend).toBe("gpu");
    expect(texts).toEqual(["a stormy sea"]);
  });

  it("tests a GPU on fewer golden sentences where it is a software one", async () => {
    const counts: number[] = [];
    const selfTest = async (sentences: number) => {
      counts.push(sentences);
      return { passed: true, checked: sentences, worst_cosine: 1, detail: "" };
    };
    await encodingWith({ wish: "gpu", gpu: { selfTest } });
    await encodingWith({ wish: "gpu", gpu: { selfTest }, adapter: { fallback: true } });
    expect(counts).toEqual([3, 1]);
  });

  it("keeps the CPU when the GPU is slower, and does not try again", async () => {
    const { encoding } = await encodingWith({ millis: { cpu: 40, gpu: 90 } });
    expect(encoding.choice).toMatchObject({ chosen: "cpu", timings: { cpu: 40, gpu: 90 }, settled: true });
    expect((await encoding.encode("q")).backend).toBe("cpu");
  });

  it("keeps a GPU that was asked for although it is slower", async () => {
    const { encoding } = await encodingWith({ wish: "gpu", millis: { cpu: 1, gpu: 90 } });
    expect(encoding.choice.chosen).toBe("gpu");
  });

  it("trusts an earlier visit's verdict, unless the GPU was asked for", async () => {
    const auto = await encodingWith({ settled: "it was slower here" });
    expect(auto.asked()).toBe(0);
    expect(auto.encoding.choice).toMatchObject({ chosen: "cpu", reason: "it was slower here" });
    const forced = await encodingWith({ wish: "gpu", settled: "it was slower here" });
    expect(forced.encoding.choice.chosen).toBe("gpu");
  });

  it("falls back with the reason when a GPU that was asked for cannot be had", async () => {
    const { encoding } = await encodingWith({ wish: "gpu", adapter: null });
    expect(encoding.choice).toMatchObject({ chosen: "cpu", reason: expect.stringContaining("no adapter") });
  });

  it("refuses a GPU that fails its self-test, and remembers it", async () => {
    const selfTest = async () => ({ passed: false, checked: 1, worst_cosine: 0.1, detail: "cosine 0.1" });
    const { encoding } = await encodingWith({ wish: "gpu", gpu: { selfTest } });
    expect(encoding.choice).toMatchObject({ chosen: "cpu", settled: true, reason: expect.stringContaining("cosine 0.1") });
  });

  it("does not blame the GPU for a module that could not be downloaded", async () => {
    const gpuDoor = async () => Promise.reject(Object.assign(new Error("cut"), { code: "network" }));
    const { encoding } = await encodingWith({ gpuDoor });
    expect(encoding.choice).toMatchObject({ chosen: "cpu", settled: false });
  });

  it("announces first that the GPU is being tried", async () => {
    const { announced } = await encodingWith({});
    expect(announced[0]).toMatchObject({ chosen: "cpu", trying: true });
    expect(announced.at(-1)).toMatchObject({ trying: false });
  });
});

describe("a GPU that fails at work", () => {
  const settled = (encoding: Encoding) => vi.waitFor(() => expect(encoding.choice.trying).toBe(false));

  it("when lost between queries leaves the next one to the CPU, with the reason, and is set up anew", async () => {
    const { encoding, adapter, announced, instances } = await encodingWith({});
    adapter?.devices[0]?.lose("driver gone");
    await Promise.resolve();
    expect((await encoding.encode("q")).backend).toBe("cpu");
    expect(announced.at(-1)).toMatchObject({ chosen: "cpu", trying: true, reason: expect.stringContaining("driver gone") });
    await settled(encoding);
    expect(encoding.choice).toMatchObject({ chosen: "gpu", reason: expect.stringMatching(/driver gone.*set up anew/) });
    expect((await encoding.encode("q")).backend).toBe("gpu");
    expect(instances).toEqual([0, 1]);
  });

  it("when lost again and again is set up anew twice and then given up", async () => {
    const { encoding, adapter, instances } = await encodingWith({ wish: "gpu" });
    const backends: string[] = [];
    for (let loss = 0; loss < 4; loss += 1) {
      adapter?.devices.at(-1)?.lose("gone");
      await Promise.resolve();
      backends.push((await encoding.encode("q")).backend);
      await settled(encoding);
      backends.push((await encoding.encode("q")).backend);
    }
    expect(backends).toEqual(["cpu", "gpu", "cpu", "gpu", "cpu", "cpu", "cpu", "cpu"]);
    expect(instances).toEqual([0, 1, 2]);
    expect(encoding.choice).toMatchObject({ chosen: "cpu", settled: false, reason: expect.stringMatching(/gone.*each time before.*CPU/) });
  });

  it("when lost at the start is set up anew, and given up after the second time", async () => {
    const once = await encodingWith({ wish: "gpu", losses: 1 });
    await settled(once.encoding);
    expect(once.encoding.choice.chosen).toBe("gpu");
    const always = await encodingWith({ wish: "gpu", losses: 9 });
    await settled(always.encoding);
    expect(always.encoding.choice.chosen).toBe("cpu");
    expect(always.instances).toEqual([0, 1, 2]);
  });

  it("that fails its self-test after a loss is given up", async () => {
    let tests = 0;
    const selfTest = async () => {
      tests += 1;
      return { passed: tests === 1, checked: 1, worst_cosine: 0, detail: "cosine 0.1" };
    };
    const { encoding, adapter } = await encodingWith({ wish: "gpu", gpu: { selfTest } });
    adapter?.devices[0]?.lose("gone");
    await Promise.resolve();
    await encoding.encode("q");
    await settled(encoding);
    expect(encoding.choice).toMatchObject({ chosen: "cpu", reason: expect.stringContaining("cosine 0.1") });
    expect((await encoding.encode("q")).backend).toBe("cpu");
  });

  it.each<[string, (device: FakeDevice) => void]>([
    ["shader", (device) => device.createShaderModule()],
    ["pipeline", (device) => device.createComputePipeline()],
    ["submission", (device) => device.queue.submit()],
  ])("by a broken %s that is told of after the result does not answer with it", async (_what, work) => {
    const made: { device?: FakeDevice | undefined } = {};
    const encode = async () => {
      const { device } = made;
      if (device !== undefined) {
        device.fault = { message: "no shader" };
        work(device);
      }
      return unitVector();
    };
    const { encoding, adapter } = await encodingWith({ wish: "gpu", gpu: { encode } });
    made.device = adapter?.devices[0];
    expect((await encoding.encode("q")).backend).toBe("cpu");
    expect(encoding.choice).toMatchObject({ chosen: "cpu", reason: expect.stringContaining("no shader") });
  });

  it("with an error reported during a query does not answer it", async () => {
    const made: { device?: FakeDevice | undefined } = {};
    const encode = async () => {
      made.device?.dispatchEvent(Object.assign(new Event("uncapturederror"), { error: { message: "bad shader" } }));
      return unitVector();
    };
    const { encoding, adapter } = await encodingWith({ wish: "gpu", gpu: { encode } });
    made.device = adapter?.devices[0];
    expect((await encoding.encode("q")).backend).toBe("cpu");
    expect(encoding.choice).toMatchObject({ chosen: "cpu", trying: false });
  });

  it("when lost during a query still answers that query", async () => {
    let hang = false;
    const encode = async () => (hang ? new Promise<Float32Array>(() => undefined) : unitVector());
    const { encoding, adapter } = await encodingWith({ wish: "gpu", gpu: { encode } });
    hang = true;
    const answer = encoding.encode("q");
    adapter?.devices[0]?.lose("gone");
    expect((await answer).backend).toBe("cpu");
  });

  it.each([
    ["zeros", Float32Array.of(0, 0)],
    ["NaN", Float32Array.of(Number.NaN, 1)],
    ["a vector of the wrong length", Float32Array.of(2, 0)],
  ])("giving %s is not believed", async (_case, vector) => {
    const { encoding } = await encodingWith({ wish: "gpu", gpu: { encode: async () => vector } });
    const answer = await encoding.encode("q");
    expect(answer).toMatchObject({ backend: "cpu", vector: unitVector() });
    expect(encoding.choice.chosen).toBe("cpu");
  });

  it("by reporting an uncaptured error is given up", async () => {
    const { encoding, adapter } = await encodingWith({ wish: "gpu" });
    adapter?.devices[0]?.dispatchEvent(Object.assign(new Event("uncapturederror"), { error: { message: "bad shader" } }));
    expect((await encoding.encode("q")).backend).toBe("cpu");
    expect(encoding.choice.reason).toMatch(/bad shader/);
  });

  it("by a trap outside any call is given up", async () => {
    const { encoding } = await encodingWith({ wish: "gpu" });
    encoding.gpuDied("unreachable");
    expect((await encoding.encode("q")).backend).toBe("cpu");
  });
});
