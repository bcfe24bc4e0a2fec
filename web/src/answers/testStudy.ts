import type { StudyCell, StudyFactor, StudyPoint, StudyTable } from "../generated/answers.d.ts";

/** For tests: tables as the engine tells them. */

/** A cell with a mean and what it lies within, of so many seeds. */
export const cell = (mean: number | null, half = 1, seeds = 8): StudyCell => ({
  mean,
  low: mean === null || seeds < 2 ? null : mean - half,
  high: mean === null || seeds < 2 ? null : mean + half,
  numbers: mean === null ? [] : Array.from({ length: seeds }, () => mean),
  why: null,
});

export const point = (values: StudyPoint["values"], cells: readonly StudyCell[], seeds = 8): StudyPoint => ({
  values,
  set: {},
  refused: null,
  seeds,
  wanted: 8,
  isAdded: false,
  cells,
});

/** A sweep of K with the throughput of all and the latency of two classes. */
export const sweepTable: StudyTable = {
  factors: [
    {
      title: "ECN threshold",
      symbol: "K",
      unit: "packets",
      paths: ["switch.ecnThresholdPackets"],
      isWords: false,
      names: {},
      scale: "log",
      present: 140,
      recommended: [30, 52],
    },
  ],
  measures: [
    { title: "Total throughput", group: "Total throughput", class: null, unit: "Gb/s" },
    { title: "p99 latency, High", group: "p99 latency", class: "High", unit: "us" },
    { title: "p99 latency, Low", group: "p99 latency", class: "Low", unit: "us" },
  ],
  firstSeed: 42,
  points: [5, 20, 80, 320].map((k, at) =>
    point([k], [cell(90 + at), cell(300 + 10 * at), cell(900 - 50 * at)]),
  ),
};

/** Something that varies over whole numbers. */
export const WEIGHT: StudyFactor = {
  title: "Weight of high priority",
  symbol: null,
  unit: null,
  paths: ["storage.nvme.highWeight"],
  isWords: false,
  names: {},
  scale: "even",
  present: 2,
  recommended: null,
};

/** Something that varies over words. */
export const TRANSPORT: StudyFactor = {
  ...WEIGHT,
  title: "Transport",
  paths: ["classes[].transport"],
  isWords: true,
  names: { qtcp: "QTCP", dctcp: "DCTCP" },
  present: "qtcp",
};

/** A table of K by weight, whose throughput is ten times the weight and the place of K more than 50. */
export const gridTable: StudyTable = {
  ...sweepTable,
  factors: [...sweepTable.factors, WEIGHT],
  points: [5, 20, 140].flatMap((k, at) =>
    [1, 2, 3].map((weight) => point([k, weight], [cell(50 + 10 * weight + at), cell(300), cell(900)])),
  ),
};
