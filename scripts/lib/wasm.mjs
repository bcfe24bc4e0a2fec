import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./process.mjs";

/** Where the module and its glue are written, relative to the project. */
export const wasmFolder = "web/src/generated/wasm";

/**
 * The part of the module's interface that scripts use; the glue declares the whole.
 *
 * @typedef {object} Engine
 * @property {(untilPs: number, maxEvents: number) => number} advance
 * @property {() => number} nowPs
 * @property {() => number} durationPs
 * @property {() => number} packetHops
 * @property {() => number} requestsDone
 * @property {() => string} digest
 * @property {() => string} summary
 * @property {() => void} free
 *
 * @typedef {object} Wasm
 * @property {new (scenarioJson: string) => Engine} Engine
 * @property {() => string} schema
 * @property {() => string} lessonSchema
 * @property {() => string} catalogue
 * @property {(json: string) => string} validate
 * @property {(json: string) => string} dtm
 * @property {(json: string) => string} explain
 */

/**
 * Loads the module into this Node.
 *
 * @returns {Promise<Wasm>}
 */
export async function loadWasm() {
  const folder = join(root, wasmFolder);
  const glue = await import(pathToFileURL(join(folder, "qoscope_wasm.js")).href);
  glue.initSync({ module: readFileSync(join(folder, "qoscope_wasm_bg.wasm")) });
  return glue;
}

/** More events than any run has: one call simulates up to the instant it is given. */
const unlimited = Number.MAX_SAFE_INTEGER;

/**
 * Runs a scenario from beginning to end.
 *
 * @param {Wasm} wasm
 * @param {string} scenarioJson
 * @returns {any} the summary object of the run, with the time that the run took
 */
export function runToEnd(wasm, scenarioJson) {
  const engine = new wasm.Engine(scenarioJson);
  const start = performance.now();
  engine.advance(engine.durationPs(), unlimited);
  const wallSeconds = (performance.now() - start) / 1000;
  const summary = JSON.parse(engine.summary());
  engine.free();
  return { ...summary, engine: { ...summary.engine, wallSeconds } };
}
