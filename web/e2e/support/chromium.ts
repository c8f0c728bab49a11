/** Chromium's path: `ALMANAC_CHROMIUM`, else where Linux distributions put it. */
export function chromiumPath(): string {
  return process.env.ALMANAC_CHROMIUM || "/usr/bin/chromium";
}

/** Flags that give a WebGPU adapter without a GPU, and keep the browser from talking to anyone. */
export const chromiumArguments: string[] = [
  "--no-sandbox",
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];
