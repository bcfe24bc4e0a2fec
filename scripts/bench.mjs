/**
 * `npm run bench [-- --case A,B] [--target native,node,chromium] [--repeat N] [--format table|json]`: how many
 * packet-hops, or requests to devices, per second of CPU time the simulation manages, all metrics on. Each figure is the
 * best of the repeats. `--study`: how long all runs of a study take instead, on all cores, by the command line and in the page.
 */

import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchStudy } from "./lib/bench/study.mjs";
import { targets } from "./lib/bench/targets.mjs";
import { log, root, script, UserError } from "./lib/process.mjs";

/** The cases, each the scenario `scenarios/bench/bench-CASE.json`, from small to large. */
const cases = [
  "dumbbell-10g",
  "dumbbell-100g",
  "incast-16-pfc",
  "fat-tree-k4",
  "fat-tree-k8",
  "fat-tree-k8-dcqcn-pfc",
  "fat-tree-k16",
  "ssd-qd32-read",
  "ssd-mix-gc",
  "end-to-end-fig13",
  "ssd-64",
];

/**
 * What the speed of a case is counted in: requests where its devices are most of the work.
 *
 * @param {string} name
 * @returns {"requests" | "packetHops"}
 */
const countedIn = (name) => (/ssd|end-to-end/.test(name) ? "requests" : "packetHops");

/**
 * The names of a list that are known.
 *
 * @param {string | undefined} list separated by commas; nothing means all
 * @param {readonly string[]} known
 * @param {string} what
 */
function chosen(list, known, what) {
  const names = list?.split(",") ?? known;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UserError(`There is no ${what} "${unknown}". Known: ${known.join(", ")}.`);
  return names;
}

/**
 * The best repeat of a case on a target.
 *
 * @param {string} name
 * @param {string} target
 * @param {number} repeat
 */
async function best(name, target, repeat) {
  const file = join(root, "scenarios/bench", `bench-${name}.json`);
  const samples = (await targets[target]?.measure(file, repeat)) ?? [];
  const rows = samples.map((sample) => ({
    case: name,
    target,
    ...sample,
    perSecond: sample[countedIn(name)] / sample.cpuSeconds,
  }));
  return rows.reduce((one, other) => (other.perSecond > one.perSecond ? other : one));
}

/**
 * Beside the time of each its speed, and how that compares with all cores making runs one after the other, each as fast as one alone.
 *
 * @param {import("./lib/bench/study.mjs").Timed[]} timed
 */
function studyRows(timed) {
  const alone = timed.find(({ runs }) => runs === 1)?.seconds ?? Number.NaN;
  const cores = availableParallelism();
  return timed.map(({ target, runs, seconds }) => ({
    target,
    runs,
    "wall s": Number(seconds.toFixed(3)),
    "runs per s": Number((runs / seconds).toFixed(1)),
    "of cores x alone": runs === 1 ? "" : `${((100 * alone * runs) / (cores * seconds)).toFixed(0)} %`,
  }));
}

await script(async () => {
  const { values } = parseArgs({
    options: {
      case: { type: "string" },
      target: { type: "string" },
      repeat: { type: "string", default: "5" },
      format: { type: "string", default: "table" },
      study: { type: "boolean", default: false },
    },
  });
  const repeat = Number(values.repeat);
  if (!Number.isInteger(repeat) || repeat < 1) throw new UserError("--repeat takes a number from 1 on.");
  if (values.study) {
    const timed = await benchStudy(repeat);
    if (values.format === "json") console.log(JSON.stringify(timed));
    else console.table(studyRows(timed));
    return;
  }
  const names = chosen(values.case, cases, "case");
  const rows = [];
  for (const target of chosen(values.target, Object.keys(targets), "target")) {
    await targets[target]?.prepare();
    for (const name of names) {
      log(`${name}, ${target} ...`);
      rows.push(await best(name, target, repeat));
    }
  }
  if (values.format === "json") {
    console.log(JSON.stringify(rows));
    return;
  }
  const table = rows.map(
    ({ packetHops, requests, wallSeconds, cpuSeconds, perSecond, peakMemoryMB, ...name }) => ({
      ...name,
      "packet-hops": packetHops,
      requests,
      "wall s": Number(wallSeconds.toFixed(3)),
      "CPU s": Number(cpuSeconds.toFixed(3)),
      "M per CPU s": Number((perSecond / 1e6).toFixed(2)),
      of: countedIn(name.case) === "requests" ? "requests" : "packet-hops",
      "peak MB": peakMemoryMB === null ? null : Math.round(peakMemoryMB),
    }),
  );
  console.table(table);
});
