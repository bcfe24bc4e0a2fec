import { describe, expect, it } from "vitest";
import { createRunView } from "../../run/recorder.ts";
import { testRun } from "../../run/testRun.ts";
import type { DeviceLayout } from "../../run/types.ts";
import { hasOperation, roundedToSum, stageSentence, stageTable } from "./stageTable.ts";

const STAGES = [
  "hostQueue",
  "networkOut",
  "target",
  "submissionQueue",
  "garbageCollection",
  "media",
  "networkBack",
];
const SSD: DeviceLayout = { node: 0, name: "ssd", kind: "ssd", channels: 1, units: 1, sampledByUnit: true };

/** Two classes that only read; what is given is their mean, the slowest take twice as long. */
function run(means: readonly (readonly number[])[], devices: readonly DeviceLayout[] = [SSD]) {
  const view = createRunView({ ...testRun().layout, stages: STAGES, devices });
  const none = [...new Array<number>(2 * STAGES.length).fill(Number.NaN), 0];
  const stages = means.flatMap((of) => {
    const some = [...of, ...of.map((us) => 2 * us), 100];
    return [...some, ...none, ...some];
  });
  view.update({ stages: new Float32Array(stages) });
  return view;
}

const READS = [
  [10, 5, 2, 0, 0, 50, 8],
  [10, 5, 2, 80, 0, 50, 8],
];

describe("the matrix of stages", () => {
  it("has the stages in which requests spend time, and no others", () => {
    const { stages } = stageTable(run(READS), { operation: "all", statistic: "mean" });
    expect(stages.map(({ id }) => id)).toEqual(STAGES.filter((id) => id !== "garbageCollection"));
    const network = stageTable(run(READS, []), { operation: "all", statistic: "mean" }).stages;
    expect(network.map(({ id }) => id)).toEqual(["hostQueue", "networkOut", "networkBack"]);
    const writes = READS.map((of) => of.with(-1, 0));
    const { stages: oneWay } = stageTable(run(writes, []), { operation: "all", statistic: "mean" });
    expect(oneWay.map(({ id }) => id)).toEqual(["hostQueue", "networkOut"]);
  });

  it("has all stages that there may be while no request is done", () => {
    const view = createRunView({ ...testRun().layout, stages: STAGES, devices: [SSD] });
    const { stages } = stageTable(view, { operation: "all", statistic: "mean" });
    expect(stages.map(({ id }) => id)).toEqual(STAGES);
  });

  it("tells a class whose requests go elsewhere from one that spends no time", () => {
    const [reads = []] = READS;
    const remote = run([reads, [10, 5, 0, 0, 0, 0, 8]]);
    const table = stageTable(remote, { operation: "all", statistic: "mean", inDevice: true });
    expect(table.stages[0]?.valuesUs).toEqual([50, Number.NaN]);
    expect(table.totalsUs).toEqual([50, Number.NaN]);
  });

  it("adds up, of all requests and of the slowest", () => {
    expect(stageTable(run(READS), { operation: "all", statistic: "mean" }).totalsUs).toEqual([75, 155]);
    expect(stageTable(run(READS), { operation: "reads", statistic: "p99" }).totalsUs).toEqual([150, 310]);
  });

  it("of devices alone has the stages of those", () => {
    const table = stageTable(run(READS), { operation: "all", statistic: "mean", inDevice: true });
    expect(table.stages.map(({ id }) => id)).toEqual(["submissionQueue", "media"]);
    expect(table.totalsUs).toEqual([50, 130]);
  });

  it("tells the longest stage of each class, what bounds it and its share", () => {
    const view = run(READS);
    const table = stageTable(view, { operation: "all", statistic: "mean" });
    const submission = table.stages.find(({ id }) => id === "submissionQueue");
    expect(submission?.isLongest).toEqual([false, true]);
    expect(submission?.hint).toMatch(
      /arbitration.*Now 0\.0\u202f% of High, 52\u202f% of Low; the longest stage of Low\.$/,
    );
    expect(stageSentence(view, table)).toMatch(
      /^High: 75 µs, 67\u202f% of it flash.*; Low: 155 µs, 52\u202f% of it submission/,
    );
  });

  it("knows which requests there are, and nothing before the first reading", () => {
    expect([hasOperation(run(READS), "reads"), hasOperation(run(READS), "writes")]).toEqual([true, false]);
    const { totalsUs } = stageTable(testRun(), { operation: "all", statistic: "mean" });
    expect(totalsUs).toEqual([Number.NaN, Number.NaN]);
  });
});

describe("rounding to a sum", () => {
  it("gives numbers that add up to the rounded sum", () => {
    expect(roundedToSum([1.4, 1.4, 1.4], 1)).toEqual([2, 1, 1]);
    expect(roundedToSum([10.5, 20.5], 1)).toEqual([11, 20]);
    expect(roundedToSum([3, 4], 1)).toEqual([3, 4]);
    expect(roundedToSum([Number.NaN, 1], 1)).toEqual([Number.NaN, 1]);
  });
});
