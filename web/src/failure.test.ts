import { afterEach, describe, expect, it, vi } from "vitest";
import { reportOf } from "./failure";

afterEach(() => vi.unstubAllGlobals());

describe("a program that does not start", () => {
  it("where vector instructions are missing names the browsers that have them", () => {
    vi.stubGlobal("WebAssembly", { ...namespace(), validate: () => false });
    expect(reportOf(new WebAssembly.CompileError("Wasm SIMD unsupported"))).toMatchObject({
      code: "unsupported",
      message: expect.stringMatching(/too old.*vector instructions.*Safari from 16\.4/),
    });
  });

  it("where they are there is told to be forbidden", () => {
    expect(reportOf(new WebAssembly.CompileError("blocked"))).toMatchObject({ code: "unsupported", message: expect.stringContaining("not allowed here") });
  });

  it("in a browser without WebAssembly says so", () => {
    vi.stubGlobal("WebAssembly", undefined);
    expect(reportOf(new ReferenceError("WebAssembly is not defined"))).toMatchObject({ code: "unsupported", message: expect.stringContaining("no WebAssembly") });
  });

  it.each(["WebAssembly.Memory(): could not allocate memory", "Array buffer allocation failed"])("for want of memory (%s) is told as that", (message) => {
    expect(reportOf(new RangeError(message))).toMatchObject({ code: "out_of_memory", fatal: true });
  });
});

/** What the page uses of WebAssembly, whose own properties cannot be copied by spreading. */
function namespace(): Pick<typeof WebAssembly, "CompileError" | "RuntimeError"> {
  const { CompileError, RuntimeError } = WebAssembly;
  return { CompileError, RuntimeError };
}
