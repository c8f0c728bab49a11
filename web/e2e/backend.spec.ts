import { expect, FAILED_FILE, open, searchFor, settledBackend, test, workerPrelude } from "./support/fixtures";
import { nativeSearch } from "./support/native";

const query = "boats on a stormy sea";

/** Each way in which a browser can be without a usable GPU, played inside the worker. */
const absences: { name: string; reason: RegExp; prelude: () => void }[] = [
  {
    name: "no navigator.gpu",
    reason: /no WebGPU/,
    prelude: () => Object.defineProperty(Object.getPrototypeOf(navigator), "gpu", { get: () => undefined }),
  },
  {
    name: "no adapter",
    reason: /no adapter/,
    prelude: () => {
      navigator.gpu.requestAdapter = async () => null;
    },
  },
  {
    name: "an adapter request that fails",
    reason: /refused an adapter.*blocked/,
    prelude: () => {
      navigator.gpu.requestAdapter = async () => Promise.reject(new Error("blocked"));
    },
  },
  {
    name: "an adapter without timestamp-query",
    reason: /lacks timestamp-query/,
    prelude: () => Object.defineProperty(GPUAdapter.prototype, "features", { get: () => new Set(["subgroups"]) }),
  },
  {
    name: "an adapter with small buffers",
    reason: /binds at most 1048576 bytes/,
    prelude: () =>
      Object.defineProperty(GPUSupportedLimits.prototype, "maxStorageBufferBindingSize", { get: () => 1_048_576 }),
  },
];

for (const wish of ["", "?backend=gpu"]) {
  for (const { name, reason, prelude } of absences) {
    test(`${name} leaves the search to the CPU and says so (${wish || "no wish"})`, async ({ page, server }) => {
      server.fault = workerPrelude(prelude);
      await open(page, server, wish);
      const choice = await settledBackend(page);
      expect(choice.chosen).toBe("cpu");
      expect(choice.reason).toMatch(reason);
      await expect(page.locator("almanac-search [part=backend]")).toContainText(reason);
      const found = await searchFor(page, query);
      expect(found.backend).toBe("cpu");
      expect(server.requests.filter((path) => path.includes("almanac_gpu"))).toEqual([]);
    });
  }
}

test("a software adapter is not used unless it is asked for", async ({ page, server }) => {
  await open(page, server);
  const choice = await settledBackend(page);
  expect(choice).toMatchObject({ chosen: "cpu", adapter: { fallback: true } });
  expect(choice.reason).toMatch(/software/);
  expect(server.requests.filter((path) => path.includes("almanac_gpu"))).toEqual([]);
});

test("a wish for the CPU never touches WebGPU", async ({ page, server }) => {
  server.fault = workerPrelude(() => {
    Object.defineProperty(Object.getPrototypeOf(navigator), "gpu", {
      get: () => {
        throw new Error("WebGPU was touched");
      },
    });
  });
  await open(page, server, "?backend=cpu");
  expect(await settledBackend(page)).toMatchObject({ chosen: "cpu", reason: "the CPU was asked for" });
  expect((await searchFor(page, query)).backend).toBe("cpu");
});

test("a GPU slower than the CPU is found to be so, and not fetched again on the next visit", async ({ page, server }) => {
  test.setTimeout(900_000);
  // The software adapter plays a slow real one.
  server.fault = workerPrelude(() => Object.defineProperty(GPUAdapterInfo.prototype, "isFallbackAdapter", { get: () => false }));
  await open(page, server);
  const choice = await settledBackend(page, 800_000);
  expect(choice).toMatchObject({ chosen: "cpu", settled: true });
  expect(choice.reason).toMatch(/the CPU is faster here: [\d.]+ ms on the GPU, [\d.]+ ms on the CPU/);
  expect(choice.timings.gpu ?? 0).toBeGreaterThan(choice.timings.cpu ?? Number.POSITIVE_INFINITY);
  expect(server.requests.some((path) => path.includes("almanac_gpu"))).toBe(true);
  server.requests.length = 0;
  await page.reload();
  expect(await settledBackend(page)).toMatchObject({ chosen: "cpu", reason: choice.reason });
  expect((await searchFor(page, query)).backend).toBe("cpu");
  expect(server.requests.filter((path) => path.includes("almanac_gpu"))).toEqual([]);
});

