/**
 * `npm run -s sim:wasm -- ...`: the command line by way of the WASM build, in Node. It takes the commands of the native
 * one that need no files but the scenario, and prints the same JSON.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { prepareWasm } from "./lib/prepare.mjs";
import { script, UserError } from "./lib/process.mjs";
import { committedBases } from "./lib/scenarios.mjs";
import { readAssignment, setPath } from "./lib/set-path.mjs";
import { loadWasm, runToEnd } from "./lib/wasm.mjs";

const usage = `Usage:
  npm run -s sim:wasm -- run FILE [--set path=value]... [--seed N] [--duration-us N] [--format table|json]
  npm run -s sim:wasm -- validate FILE
  npm run -s sim:wasm -- dtm FILE
  npm run -s sim:wasm -- explain FILE
  npm run -s sim:wasm -- schema
  npm run -s sim:wasm -- catalogue`;

/** Exit code for input that is not right. */
const badInput = 2;

/** @typedef {{ path: string, reason: string, hint: string }} Diagnostic */

/** @param {readonly Diagnostic[]} diagnostics as the engine gives them */
function printDiagnostics(diagnostics) {
  for (const { path, reason, hint } of diagnostics) {
    console.error(`${path}: ${reason}. ${hint}`);
  }
  return badInput;
}

/**
 * The scenario of a file, with what the command line changes in it.
 *
 * @param {import("./lib/wasm.mjs").Wasm} wasm
 * @param {string} file `-` is standard input
 * @param {{ set?: string[] | undefined, seed?: string | undefined, "duration-us"?: string | undefined }} options
 */
function readScenario(wasm, file, { set = [], seed, "duration-us": durationUs }) {
  const source = file === "-" ? process.stdin.fd : resolve(process.env.INIT_CWD ?? ".", file);
  const text = readFileSync(source, "utf8");
  const document = JSON.parse("base" in JSON.parse(text) ? wasm.expanded(text, committedBases()) : text);
  for (const text of set) {
    const assignment = readAssignment(text);
    if (!assignment) throw new SyntaxError(`--set takes path=value, not "${text}"`);
    setPath(document, assignment.path, assignment.value);
  }
  if (seed !== undefined) document.seed = Number(seed);
  if (durationUs !== undefined) document.durationUs = Number(durationUs);
  return JSON.stringify(document);
}

/** @param {any} summary the summary object of a run */
function printTable({ scenario, simulatedUs, engine, classes, network }) {
  const perSecond = (engine.packetHops / engine.wallSeconds / 1e6).toFixed(1);
  console.log(
    `${scenario.name}: ${simulatedUs} us in ${engine.wallSeconds.toFixed(3)} s, ${perSecond} M packet-hops/s`,
  );
  console.table(
    Object.fromEntries(
      classes.map((/** @type {any} */ one) => [
        one.name,
        {
          "carried Gb/s": one.carriedGbps,
          "target Gb/s": one.targetGbps,
          Q: one.qualityFactor?.mean,
          "p50 us": one.latencyUs?.p50,
          "p99 us": one.latencyUs?.p99,
        },
      ]),
    ),
  );
  console.table(network);
}

/** @param {string[]} parameters */
async function main(parameters) {
  const { values, positionals } = parseArgs({
    args: parameters,
    allowPositionals: true,
    options: {
      set: { type: "string", multiple: true },
      seed: { type: "string" },
      "duration-us": { type: "string" },
      format: { type: "string", default: "table" },
    },
  });
  const [command, file] = positionals;
  await prepareWasm();
  const wasm = await loadWasm();
  if (command === "schema" || command === "catalogue") {
    console.log(wasm[command]());
    return 0;
  }
  if (file === undefined || !["run", "validate", "dtm", "explain"].includes(command ?? "")) {
    console.error(usage);
    return badInput;
  }
  const json = readScenario(wasm, file, values);
  const diagnostics = JSON.parse(wasm.validate(json));
  if (diagnostics.length > 0) return printDiagnostics(diagnostics);
  if (command === "run") {
    const summary = runToEnd(wasm, json);
    if (values.format === "json") console.log(JSON.stringify(summary, null, 2));
    else printTable(summary);
  } else if (command === "dtm") {
    console.log(wasm.dtm(json));
  } else if (command === "explain") {
    console.log(wasm.explain(json));
  }
  return 0;
}

await script(async () => {
  try {
    return await main(process.argv.slice(2));
  } catch (error) {
    // A file that cannot be read, text that is no JSON, an option that does not exist.
    if (!(error instanceof Error) || error instanceof UserError) throw error;
    console.error(`${error.message}\n${usage}`);
    return badInput;
  }
});
