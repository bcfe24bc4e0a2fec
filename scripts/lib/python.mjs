import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { canInstall, install } from "./debian.mjs";
import { unlessFresh } from "./freshness.mjs";
import { capture, log, root, run, runOrFail, UserError } from "./process.mjs";
import { buildEnvironment } from "./rust.mjs";

/** The package. */
export const packageFolder = join(root, "python");

const cache = join(root, ".cache", "python");
const environment = join(cache, "tools");
const wheels = join(cache, "wheels");

/** Programs of an environment stand here. */
const programs = process.platform === "win32" ? "Scripts" : "bin";

/** What a stranger's interpreter does with the wheel: the import, a run, its digest. */
const SMOKE = `
import json, sys
from qoscope import __version__, _native
name, digest, version = sys.argv[1:]
simulation = _native.Simulation(open(name).read(), _native.Traces(".", {}))
simulation.advance(2**64 - 1)
assert (simulation.digest, __version__) == (digest, version), (simulation.digest, __version__)
`;

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
export const tool = (name) => join(environment, programs, name);

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

/** Makes the environment of the tests, where it is not as its requirements say. */
export const preparePython = () =>
  unlessFresh(
    {
      name: "python",
      saying: "Installing what tests of the Python package need",
      inputs: ["python/requirements-test.txt"],
      outputs: [".cache/python/tools"],
    },
    async () => {
      await makeEnvironment(environment);
      const packages = ["-m", "pip", "install", "--quiet", "--requirement", "python/requirements-test.txt"];
      await runOrFail(interpreter, packages, "Packages of Python could not be installed: see above.");
    },
  );

/**
 * Builds the wheel, and installs it beside what the tests need.
 *
 * @param {string} profile of cargo: `dev` is soon built, `wheel` is what is handed out
 * @returns {Promise<string>} its file
 */
export async function buildWheel(profile) {
  rmSync(wheels, { recursive: true, force: true });
  mkdirSync(wheels, { recursive: true });
  await runOrFail(
    tool("maturin"),
    ["build", "--quiet", "--locked", "--profile", profile, "--out", wheels],
    "The wheel could not be built: see above.",
    { cwd: packageFolder, env: buildEnvironment },
  );
  const wheel = readdirSync(wheels).find((name) => name.endsWith(".whl"));
  if (!wheel) throw new UserError("No wheel was built.");
  const file = join(wheels, wheel);
  const parameters = ["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", file];
  await runOrFail(interpreter, parameters, "The wheel could not be installed: see above.");
  return file;
}

/**
 * Whether a wheel does in an environment with nothing else in it what the command line does.
 *
 * @param {string} wheel
 * @param {{ scenario: string, digest: string, version: string }} expected
 * @returns {Promise<number>} exit code
 */
export async function smoke(wheel, { scenario, digest, version }) {
  const empty = join(cache, "empty");
  await makeEnvironment(empty);
  const python = interpreterOf(empty);
  const { code } = await run(python, ["-m", "pip", "install", "--quiet", "--no-index", wheel]);
  if (code !== 0) return code;
  // Not from the folder of the package: what is imported is what was installed.
  return (await run(python, ["-c", SMOKE, join(root, scenario), digest, version], { cwd: cache })).code;
}
