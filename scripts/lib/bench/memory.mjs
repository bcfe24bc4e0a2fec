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
 * The most memory that a process has held so far (Linux: the high-water mark of its resident set).
 *
 * @param {number | "self"} pid
 * @returns {number | null} null where the system does not tell
 */
export function peakMemoryMB(pid) {
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}

/**
 * The processes that a process has started (Linux).
 *
 * @param {number} pid
 * @returns {number[]}
 */
export const children = (pid) =>
  read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
