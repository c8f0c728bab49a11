import type { Page } from "@playwright/test";
import type { Found } from "../src/protocol";
import { expect, FAILED_FILE, open, searchFor, settledBackend, test, TINY_PATH, workerPrelude } from "./support/fixtures";
import { misplaced, nativeSearch } from "./support/native";
import { tiny } from "./support/paths";

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

/** Finds the ranking of the site whose model a software GPU computes in moments to be the native one. */
async function expectTinyRanking(found: Found, text: string): Promise<void> {
  const native = await nativeSearch(text, { site: tiny, k: 30 });
  expect(misplaced(found.documents.map(({ id }) => id), native), text).toEqual([]);
}

test("a GPU slower than the CPU is found to be so, and not fetched again on the next visit", async ({ page, server }) => {
  test.setTimeout(300_000);
  // The software adapter plays a slow real one.
  server.fault = workerPrelude(() => Object.defineProperty(GPUAdapterInfo.prototype, "isFallbackAdapter", { get: () => false }));
  await open(page, server, "", TINY_PATH);
  const choice = await settledBackend(page, 200_000);
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

/** Has the worker's GPU devices destroyed on demand, and the first `atStart` of them as soon as they are there. */
function losingDevices(atStart: number): void {
  const original = GPUAdapter.prototype.requestDevice;
  const orders = new BroadcastChannel("lose-device");
  let made = 0;
  GPUAdapter.prototype.requestDevice = async function (descriptor) {
    const device = await original.call(this, descriptor);
    made += 1;
    if (made <= atStart) device.destroy();
    orders.addEventListener("message", (event) => {
      if (event.data === "now") return device.destroy();
      // In the middle of a query: once its work has been handed over.
      const submit = device.queue.submit;
      device.queue.submit = function (buffers) {
        submit.call(this, buffers);
        device.destroy();
      };
    });
    return device;
  };
}

test.describe("a device that is lost", () => {
  // The GPU's runtime may have its own word on a device that is gone.
  test.use({ allowedConsole: [/device|lost|destroyed|wgpu|panicked/i] });

  const lose = (page: Page, when: "now" | "during"): Promise<void> => page.evaluate((order) => new BroadcastChannel("lose-device").postMessage(order), when);

  test("between queries and during one is replaced twice; then the CPU answers, and every answer is right", async ({ page, server }) => {
    test.setTimeout(300_000);
    server.fault = workerPrelude(losingDevices, 0);
    await open(page, server, "?backend=gpu", TINY_PATH);
    const first = await settledBackend(page, 120_000);
    expect(first, first.reason).toMatchObject({ chosen: "gpu", adapter: { fallback: true } });
    const backends: string[] = [];
    for (const [text, when] of [["boats on a stormy sea", "now"], ["old silver", "during"], ["portrait of a woman", "now"]] as const) {
      await lose(page, when);
      await page.waitForTimeout(200);
      const found = await searchFor(page, text, 120_000);
      await expectTinyRanking(found, text);
      const after = await settledBackend(page, 120_000);
      backends.push(after.chosen);
      expect(after.reason).toMatch(/device was lost/);
    }
    expect(backends).toEqual(["gpu", "gpu", "cpu"]);
    await expect(page.locator("almanac-search [part=backend]")).toContainText("device was lost");
    expect((await searchFor(page, query)).backend).toBe("cpu");
  });

  for (const [losses, chosen] of [[1, "gpu"], [9, "cpu"]] as const) {
    test(`${losses === 1 ? "once" : "each time"} at the start leaves a search on the ${chosen.toUpperCase()}`, async ({ page, server }) => {
      test.setTimeout(300_000);
      server.fault = workerPrelude(losingDevices, losses);
      await open(page, server, "?backend=gpu", TINY_PATH);
      const choice = await settledBackend(page, 200_000);
      expect(choice, choice.reason).toMatchObject({ chosen, adapter: { fallback: true }, settled: false });
      if (chosen === "cpu") expect(choice.reason).toMatch(/device was lost/);
      await expectTinyRanking(await searchFor(page, query, 60_000), query);
    });
  }
});

test.describe("with a broken shader", () => {
  // The browser and the GPU runtime each describe the broken shader.
  test.use({ allowedConsole: [/shader|Shader|WGSL|pipeline|validation|wgpu|fetching the script|Failed to load resource/i] });

  test("whichever it is, nothing it computes is ever shown: the CPU answers, and the reason is told", async ({ page, context, server }) => {
    test.setTimeout(900_000);
    // Longer than the sentence of the self-test, so that some shaders are first made for it.
    const long = "two small fishing boats on a stormy sea, lightning over the lighthouse, and a crowd of people waiting on the beach";
    const native = await nativeSearch(long, { site: tiny, k: 30 });
    /** Each load breaks the next shader, counted from 1 in the order they are made. */
    let next = 1;
    server.fault = (path, served) => {
      // It would fetch the worker's script too, and so use up a number.
      if (path.endsWith("/sw.js")) return { ...served, status: 404 };
      const broken = workerPrelude((nth: number) => {
        const original = GPUDevice.prototype.createShaderModule;
        const shader = { nth, made: 0 };
        Object.assign(globalThis, { shader });
        GPUDevice.prototype.createShaderModule = function (descriptor) {
          shader.made += 1;
          const code = shader.made === nth ? `${descriptor.code}\nthis is no shader` : descriptor.code;
          return original.call(this, { ...descriptor, code });
        };
      }, next)(path, { ...served, headers: { "Cache-Control": "no-store" } });
      if (broken.body.length !== served.body.length) next += 1;
      return broken;
    };
    const refused: { nth: number; at: "the start" | "a query" }[] = [];
    /** Loads until the shader that was to be broken is not made any more. */
    const lane = async (one: Page): Promise<void> => {
      for (;;) {
        await open(one, server, "?backend=gpu", TINY_PATH);
        const choice = await settledBackend(one, 200_000);
        expect(choice.adapter, "the browser must offer an adapter, or this test proves nothing").not.toBeNull();
        const found = await searchFor(one, long, 200_000);
        const after = await settledBackend(one);
        const { nth, made } = (await one.workers()[0]?.evaluate(() => (globalThis as unknown as { shader: { nth: number; made: number } }).shader)) ?? { nth: 0, made: 0 };
        expect(misplaced(found.documents.map(({ id }) => id), native), `with shader ${nth} broken`).toEqual([]);
        if (made < nth) {
          expect(after, after.reason).toMatchObject({ chosen: "gpu" });
          return;
        }
        expect(after, `with shader ${nth} broken`).toMatchObject({ chosen: "cpu" });
        expect(after.reason).toMatch(/self-test|reported an error/);
        refused.push({ nth, at: choice.chosen === "cpu" ? "the start" : "a query" });
      }
    };
    await Promise.all([lane(page), lane(await context.newPage())]);
    const shaders = refused.map(({ nth }) => nth).sort((one, other) => one - other);
    expect(shaders.length).toBeGreaterThan(30);
    expect(shaders).toEqual(shaders.map((_, at) => at + 1));
    expect(new Set(refused.map(({ at }) => at))).toEqual(new Set(["the start", "a query"]));
  });
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
