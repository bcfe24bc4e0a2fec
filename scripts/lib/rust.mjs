import { existsSync } from "node:fs";
import { join } from "node:path";
import { canInstall, install } from "./debian.mjs";
import { capture, log, once, root, run, runOrFail, UserError } from "./process.mjs";
import { wasmModules } from "./wasm.mjs";

/** What the modules of the page are built for. */
export const target = "wasm32-unknown-unknown";

/** The crates that they are made of. */
export const modules = ["qoscope-wasm", "qoscope-tools-wasm"];

export const workspace = join(root, "wasm-core");

/** Where cargo builds, whatever the person's own settings are. */
const artefacts = join(workspace, "target");

/** The native command line, once it is built. */
export const nativeProgram = join(
  artefacts,
  "release",
  process.platform === "win32" ? "qoscope.exe" : "qoscope",
);

/** The same as tests build it: with the checks of a debug build. */
export const checkedProgram = join(
  artefacts,
  "debug",
  process.platform === "win32" ? "qoscope.exe" : "qoscope",
);

/** The fuzzer, once it is built: with the checks of a debug build, and panics that can be caught. */
export const fuzzer = join(
  artefacts,
  "debug",
  process.platform === "win32" ? "qoscope-fuzz.exe" : "qoscope-fuzz",
);

/** The compiler of Debian that can build its own standard library for WASM, with the linker that this takes. */
const debianPackages = ["cargo-web", "rustc-web", "rust-web-src", "lld-19"];

/** @typedef {{ cargo: string, parameters: string[], env: Record<string, string> }} Compiler */

/** @type {Compiler} */
const rustup = {
  cargo: "cargo",
  parameters: [],
  // What is built once on a clean checkout is not built upon: keeping what that would take costs time.
  env: { CARGO_TARGET_DIR: artefacts, ...(process.env.CI && { CARGO_INCREMENTAL: "0" }) },
};

/** What cargo is given by others that call it, so that they build where all is built. */
export const buildEnvironment = rustup.env;

/** @type {Compiler} */
const debian = {
  cargo: "/usr/bin/cargo",
  parameters: ["-Zbuild-std=std,panic_abort"],
  env: {
    RUSTC: "/usr/bin/rustc",
    RUSTC_BOOTSTRAP: "1",
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: "wasm-ld-19",
    // Its artefacts must not mix with those of another compiler.
    CARGO_TARGET_DIR: join(artefacts, "debian"),
  },
};

function requireCargo() {
  if (capture("cargo", ["--version"]) === "") {
    throw new UserError("Rust is not installed: get it from https://rustup.rs and run the command again.");
  }
}

/** Whether the compiler on the PATH has the standard library for WASM. */
function hasTarget() {
  const sysroot = capture("rustc", ["--print", "sysroot"]);
  return sysroot !== "" && existsSync(join(sysroot, "lib", "rustlib", target, "lib"));
}

/** Whether all of them are installed: dpkg fails if one is not. */
const hasDebian = () => capture("dpkg", ["-s", ...debianPackages]) !== "";

/**
 * The compiler for WASM: the one on the PATH, with its target added by rustup if need be, else Debian's.
 *
 * @returns {Promise<Compiler>}
 */
async function wasmCompiler() {
  requireCargo();
  if (hasTarget()) return rustup;
  log(`Adding Rust's target ${target}`);
  capture("rustup", ["target", "add", target]);
  if (hasTarget()) return rustup;
  if (hasDebian()) return debian;
  if (canInstall()) {
    log(`rustup could not add it: installing Debian's packages ${debianPackages.join(", ")}`);
    if (await install(debianPackages)) return debian;
  }
  throw new UserError(
    `Rust's target ${target} could not be had: run "rustup target add ${target}", ` +
      `or on Debian "apt-get install ${debianPackages.join(" ")}", and run the command again.`,
  );
}

/**
 * Runs cargo in the workspace.
 *
 * @param {readonly string[]} parameters
 * @param {string} complaint sentence for the case that it fails
 * @param {Compiler} [compiler] that of the PATH by default
 */
async function build(parameters, complaint, { cargo, env } = rustup) {
  await runOrFail(cargo, parameters, complaint, { cwd: workspace, env });
}

/**
 * Builds the WASM modules and writes them into a folder with their JavaScript glue.
 *
 * @param {string} folder relative to the project
 */
export async function buildWasm(folder) {
  const compiler = await wasmCompiler();
  const parameters = ["build", "--profile", "wasm", "--quiet", "--target", target];
  const packages = modules.flatMap((name) => ["-p", name]);
  await build(
    [...parameters, ...packages, ...compiler.parameters],
    "The WASM build failed: see above.",
    compiler,
  );
  const built = join(compiler.env.CARGO_TARGET_DIR ?? artefacts, target, "wasm");
  const glue = [
    "run",
    "--quiet",
    "-p",
    "xtask",
    "--",
    join(root, folder),
    ...wasmModules.map((name) => join(built, `${name}.wasm`)),
  ];
  await build(glue, "The JavaScript glue could not be made: see above.");
}

/** Builds the native command line; cargo skips what is fresh. */
export const buildNative = once(async () => {
  requireCargo();
  if (!existsSync(nativeProgram)) log("Building the command line (once)");
  await build(
    ["build", "--release", "--quiet", "--bin", "qoscope"],
    "The command line could not be built: see above.",
  );
});

/** Builds the command line as tests build it, unless they have. */
export async function buildChecked() {
  requireCargo();
  await build(["build", "--quiet", "--bin", "qoscope"], "The command line could not be built: see above.");
}

/** Builds the fuzzer. Named by its program and not its package, it shares what the tests of the workspace have built. */
export async function buildFuzzer() {
  requireCargo();
  await build(["build", "--quiet", "--bin", "qoscope-fuzz"], "The fuzzer could not be built: see above.");
}

/**
 * Runs cargo on the whole workspace and keeps what it prints.
 *
 * @param {readonly string[]} parameters
 */
export async function cargo(parameters) {
  requireCargo();
  return run("cargo", parameters, { cwd: workspace, env: rustup.env, output: "tee" });
}
