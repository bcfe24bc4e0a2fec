import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./process.mjs";

/** Where the modules and their glue are written, relative to the project. */
export const wasmFolder = "web/src/generated/wasm";

/** The modules: that of runs, and that of figures and lessons, which the page fetches when it first shows one. */
export const wasmModules = /** @type {const} */ (["qoscope_wasm", "qoscope_tools_wasm"]);

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
 * @property {() => string} summaryWithTails
 * @property {() => void} free
 *
 * @typedef {object} Wasm
 * @property {new (scenarioJson: string) => Engine} Engine
 * @property {() => string} version
 * @property {() => string} schema
 * @property {() => string} catalogue
 * @property {(json: string) => string} validate
 * @property {(json: string, basesJson: string) => string} expanded
 * @property {(json: string) => string} dtm
 * @property {(json: string) => string} explain
 *
 * @typedef {object} Campaign
 * @property {(max: number) => string} next
 * @property {(id: number) => string | undefined} scenario
 * @property {(id: number, summaryJson: string) => void} put
 * @property {() => string | undefined} answer
 * @property {() => void} free
 *
 * @typedef {object} Campaigns
 * @property {(figureJson: string, scenariosJson: string) => Campaign} figure
 * @property {(baseJson: string, jobsJson: string, logsJson: string, choicesJson: string) => Campaign} fit
 *
 * @typedef {object} ToolsWasm
 * @property {Campaigns} Campaign
 * @property {() => string} fitChoices
 */

/**
 * Loads a module into this Node.
 *
 * @param {(typeof wasmModules)[number]} name
 */
async function load(name) {
  const folder = join(root, wasmFolder);
  const glue = await import(pathToFileURL(join(folder, `${name}.js`)).href);
  glue.initSync({ module: readFileSync(join(folder, `${name}_bg.wasm`)) });
  return glue;
}

/**
 * The module of runs.
 *
 * @returns {Promise<Wasm>}
 */
export const loadWasm = () => load("qoscope_wasm");

/**
 * The module of figures and lessons.
 *
 * @returns {Promise<ToolsWasm>}
 */
export const loadToolsWasm = () => load("qoscope_tools_wasm");

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
