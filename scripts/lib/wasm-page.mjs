import { join } from "node:path";
import { root } from "./process.mjs";
import { wasmFolder } from "./wasm.mjs";

/** @typedef {import("@playwright/test").Page} Page */

/** No server is behind it: Playwright answers the requests from disk. */
const origin = "http://wasm.invalid";

/**
 * Loads the WASM module into an otherwise empty page.
 *
 * @param {Page} page
 */
export async function openWasmPage(page) {
  await page.route(`${origin}/**`, (route) => {
    const name = new URL(route.request().url()).pathname;
    if (name === "/")
      return route.fulfill({ contentType: "text/html", body: "<!doctype html><title>WASM</title>" });
    const contentType = name.endsWith(".wasm") ? "application/wasm" : "text/javascript";
    return route.fulfill({ contentType, path: join(root, wasmFolder, name) });
  });
  await page.goto(`${origin}/`);
  await page.evaluate(async () => {
    const glue = "/qoscope_wasm.js";
    const wasm = await import(glue);
    await wasm.default({ module_or_path: "/qoscope_wasm_bg.wasm" });
    Object.assign(globalThis, { wasm });
  });
}

/**
 * Runs a scenario from beginning to end in the page.
 *
 * @param {Page} page one that `openWasmPage` has prepared
 * @param {string} scenarioJson
 * @returns {Promise<{ digest: string, packetHops: number, requests: number, wallSeconds: number }>}
 */
export function runInPage(page, scenarioJson) {
  return page.evaluate((json) => {
    const { wasm } = /** @type {{ wasm: import("./wasm.mjs").Wasm }} */ (/** @type {unknown} */ (globalThis));
    const engine = new wasm.Engine(json);
    const start = performance.now();
    engine.advance(engine.durationPs(), Number.MAX_SAFE_INTEGER);
    const wallSeconds = (performance.now() - start) / 1000;
    const [packetHops, requests] = [engine.packetHops(), engine.requestsDone()];
    const outcome = { digest: engine.digest(), packetHops, requests, wallSeconds };
    engine.free();
    return outcome;
  }, scenarioJson);
}
