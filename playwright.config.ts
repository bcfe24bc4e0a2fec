import { availableParallelism } from "node:os";
import { defineConfig, devices } from "@playwright/test";
import { chromiumPath, chromiumSwitches } from "./scripts/lib/chromium.mjs";

/** End-to-end tests look at the built page, as a visitor gets it. `scripts/test.mjs` builds it first. */
const port = Number(process.env.QOSCOPE_E2E_PORT ?? 4179);

export default defineConfig({
  testDir: "tests",
  testMatch: ["e2e/**/*.spec.ts", "determinism/**/*.spec.ts"],
  // What takes long and overlaps with other tests is left to `npm test -- --full`.
  ...(process.env.FULL ? {} : { grepInvert: /@full/ }),
  outputDir: "test-results",
  // One picture for every system: what differs between them is less than a comparison lets pass.
  snapshotPathTemplate: "{testDir}/e2e/appearance/{arg}{ext}",
  fullyParallel: false,
  // A browser for each core: what is waited for is a state, never a speed.
  workers: availableParallelism(),
  forbidOnly: Boolean(process.env.CI),
  // What a busy machine broke off is tried once more, and named (scripts/test.mjs).
  retries: process.env.CI ? 1 : 0,
  // A machine that is busy otherwise takes its time: what is waited for is a state, not a speed.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [["list"]],
  use: {
    baseURL: `http://localhost:${port}/`,
    // Tests see what the network brings, not what the page has kept; the one of offline use says otherwise.
    serviceWorkers: "block",
    // Recording takes as long as the tests: only what failed is recorded, when it is tried again.
    trace: "on-first-retry",
    launchOptions: {
      executablePath: chromiumPath() ?? "",
      args: chromiumSwitches,
    },
  },
  projects: [
    { name: "chromium", use: { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } } },
  ],
  webServer: {
    command: `npx vite preview --strictPort --port ${port}`,
    url: `http://localhost:${port}/`,
    reuseExistingServer: false,
    stdout: "ignore",
  },
});
