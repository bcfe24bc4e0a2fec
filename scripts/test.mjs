/**
 * `npm test [-- --only STAGE,STAGE] [--full]`: prepares what is missing and runs the checks, with `--full` also those that take long:
 * every seed of every figure, every story, every browser test, and the Python package as it is handed out. A stage that fails does not stop the others. What failed is named
 * again at the end; the last line sums what all stages counted.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fromCargo, fromJunit, fromPlaywright, fromVitest, whole } from "./lib/counts.mjs";
import { fuzz } from "./lib/fuzz/session.mjs";
import {
  prepareChromium,
  preparePackages,
  preparePage,
  prepareSources,
  prepareWasm,
} from "./lib/prepare.mjs";
import { log, root, run, script, tools, UserError } from "./lib/process.mjs";
import {
  buildWheel,
  cargoTool,
  installWheel,
  interpreter,
  packageFolder,
  prepareCargoTools,
  preparePython,
  pytest,
  pythonSources,
  smoke,
  tool,
} from "./lib/python.mjs";
import { buildChecked, buildFuzzer, cargo, workspace } from "./lib/rust.mjs";

/** @typedef {import("./lib/counts.mjs").Counts} Counts */

/**
 * Runs a program of the npm packages by this Node.
 *
 * @param {string} tool
 * @param {readonly string[]} parameters
 * @param {Record<string, string>} [env]
 */
const node = (tool, parameters, env = {}) => run(process.execPath, [tool, ...parameters], { env });

/**
 * A report written by a runner, if it came to that.
 *
 * @param {string} name
 */
function report(name) {
  const path = join(root, ".cache", name);
  return {
    path,
    clear: () => rmSync(path, { force: true }),
    read: () => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
  };
}

/**
 * A port that nothing listens on.
 *
 * @returns {Promise<number>}
 */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/**
 * What several runners of a stage counted.
 *
 * @param {readonly Counts[]} counts
 * @returns {Counts}
 */
const sum = (counts) => ({
  passed: counts.reduce((total, { passed }) => total + passed, 0),
  failed: counts.reduce((total, { failed }) => total + failed, 0),
  names: counts.flatMap(({ names = [] }) => names),
});

/**
 * A stage. What it `needs` is linked by one thread for minutes: it is begun with the run, beside the stages that come first.
 *
 * @typedef {{ title: string, needs?: (() => Promise<void>)[], check: () => Promise<Counts> }} Stage
 */

