import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { log, root } from "./process.mjs";

/** Folders inside inputs that are made, not written. */
const made = new Set(["node_modules", "target", "generated"]);

/**
 * All files below a path, in a fixed order.
 *
 * @param {string} path absolute
 * @returns {string[]}
 */
function files(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => !made.has(name));
  return names.sort().flatMap((name) => files(join(path, name)));
}

/** @param {readonly string[]} inputs */
function fingerprint(inputs) {
  const hash = createHash("sha256").update(process.version);
  for (const file of inputs.flatMap((input) => files(join(root, input)))) {
    hash.update(file.slice(root.length)).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

/**
 * Makes something unless it is there and the files it is made from are as they were.
 *
 * @param {object} step
 * @param {string} step.name short name, of the stamp kept in `.cache/`
 * @param {string} step.saying what to tell the person when it has to be made
 * @param {readonly string[]} step.inputs files and folders it is made from, relative to the project
 * @param {readonly string[]} step.outputs what must exist afterwards, relative to the project
 * @param {() => Promise<void>} make
 */
export async function unlessFresh({ name, saying, inputs, outputs }, make) {
  const stamp = join(root, ".cache", `${name}.stamp`);
  const now = fingerprint(inputs);
  const complete = outputs.every((output) => existsSync(join(root, output)));
  if (complete && existsSync(stamp) && readFileSync(stamp, "utf8") === now) return;
  log(saying);
  rmSync(stamp, { force: true });
  await make();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, now);
}
