import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { capture, log, root } from "../process.mjs";
import { fuzzer } from "../rust.mjs";
import { cause, ended, folder, openExaminer, patienceMs } from "./examine.mjs";
import { shrink } from "./shrink.mjs";
import { openComparison } from "./wasm.mjs";

/** @typedef {import("./examine.mjs").Failure} Failure */
/** @typedef {import("./examine.mjs").Report} Report */

/** How many cases of one cause are kept. */
const kept = 3;
/** Rules that a busy machine can break: what is seen once only does not count. */
const timed = ["slow", "slow to load", "no answer", "WASM: no answer"];

/**
 * Reports of the native program on the cases of one job, from `first` on. It ends where the program does not go on: then
 * the last one is of the case that ended it.
 *
 * @param {number} seed
 * @param {number} first
 * @param {number} step
 * @param {() => boolean} isOver
 * @returns {AsyncGenerator<Report>}
 */
async function* reports(seed, first, step, isOver) {
  const range = ["--seed", `${seed}`, "--first", `${first}`, "--step", `${step}`];
  const child = spawn(fuzzer, ["run", ...range], { stdio: ["ignore", "pipe", "pipe"] });
  const end = new Promise((done) => child.on("close", (code, signal) => done(code ?? signal)));
  let [number, errors, late] = [first, "", false];
  child.stderr.on("data", (data) => {
    errors = `${errors}${data}`.slice(-1000);
  });
  const giveUp = () => {
    late = true;
    child.kill("SIGKILL");
  };
  let timer = setTimeout(giveUp, patienceMs);
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      clearTimeout(timer);
      yield JSON.parse(line);
      number += step;
      if (isOver()) return;
      timer = setTimeout(giveUp, patienceMs);
    }
    const code = /** @type {any} */ (await end);
    const failure = late ? { rule: "no answer", found: `in ${patienceMs / 1000} s` } : ended(code, errors);
    const shown = capture(fuzzer, ["show", "--seed", `${seed}`, "--first", `${number}`]);
    const case_ = shown === "" ? null : JSON.parse(shown);
    yield { number, case: case_, ran: false, events: 0, failures: [failure], expected: null };
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }
}

/**
 * Fuzzes for a time or for a number of cases.
 *
 * @param {{ seed: number, jobs: number, minutes?: number | undefined, cases?: number | undefined }} options
 * @returns {Promise<import("../counts.mjs").Counts>}
 */
export async function fuzz({
  seed,
  jobs,
  minutes = Number.POSITIVE_INFINITY,
  cases = Number.POSITIVE_INFINITY,
}) {
  const [start, examiner] = [Date.now(), openExaminer()];
  mkdirSync(folder, { recursive: true });
  const totals = { cases: 0, ran: 0, events: 0, failed: 0 };
  /** @type {Map<string, { count: number, first: number, found: string, files: string[] }>} */
  const causes = new Map();
  const isOver = () => Date.now() - start > minutes * 60_000;
  /** Cases that failed are examined one after the other. */
  let examining = Promise.resolve();

  /**
   * Keeps a case that failed, and the smallest like it.
   *
   * @param {Report} report
   * @param {Failure} failure
   */
  async function keep({ number, case: whole }, failure) {
    const known = causes.get(cause(failure)) ?? { count: 0, first: number, found: failure.found, files: [] };
    causes.set(cause(failure), { ...known, count: known.count + 1 });
    if (known.files.length >= kept || whole === null) return;
    const name = `${seed}-${number}-${cause(failure).replace(/[^A-Za-z0-9]+/g, "-")}`;
    const file = join(folder, `${name}.json`);
    known.files.push(file);
    writeFileSync(file, `${JSON.stringify(whole, null, 1)}\n`);
    log(`Case ${number}: ${failure.rule}: ${failure.found.slice(0, 200)}`);
    if (known.files.length > 1) return;
    const fails = async (/** @type {unknown} */ one) =>
      (await examiner.examine(JSON.stringify(one))).some((found) => cause(found) === cause(failure));
    const smallest = await shrink(whole, fails);
    const small = join(folder, `${name}.min.json`);
    writeFileSync(small, `${JSON.stringify(smallest, null, 1)}\n`);
    log(`Case ${number} made smaller: npm run fuzz -- --case ${small.slice(root.length)}`);
  }

  /**
   * Examines a case that failed.
   *
   * @param {Report} report
   */
  async function onFailure(report) {
    let { failures } = report;
    if (failures.every(({ rule }) => timed.includes(rule)) && report.case !== null) {
      failures = await examiner.examine(JSON.stringify(report.case));
    }
    totals.failed += failures.length > 0 ? 1 : 0;
    for (const failure of failures) await keep(report, failure);
  }

  /** @param {number} job */
  async function work(job) {
    const comparison = openComparison();
    for (let first = job; first < cases && !isOver(); ) {
      for await (const report of reports(seed, first, jobs, isOver)) {
        const differences = report.expected ? await comparison.compare(report.expected) : [];
        const failures = [...report.failures, ...differences];
        totals.cases += 1;
        totals.ran += report.ran ? 1 : 0;
        totals.events += report.events;
        if (failures.length > 0) {
          const shown = report.case ?? shownCase(report.number);
          examining = examining.then(() => onFailure({ ...report, case: shown, failures }));
        }
        first = report.number + jobs;
        if (first >= cases || isOver()) break;
      }
    }
    await comparison.close();
  }

  /** @param {number} number */
  function shownCase(number) {
    return JSON.parse(capture(fuzzer, ["show", "--seed", `${seed}`, "--first", `${number}`]) || "null");
  }

  const say = () =>
    log(
      `${totals.cases} cases, ${totals.ran} ran, ${(totals.events / 1e6).toFixed(1)} M events, ${totals.failed} failed`,
    );
  const timer = setInterval(say, 15_000);
  await Promise.all(Array.from({ length: jobs }, (_, job) => work(job)));
  await examining;
  clearInterval(timer);
  await examiner.close();
  say();
  for (const [name, { count, first, found, files }] of causes) {
    console.log(`${name}: ${count} cases, the first is ${first}: ${found.slice(0, 200)}`);
    for (const file of files) console.log(`  npm run fuzz -- --case ${file.slice(root.length)}`);
  }
  return { passed: totals.cases - totals.failed, failed: totals.failed };
}
