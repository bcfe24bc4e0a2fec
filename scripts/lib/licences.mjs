/**
 * Licences of what others made and QoScope hands out: npm packages in the page, crates in its modules and in the native part of
 * the wheel. Nothing is listed by hand: cargo tells the crates, the source maps of the built page tell its packages, workers included.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { capture, root, UserError } from "./process.mjs";
import { modules, target, workspace } from "./rust.mjs";

/**
 * Something of somebody else.
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {string} version
 * @property {string} licence as its own manifest says, in SPDX terms
 * @property {string} home where it comes from
 * @property {readonly string[]} texts of its licences and notices
 */

/** Files that have terms. */
const TERMS = /^(un)?licen[cs]e|^copying|^copyright|^notice|^ofl/i;

/**
 * @param {string} folder
 * @returns {string[]}
 */
const termsIn = (folder) =>
  readdirSync(folder)
    .filter((name) => TERMS.test(name) && statSync(join(folder, name)).isFile())
    .map((name) => readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n").trimEnd());

/**
 * What cargo says of the workspace.
 *
 * @param {readonly string[]} parameters
 */
function askCargo(parameters) {
  const said = capture("cargo", [
    ...parameters,
    "--locked",
    "--manifest-path",
    join(workspace, "Cargo.toml"),
  ]);
  if (said === "")
    throw new UserError(`Which crates there are could not be had: cargo ${parameters[0]} failed.`);
  return said;
}

/** What the compiler builds for where nothing else is said. */
const host = () => /^host: (.*)$/m.exec(capture("rustc", ["-vV"]))?.[1] ?? "";

/**
 * The crates of others that are linked into crates of the workspace.
 *
 * @param {readonly string[]} names of those of the workspace
 * @param {string} [platform] that they are built for, this machine by default
 * @returns {Part[]}
 */
export function crates(names, platform = host()) {
  const form = ["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"];
  const tree = askCargo(["tree", ...names.flatMap((name) => ["-p", name]), "--target", platform, ...form]);
  const linked = new Set(
    [...tree.matchAll(/^(\S+) v(\S+)/gm)].map(([, name, version]) => `${name} ${version}`),
  );
  /** @type {{ packages: { name: string, version: string, license: string | null, repository: string | null, source: string | null, manifest_path: string }[] }} */
  const { packages } = JSON.parse(
    askCargo(["metadata", "--format-version", "1", "--filter-platform", platform]),
  );
  return packages
    .filter(({ name, version, source }) => source !== null && linked.has(`${name} ${version}`))
    .map(({ name, version, license, repository, manifest_path }) => ({
      name,
      version,
      licence: license ?? "",
      home: repository ?? `https://crates.io/crates/${name}`,
      texts: termsIn(dirname(manifest_path)),
    }));
}

/**
 * The standard library, which is in every program of Rust. The toolchain of rustup has its terms with it.
 *
 * @returns {Part}
 */
function standardLibrary() {
  const folder = join(capture("rustc", ["--print", "sysroot"]), "share", "doc", "rust", "licenses");
  const texts = ["MIT.txt", "Apache-2.0.txt"].map((name) => join(folder, name)).filter(existsSync);
  return {
    name: "Rust standard library",
    version: capture("rustc", ["--version"]).split(" ")[1] ?? "",
    licence: "MIT OR Apache-2.0",
    home: "https://github.com/rust-lang/rust",
    texts: texts.map((path) => readFileSync(path, "utf8").trimEnd()),
  };
}

/**
 * The npm packages of which something is in the built page.
 *
 * @param {string} page its folder, with the source maps
 * @returns {Part[]}
 */
export function npmPackages(page) {
  const maps = readdirSync(page, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".map"),
  );
  const folders = maps.flatMap((path) => {
    /** @type {{ sources: string[] }} */
    const { sources } = JSON.parse(readFileSync(join(page, path), "utf8"));
    return sources.flatMap((source) => {
      const [inside] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(source) ?? [];
      return inside ? [resolve(page, dirname(path), inside)] : [];
    });
  });
  return [...new Set(folders)].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const home = `https://www.npmjs.com/package/${name}`;
    return { name, version, licence: license ?? "", home, texts: termsIn(folder) };
  });
}

/**
 * The font of the page, with its terms beside it.
 *
 * @returns {Part}
 */
function font() {
  const folder = join(root, "web", "src", "styles", "fonts");
  const file = readdirSync(folder).find((name) => name.endsWith(".woff2")) ?? "";
  const name = `Font ${basename(file, ".woff2")}`;
  return { name, version: "", licence: "OFL-1.1", home: "https://rsms.me/inter/", texts: termsIn(folder) };
}

/**
 * All that is in the built page.
 *
 * @param {string} page its folder
 */
export const pageParts = (page) => [
  ...npmPackages(page),
  ...crates(modules, target),
  standardLibrary(),
  font(),
];

/**
 * All that is in the wheel.
 *
 * @param {string} page folder of the built page
 */
export const wheelParts = (page) => [...pageParts(page), ...crates(["qoscope-python"])];

/**
 * All of them in one text: a list, then every text once, with whose it is.
 *
 * @param {readonly Part[]} parts
 */
export function notices(parts) {
  const titled = new Map(parts.map((part) => [`${part.name} ${part.version}`.trim(), part]));
  const titles = [...titled.keys()].sort((a, b) => a.localeCompare(b, "en"));
  /** @type {Map<string, { text: string, of: string[] }>} */
  const texts = new Map();
  const list = titles.map((title) => {
    const part = /** @type {Part} */ (titled.get(title));
    if (part.licence === "" && part.texts.length === 0) throw new UserError(`${title} says no licence.`);
    for (const text of part.texts) {
      const key = text.replace(/\s+/g, " ").trim();
      const known = texts.get(key) ?? { text, of: [] };
      texts.set(key, { ...known, of: [...known.of, title] });
    }
    return `${title}: ${part.licence || "see below"}. ${part.home}`;
  });
  const line = "-".repeat(100);
  const printed = [...texts.values()].map(
    ({ text, of }) => `${line}\n${of.join(", ")}\n${line}\n\n${text}\n`,
  );
  return [
    "QoScope is under the Apache License 2.0. What follows was made by others and is part of what is handed out with it;",
    "after the list come the texts of their licences, each once, with whose it is.\n",
    ...list,
    "",
    ...printed,
  ].join("\n");
}
