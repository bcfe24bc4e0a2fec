import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./process.mjs";

/** Folders of `scenarios/` that have other documents. */
const OTHER_FOLDERS = ["figures", "lessons", "results", "studies"];

/**
 * The files of the committed scenarios, by name, in the order of the names.
 *
 * @returns {Map<string, string>}
 */
export function scenarioFiles() {
  const entries = readdirSync(join(root, "scenarios"), { recursive: true, withFileTypes: true });
  const files = entries.filter(({ name, parentPath }) => {
    const [folder = ""] = parentPath.slice(join(root, "scenarios").length + 1).split(/[\\/]/);
    return name.endsWith(".json") && !OTHER_FOLDERS.includes(folder);
  });
  return new Map(
    files
      .map(({ name, parentPath }) => /** @type {const} */ ([name.slice(0, -5), join(parentPath, name)]))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** The texts of the committed scenarios, by name. */
const texts = () => new Map([...scenarioFiles()].map(([name, file]) => [name, readFileSync(file, "utf8")]));

/**
 * The documents of scenarios by name, as JSON.
 *
 * @param {ReadonlyMap<string, string>} documents
 */
const joined = (documents) =>
  `{${[...documents].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;

/** The documents of all committed scenarios, as JSON by name: what a scenario can name as its base. */
export const committedBases = () => joined(texts());

/**
 * The committed scenarios with their bases expanded, by name.
 *
 * @param {Pick<import("./wasm.mjs").Wasm, "expanded">} wasm
 * @returns {[string, object][]}
 */
export function scenarioDocuments(wasm) {
  const all = texts();
  const bases = joined(all);
  return [...all].map(([name, text]) => [name, JSON.parse(wasm.expanded(text, bases))]);
}
