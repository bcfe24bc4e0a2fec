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
 * @property {() => string} digest
 * @property {() => string} summary
 *
 * @typedef {object} Wasm
 * @property {new (scenarioJson: string) => Engine} Engine
 * @property {() => string} schema
 * @property {(json: string) => string} validate
 * @property {(json: string) => string} dtm
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
