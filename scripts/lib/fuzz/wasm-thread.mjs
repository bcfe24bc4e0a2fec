/**
 * A thread that compares the WASM build with what the native one has found. Each message is a document with the
 * diagnostics, or the summary at an instant, that must come of it; the answer is what differs.
 */
import { parentPort } from "node:worker_threads";
import { loadWasm } from "../wasm.mjs";

/** @typedef {import("./examine.mjs").Expected} Expected */

const wasm = await loadWasm();

/** @param {Expected} expected */
function differences({ text, diagnostics, run }) {
  const found = wasm.validate(text);
  if (found !== diagnostics)
    return [{ rule: "WASM: diagnostics differ", found: `${found} for ${diagnostics}` }];
  if (!run) return [];
  const [untilPs, summary] = run;
  const engine = new wasm.Engine(text);
  engine.advance(untilPs, Number.MAX_SAFE_INTEGER);
  const result = engine.summary();
  engine.free();
  if (result === summary) return [];
  const digest = (/** @type {string} */ json) => JSON.parse(json).digest;
  return [{ rule: "WASM: result differs", found: `${digest(result)} for ${digest(summary)}` }];
}

parentPort?.on("message", (/** @type {Expected} */ expected) => {
  try {
    parentPort?.postMessage({ failures: differences(expected) });
  } catch (error) {
    // A trap: the module is not to be used again.
    parentPort?.postMessage({ failures: [{ rule: "WASM: trap", found: String(error) }], broken: true });
  }
});