test("a device lost between queries leaves the next query to the CPU, with the reason", async ({ page, server }) => {
  test.setTimeout(600_000);
  server.fault = workerPrelude(() => {
    const original = GPUAdapter.prototype.requestDevice;
    GPUAdapter.prototype.requestDevice = async function (descriptor) {
      const device = await original.call(this, descriptor);
      new BroadcastChannel("lose-device").onmessage = () => device.destroy();
      return device;
    };
  });
  await open(page, server, "?backend=gpu");
  const before = await settledBackend(page, 300_000);
  expect(before.chosen, before.reason).toBe("gpu");
  await page.evaluate(() => new BroadcastChannel("lose-device").postMessage("now"));
  await page.waitForTimeout(500);
  const found = await searchFor(page, query, 120_000);
  expect(found.backend).toBe("cpu");
  expect(found.documents.map((document) => document.id)).toEqual((await nativeSearch(query)).map((hit) => hit.id));
  const after = await settledBackend(page);
  expect(after.chosen).toBe("cpu");
  expect(after.reason).toMatch(/device was lost/);
  await expect(page.locator("almanac-search [part=backend]")).toContainText("device was lost");
});

test.describe("with a broken shader", () => {
  test("the GPU is refused before it answers anything, and the CPU answers", async ({ page, server }) => {
    test.setTimeout(600_000);
    server.fault = workerPrelude(() => {
      const original = GPUDevice.prototype.createShaderModule;
      let made = 0;
      GPUDevice.prototype.createShaderModule = function (descriptor) {
        made += 1;
        const code = made === 3 ? `${descriptor.code}\nthis is no shader` : descriptor.code;
        return original.call(this, { ...descriptor, code });
      };
    });
    await open(page, server, "?backend=gpu");
    const choice = await settledBackend(page, 400_000);
    expect(choice.chosen).toBe("cpu");
    expect(choice.reason).toMatch(/self-test|reported an error/);
    const found = await searchFor(page, query);
    expect(found.backend).toBe("cpu");
    expect(found.documents.map((document) => document.id)).toEqual((await nativeSearch(query)).map((hit) => hit.id));
  });
  // The browser and the GPU runtime each describe the broken shader.
  test.use({ allowedConsole: [/shader|Shader|WGSL|pipeline|validation|wgpu/i] });
});

test.describe("when the GPU module is missing on the host", () => {
  test.use({ allowedConsole: [FAILED_FILE] });
  test("the CPU answers and the reason is told", async ({ page, server }) => {
    server.fault = (path, served) => (path.includes("almanac_gpu") ? { ...served, status: 404 } : served);
    await open(page, server, "?backend=gpu");
    const choice = await settledBackend(page);
    expect(choice.chosen).toBe("cpu");
    expect(choice.reason).toMatch(/could not be used/);
    expect((await searchFor(page, query)).backend).toBe("cpu");
  });
});

test.describe("when the adapter gives no device", () => {
  test.use({ allowedConsole: [/device|adapter|wgpu|panicked/i] });
  test("the CPU answers and the reason is told", async ({ page, server }) => {
    server.fault = workerPrelude(() => {
      GPUAdapter.prototype.requestDevice = async () => Promise.reject(new Error("no device today"));
    });
    await open(page, server, "?backend=gpu");
    const choice = await settledBackend(page);
    expect(choice.chosen).toBe("cpu");
    expect(choice.reason).toMatch(/could not be used/);
    expect((await searchFor(page, query)).backend).toBe("cpu");
  });
});
