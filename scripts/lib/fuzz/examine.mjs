import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../process.mjs";
import { fuzzer } from "../rust.mjs";
import { openComparison } from "./wasm.mjs";

/**
 * Something that does not hold.
 *
 * @typedef {{ rule: string, found: string }} Failure
 *
 * What must come of a document: its diagnostics, or the summary at an instant.
 *
 * @typedef {{ text: string, diagnostics: string, run: [number, string] | null }} Expected
 *
 * What the native program says of a case; the case itself where it failed.
 *
 * @typedef {{ number: number, case: unknown, ran: boolean, events: number, failures: Failure[], expected: Expected | null }} Report
 */

/** Where what failed is kept. */
export const folder = join(root, ".cache", "fuzz");

/** Longest time that a case may take; those that are merely slow say so themselves before. */
export const patienceMs = 60_000;

/** Why a program ended that should not have. */
export const ended = (/** @type {NodeJS.Signals | number | null} */ code, /** @type {string} */ output) => ({
  rule: "process ended",
  found: `${code}: ${output.trim().slice(-300)}`,
});

/** Failures of one cause: the rule, and for panics the place. */
export const cause = (/** @type {Failure} */ { rule, found }) =>
  rule === "panic" ? `panic at ${found.replace(/:\d+: .*/s, "")}` : rule;

/**
 * Runs the native program on the case of a file.
 *
 * @param {string} file
 * @returns {Promise<Pick<Report, "failures" | "expected">>}
 */
function checkFile(file) {
  return new Promise((done) => {
    const child = spawn(fuzzer, ["check", file], { stdio: ["ignore", "pipe", "pipe"] });
    let [output, errors, late] = ["", "", false];
    const timer = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, patienceMs);
    child.stdout.on("data", (data) => (output += data));
    child.stderr.on("data", (data) => (errors += data));
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (output.endsWith("\n")) return done(JSON.parse(output));
      const failure = late
        ? { rule: "no answer", found: `in ${patienceMs / 1000} s` }
        : ended(code ?? signal, errors);
      return done({ failures: [failure], expected: null });
    });
  });
}

let examiners = 0;

/** Opens what examines single cases, native and by way of WASM. */
export function openExaminer() {
  const comparison = openComparison();
  examiners += 1;
  const file = join(folder, `.${process.pid}-${examiners}.json`);
  mkdirSync(folder, { recursive: true });

  /**
   * All that does not hold of a case.
   *
   * @param {string} text
   * @returns {Promise<Failure[]>}
   */
  async function examine(text) {
    writeFileSync(file, text);
    const { failures, expected } = await checkFile(file);
    return expected ? [...failures, ...(await comparison.compare(expected))] : failures;
  }

  async function close() {
    rmSync(file, { force: true });
    await comparison.close();
  }

  return { examine, close };
}
