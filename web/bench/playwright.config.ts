import { defineConfig } from "@playwright/test";
import { chromiumArguments, chromiumPath } from "../e2e/support/chromium";

export default defineConfig({
  testDir: ".",
  testMatch: "*.bench.ts",
  globalSetup: "../e2e/support/setup.ts",
  outputDir: "../test-results/bench",
  workers: 1,
  timeout: 1_800_000,
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    headless: true,
    launchOptions: { executablePath: chromiumPath(), args: chromiumArguments },
  },
});
