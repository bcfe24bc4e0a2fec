import { spawn } from "node:child_process";
import { UserError } from "../process.mjs";
import { nativeProgram } from "../rust.mjs";
import { children, peakMemoryMB } from "./linux.mjs";

/** @typedef {import("./targets.mjs").Sample} Sample */

/** The shell says on the last line of stderr how much CPU time the program took, to the millisecond. */
const timed = 'TIMEFORMAT="%3U %3S"; time "$0" "$@"';

/** How often the program is asked for its peak memory. The mark only grows, so the last answer is close. */
const pollMs = 2;

/**
 * One run of the command line.
 *
 * @param {string} file
 * @returns {Promise<Sample>}
 */
function once(file) {
  return new Promise((resolve, reject) => {
    const shell = spawn("bash", ["-c", timed, nativeProgram, "run", file, "--format", "json"]);
    let stdout = "";
    let stderr = "";
    /** @type {number | null} */
    let memory = null;
    const poll = setInterval(() => {
      for (const pid of children(shell.pid ?? 0)) memory = Math.max(memory ?? 0, peakMemoryMB(pid) ?? 0);
    }, pollMs);
    shell.stdout.on("data", (data) => {
      stdout += data;
    });
    shell.stderr.on("data", (data) => {
      stderr += data;
    });
    shell.on("error", () => reject(new UserError("The native bench needs bash, which tells the CPU time.")));
    shell.on("close", (code) => {
      clearInterval(poll);
      if (code !== 0) return reject(new UserError(`qoscope run ${file} failed:\n${stderr}`));
      const { packetHops, requests, wallSeconds } = JSON.parse(stdout).engine;
      const times = stderr.trim().split("\n").at(-1)?.split(" ").map(Number) ?? [];
      const process = times.reduce((sum, seconds) => sum + seconds, 0);
      const cpuSeconds = Math.min(process, wallSeconds);
      resolve({ packetHops, requests, wallSeconds, cpuSeconds, peakMemoryMB: memory });
    });
  });
}

/**
 * Repeated runs, each in a process of its own.
 *
 * @param {string} file
 * @param {number} repeat
 * @returns {Promise<Sample[]>}
 */
export async function native(file, repeat) {
  const samples = [];
  for (let i = 0; i < repeat; i += 1) samples.push(await once(file));
  return samples;
}
