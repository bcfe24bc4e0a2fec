import { lstatSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { catalogueOfPage, sentencesOfPage } from "./catalogue.mjs";
import { chromiumPath } from "./chromium.mjs";
import { canInstall, install } from "./debian.mjs";
import { unlessFresh } from "./freshness.mjs";
import { log, once, root, runOrFail, tools, UserError } from "./process.mjs";
import { buildWasm } from "./rust.mjs";
import { scenarioDocuments, scenarioFiles } from "./scenarios.mjs";
import { definitionsOf, SCHEMAS, typescriptOf } from "./types.mjs";
import { loadWasm, wasmFolder, wasmModules } from "./wasm.mjs";

/** Where the scripts write what the sources of the page import. */
const generated = "web/src/generated";

/** What the WASM modules are made from, in `wasm-core/`. */
const rustSources = [
  "crates/campaign",
  "crates/engine",
  "crates/figures",
  "crates/study",
  "crates/interop",
  "crates/estimation",
  "crates/wasm",
  "crates/wasm-tools",
  "xtask",
  "Cargo.toml",
  "Cargo.lock",
];

/** Installs the npm packages that the lock file names; a link to the packages of another worktree is left as it is. */
export async function preparePackages() {
  if (lstatSync(join(root, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink()) return;
  const npm = process.env.npm_execpath;
  const [program, ...first] = npm ? [process.execPath, npm] : ["npm"];
  await unlessFresh(
    {
      name: "packages",
      saying: "Installing the npm packages",
      inputs: ["package.json", "package-lock.json"],
      outputs: ["node_modules"],
    },
    () =>
      runOrFail(
        program,
        [...first, "ci", "--no-audit", "--no-fund"],
        "The npm packages could not be installed: see above.",
      ),
  );
}

/** Builds the engine as WASM. */
export const prepareWasm = once(() =>
  unlessFresh(
    {
      name: "wasm",
      saying: "Building the simulation for the browser",
      inputs: [...rustSources.map((path) => `wasm-core/${path}`), "rust-toolchain.toml"],
      outputs: wasmModules.flatMap((name) => [`${wasmFolder}/${name}.js`, `${wasmFolder}/${name}_bg.wasm`]),
    },
    () => buildWasm(wasmFolder),
  ),
);

/** Cases of other simulators, which are not in the menu. */
const isReference = (/** @type {string} */ name) => name.startsWith("ref-");

/** Writes the TypeScript types of documents and answers, the catalogue, the limits, and the expanded scenarios. */
async function prepareTypes() {
  const documents = /** @type {(keyof typeof SCHEMAS)[]} */ (Object.keys(SCHEMAS));
  const outputs = [
    ...documents.map((name) => `${name}.d.ts`),
    "catalogue.json",
    "scenarios.json",
    "references.json",
    "sentences.json",
    "limits.ts",
    "version.ts",
  ].map((name) => `${generated}/${name}`);
  await unlessFresh(
    {
      name: "types",
      saying: "Making the types of documents and answers",
      inputs: [
        ...wasmModules.map((name) => `${wasmFolder}/${name}_bg.wasm`),
        ...[...scenarioFiles().values()].map((file) => relative(root, file)),
        ...Object.values(SCHEMAS),
        ...["catalogue", "prepare", "scenarios", "types"].map((name) => `scripts/lib/${name}.mjs`),
      ],
      outputs,
    },
    async () => {
      for (const name of documents) {
        const types = typescriptOf(definitionsOf(name));
        writeFileSync(join(root, `${generated}/${name}.d.ts`), types);
      }
      const wasm = await loadWasm();
      const catalogue = JSON.parse(wasm.catalogue());
      writeFileSync(
        join(root, `${generated}/catalogue.json`),
        `${JSON.stringify(catalogueOfPage(catalogue))}\n`,
      );
      writeFileSync(
        join(root, `${generated}/sentences.json`),
        `${JSON.stringify(sentencesOfPage(catalogue))}\n`,
      );
      const scenarios = scenarioDocuments(wasm);
      for (const [file, isIn] of /** @type {const} */ ([
        ["scenarios.json", (/** @type {string} */ name) => !isReference(name)],
        ["references.json", isReference],
      ])) {
        const documents = Object.fromEntries(scenarios.filter(([name]) => isIn(name)));
        writeFileSync(join(root, `${generated}/${file}`), `${JSON.stringify(documents)}\n`);
      }
      // Apart from the catalogue, for those that need nothing else of it.
      const limits = `export const DOCUMENT_BYTES = ${catalogue.maximumBytes};\nexport const FORMAT_VERSION = ${catalogue.version};\n`;
      writeFileSync(join(root, `${generated}/limits.ts`), limits);
      writeFileSync(join(root, `${generated}/version.ts`), `export const VERSION = "${wasm.version()}";\n`);
    },
  );
}

/** Everything that the sources of the page import. */
export async function prepareSources() {
  await preparePackages();
  await prepareWasm();
  await prepareTypes();
}

/** The built page in `dist/`. */
export async function preparePage() {
  await prepareSources();
  await unlessFresh(
    {
      name: "page",
      saying: "Building the page",
      inputs: [
        "web",
        "public",
        "scenarios",
        "package-lock.json",
        "vite.config.ts",
        "scripts/lib/licences.mjs",
        "wasm-core/Cargo.lock",
        generated,
      ],
      outputs: ["dist/index.html"],
    },
    () =>
      runOrFail(
        process.execPath,
        [tools.vite, "build", "--logLevel", "warn"],
        "The page could not be built: see above.",
      ),
  );
}

/**
 * A Chromium for browser tests, installed from Debian's packages if there is none.
 *
 * @returns {Promise<string>} path of the executable
 */
export async function prepareChromium() {
  const sentence = "Browser tests need Chromium: install it, or set CHROMIUM to the path of its executable.";
  if (!chromiumPath() && !process.env.CHROMIUM && canInstall()) {
    log("Installing Chromium from Debian's packages");
    await install(["chromium"]);
  }
  const path = chromiumPath();
  if (!path) throw new UserError(sentence);
  return path;
}
