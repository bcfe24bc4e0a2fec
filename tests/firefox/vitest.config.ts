import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the page. */
    page: string;
    /** Path of the browser. */
    firefox: string;
  }
}

/** Tests of the built page in Firefox; `scripts/firefox.mjs` serves it and finds the browser. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  cacheDir: ".cache/vitest",
  test: {
    include: ["tests/firefox/**/*.spec.ts"],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    provide: { page: process.env.QOSCOPE_PAGE ?? "", firefox: process.env.FIREFOX ?? "" },
  },
});
