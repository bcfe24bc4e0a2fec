/**
 * The bench in Node. As a module it starts itself as a program, so that the memory is that of one case alone; as a
 * program (`node.mjs FILE REPEAT`) it runs the scenario by the WASM build and prints the samples as JSON.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { run, UserError } from "../process.mjs";
import { loadWasm, runToEnd } from "../wasm.mjs";
import { peakMemoryMB } from "./linux.mjs";

/** @typedef {import("./targets.mjs").Sample} Sample */

const self = fileURLToPath(import.meta.url);

/**
 * Repeated runs in one Node; the first ones also warm up its compiler.
 *
 * @param {string} file
 * @param {number} repeat
 * @returns {Promise<Sample[]>}
 */
export async function node(file, repeat) {
  const { code, output } = await run(process.execPath, [self, file, String(repeat)], { output: "capture" });
  if (code !== 0) throw new UserError(`The run of ${file} in Node failed:\n${output}`);
  return JSON.parse(output);
}

/** @param {string[]} parameters */
async function main([file = "", repeat = "1"]) {
  const wasm = await loadWasm();
  const json = readFileSync(file, "utf8");
  const samples = Array.from({ length: Number(repeat) }, () => {
    const before = process.cpuUsage();
    const { packetHops, requests, wallSeconds } = runToEnd(wasm, json).engine;
    const { user, system } = process.cpuUsage(before);
    const cpuSeconds = Math.min((user + system) / 1e6, wallSeconds);
    return { packetHops, requests, wallSeconds, cpuSeconds, peakMemoryMB: peakMemoryMB(process.pid) };
  });
  console.log(JSON.stringify(samples));
}

if (process.argv[1] === self) await main(process.argv.slice(2));
