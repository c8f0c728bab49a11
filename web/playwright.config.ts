import { defineConfig } from "@playwright/test";
import { chromiumArguments, chromiumPath } from "./e2e/support/chromium";

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/support/setup.ts",
  outputDir: "test-results/playwright",
  // One page at a time: the software GPU and the timings need the processors to themselves.
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    headless: true,
    launchOptions: { executablePath: chromiumPath(), args: chromiumArguments },
    trace: "off",
    screenshot: "only-on-failure",
  },
});
