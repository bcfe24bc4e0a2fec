import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The folder of the project. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** A failure that a person can act on: scripts print its sentence, not a stack. */
export class UserError extends Error {}

/**
 * Tells the person what is going on. On stderr, so that the output of a command stays clean.
 *
 * @param {string} sentence
 */
export function log(sentence) {
  process.stderr.write(`qoscope: ${sentence}\n`);
}

/**
 * @typedef {object} Options
 * @property {string} [cwd] where to run, the project by default
 * @property {Record<string, string>} [env] added to the environment
 * @property {"show" | "progress" | "tee" | "capture"} [output] `show` passes input and output through, `progress`
 *   passes the output to stderr, `tee` passes it through and keeps it too, `capture` only keeps it
 */

/**
 * Runs a program to its end.
 *
 * @param {string} program
 * @param {readonly string[]} parameters
 * @param {Options} [options]
 * @returns {Promise<{ code: number, output: string }>} exit code (127: could not be started), and what was kept
 */
export function run(program, parameters, { cwd = root, env = {}, output = "show" } = {}) {
  const keep = output === "tee" || output === "capture";
  const stdout = keep ? "pipe" : output === "progress" ? 2 : "inherit";
  return new Promise((done) => {
    const child = spawn(program, parameters, {
      cwd,
      env: { ...process.env, ...env },
      stdio: [output === "show" ? "inherit" : "ignore", stdout, keep ? "pipe" : "inherit"],
    });
    let text = "";
    child.stdout?.on("data", (data) => {
      text += data;
      if (output === "tee") process.stdout.write(data);
    });
    child.stderr?.on("data", (data) => {
      text += data;
      if (output === "tee") process.stderr.write(data);
    });
    child.on("error", () => done({ code: 127, output: text }));
    child.on("close", (code) => done({ code: code ?? 1, output: text }));
  });
}

/**
 * Runs a program of the set-up; its output goes to stderr.
 *
 * @param {string} program
 * @param {readonly string[]} parameters
 * @param {string} complaint sentence for the case that it fails
 * @param {Options} [options]
 */
export async function runOrFail(program, parameters, complaint, options = {}) {
  const { code } = await run(program, parameters, { output: "progress", ...options });
  if (code !== 0) throw new UserError(complaint);
}

/**
 * Something that is made once in the life of a script, by whoever asks for it first; the others wait for the same.
 *
 * @param {() => Promise<void>} make
 * @returns {() => Promise<void>}
 */
export function once(make) {
  /** @type {Promise<void> | undefined} */
  let made;
  return () => (made ??= make());
}

/**
 * What a quick program prints, or nothing if it fails.
 *
 * @param {string} program
 * @param {readonly string[]} parameters
 */
export function capture(program, parameters) {
  const { status, stdout } = spawnSync(program, parameters, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  return status === 0 ? stdout.trim() : "";
}

/** Where the command-line programs of the npm packages start. Each is run by this Node, so no shell is involved. */
export const tools = {
  biome: "node_modules/@biomejs/biome/bin/biome",
  knip: "node_modules/knip/bin/knip.js",
  playwright: "node_modules/@playwright/test/cli.js",
  tsc: "node_modules/typescript/bin/tsc",
  vite: "node_modules/vite/bin/vite.js",
  vitest: "node_modules/vitest/vitest.mjs",
};

/**
 * Runs the body of a script, and turns a complaint into a sentence and exit code 1.
 *
 * @param {() => Promise<number | undefined>} body answers the exit code, nothing means 0
 */
export async function script(body) {
  try {
    process.exitCode = (await body()) ?? 0;
  } catch (error) {
    if (!(error instanceof UserError || isOfOptions(error))) throw error;
    log(error.message);
    process.exitCode = 1;
  }
}

/**
 * Whether `parseArgs` refused what stands on the command line.
 *
 * @param {unknown} error
 * @returns {error is Error}
 */
const isOfOptions = (error) =>
  error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS_");