/** @type {Record<string, Stage>} */
const stages = {
  rustfmt: {
    title: "Format of the Rust sources",
    check: async () => whole((await cargo(["fmt", "--all", "--check"])).code),
  },
  biome: {
    title: "Format and lint of the web sources",
    async check() {
      await preparePackages();
      return whole((await node(tools.biome, ["check", "--error-on-warnings", "."])).code);
    },
  },
  clippy: {
    title: "Lint of the Rust sources",
    async check() {
      const lint = ["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"];
      return whole((await cargo(lint)).code);
    },
  },
  rust: {
    title: "Tests of the engine",
    async check() {
      const tests = ["test", "--quiet", "--workspace", "--no-fail-fast"];
      const { code, output } = await cargo(tests);
      if (!process.env.FULL) return fromCargo(output, code);
      // Other ignored tests measure the machine.
      const long = await cargo([...tests, "--lib", "--", "--ignored", "drives_at_random"]);
      return sum([fromCargo(output, code), fromCargo(long.output, long.code)]);
    },
  },
  types: {
    title: "Types of the web sources",
    needs: [prepareWasm],
    async check() {
      await prepareSources();
      return whole((await node(tools.tsc, [])).code);
    },
  },
  dependencies: {
    title: "Dependencies: licences, sources, duplicates and unused ones; unused files and exports",
    needs: [prepareWasm, prepareCargoTools],
    async check() {
      await prepareSources();
      const deny = cargoTool("cargo-deny");
      const inWorkspace = { cwd: workspace };
      const { code: unreachable } = await run(deny, ["fetch", "db"], { ...inWorkspace, output: "capture" });
      if (unreachable) log("The database of advisories cannot be reached: advisories are not checked");
      const checks = ["licenses", "bans", "sources", ...(unreachable ? [] : ["advisories"])];
      const results = [
        await run(deny, ["check", "--hide-inclusion-graph", ...checks], inWorkspace),
        await run(cargoTool("cargo-shear"), [], inWorkspace),
        await node(tools.knip, []),
      ];
      return sum(results.map(({ code }) => whole(code)));
    },
  },
  fuzz: {
    title: "Random scenarios and damaged documents",
    needs: [prepareWasm],
    async check() {
      await buildFuzzer();
      // The same cases each time: `npm run fuzz` looks for new ones.
      return fuzz({ seed: 1, cases: 100, jobs: availableParallelism() });
    },
  },
  web: {
    title: "Tests of the page's modules",
    needs: [prepareWasm],
    async check() {
      await prepareSources();
      const json = report("vitest.json");
      json.clear();
      const { code } = await node(tools.vitest, [
        "run",
        "--reporter=default",
        "--reporter=json",
        `--outputFile=${json.path}`,
      ]);
      return fromVitest(json.read(), code);
    },
  },
  browser: {
    title: "Tests of the built page, and of equal results native, in Node and in Chromium",
    needs: [prepareWasm],
    async check() {
      await buildChecked();
      await preparePage();
      await prepareChromium();
      const json = report("playwright.json");
      json.clear();
      const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: json.path, QOSCOPE_E2E_PORT: String(await freePort()) };
      const { code } = await node(tools.playwright, ["test", "--reporter=list,json"], env);
      const { flaky = [], ...counts } = fromPlaywright(json.read(), code);
      for (const title of flaky) log(`passed when it was tried again: ${title}`);
      return counts;
    },
  },
  python: {
    title: "The Python package: its wheel in an empty environment, format, lint, types and tests",
    needs: [prepareWasm, preparePython],
    async check() {
      const [wheel, ...results] = await Promise.all([
        buildWheel(process.env.FULL ? "wheel" : "dev"),
        ...[
          ["ruff", "check", ...pythonSources],
          ["ruff", "format", "--check", ...pythonSources],
          ["mypy", "--strict", "src"],
        ].map(async ([name = "", ...parameters]) =>
          whole((await run(tool(name), parameters, { cwd: packageFolder })).code),
        ),
      ]);
      results.push(whole(await smoke(wheel)));
      await installWheel(wheel);
      const junit = report("pytest.xml");
      junit.clear();
      const [marked, env] = process.env.FULL
        ? [[], { CHROMIUM: await prepareChromium() }]
        : [["-m", "not full"], {}];
      const { code } = await run(interpreter, [...pytest, `--junitxml=${junit.path}`, ...marked], { env });
      return sum([...results, fromJunit(junit.read(), code)]);
    },
  },
};

/**
 * Runs a stage; a complaint of the set-up is a failure of the stage.
 *
 * @param {Stage} stage
 * @returns {Promise<Counts>}
 */
async function count({ title, needs = [], check }) {
  const start = performance.now();
  log(`${title} ...`);
  try {
    for (const need of needs) await need();
    const counts = await check();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    log(
      `${title}: ${counts.failed === 0 ? "passed" : "FAILED"} (${counts.passed} passed, ${counts.failed} failed, ${seconds} s)`,
    );
    return counts;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    log(`${title}: FAILED. ${error.message}`);
    return whole(1);
  }
}

await script(async () => {
  const { values } = parseArgs({ options: { only: { type: "string" }, full: { type: "boolean" } } });
  // Every runner reads it: validation, Vitest, Playwright.
  if (values.full) process.env.FULL = "1";
  const names = values.only?.split(",") ?? Object.keys(stages);
  const chosen = names.map((name) => {
    const stage = stages[name];
    if (!stage)
      throw new UserError(`There is no stage "${name}". Stages: ${Object.keys(stages).join(", ")}.`);
    return stage;
  });
  // Of one that fails the stage tells that waits for it.
  for (const need of chosen.flatMap(({ needs = [] }) => needs)) need().catch(() => {});
  const total = { passed: 0, failed: 0 };
  /** @type {string[]} */
  const broken = [];
  const start = performance.now();
  /** @type {string[]} */
  const costs = [];
  for (const [index, stage] of chosen.entries()) {
    const begin = performance.now();
    const { passed, failed, names: failures = [] } = await count(stage);
    costs.push(`${names[index]} ${((performance.now() - begin) / 1000).toFixed(0)}`);
    total.passed += passed;
    total.failed += failed;
    if (failed > 0)
      broken.push(`${stage.title}: ${failed} failed${failures.map((name) => `\n  ${name}`).join("")}`);
  }
  log(`Seconds by stage: ${costs.join(", ")}; all ${((performance.now() - start) / 1000).toFixed(0)}`);
  for (const sentence of broken) log(sentence);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
});
