/** What Linux tells about a process. Elsewhere there is no answer, and the bench does without. */
import { readFileSync } from "node:fs";

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/**
 * The most memory that a process has held so far: the high-water mark of its resident set.
 *
 * @param {number} pid
 * @returns {number | null}
 */
export function peakMemoryMB(pid) {
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}

/**
 * The CPU time that the main thread of a process had taken when it last gave the processor up, to the nanosecond.
 *
 * @param {number} pid
 * @returns {number | null}
 */
export function mainThreadSeconds(pid) {
  const nanoseconds = /^\d+/.exec(read(`/proc/${pid}/task/${pid}/schedstat`))?.[0];
  return nanoseconds === undefined ? null : Number(nanoseconds) / 1e9;
}

/**
 * The processes that a process has started.
 *
 * @param {number} pid
 * @returns {number[]}
 */
export const children = (pid) =>
  read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
