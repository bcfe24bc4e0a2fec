import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests of the page's modules run in Node; a file that needs a document says `@vitest-environment happy-dom`. */
export default defineConfig({
  cacheDir: ".cache/vitest",
  test: {
    include: ["web/src/**/*.test.{ts,tsx}", "tests/{layers,scripts,stories}/**/*.test.ts"],
    environment: "node",
    // Nothing else runs meanwhile: left to itself, it keeps one core free.
    maxWorkers: availableParallelism(),
    restoreMocks: true,
    testTimeout: 20_000,
  },
});
