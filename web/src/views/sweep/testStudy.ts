import type { StudyCell, StudyPoint, StudyTable } from "../../run/study.ts";
import type { FieldSuggestion, Suggestions } from "../../scenario/study.ts";

/** For tests: what the engine would suggest, and a table as it would tell it. */

export const THRESHOLD: FieldSuggestion = {
  path: "switch.ecnThresholdPackets",
  title: "ECN threshold",
  symbol: "K",
  unit: "packets",
  isWords: false,
  options: [],
  range: { from: 5, to: 400, count: 14, scale: "log" },
  present: 140,
  recommended: [30, 52],
};

export const WEIGHT: FieldSuggestion = {
  ...THRESHOLD,
  path: "storage.nvme.highWeight",
  title: "Weight of high priority",
  symbol: null,
  unit: null,
  range: { from: 1, to: 8, count: 8, scale: "even" },
  present: 3,
  recommended: null,
};

export const TRANSPORT: FieldSuggestion = {
  ...THRESHOLD,
  path: "classes[].transport",
  title: "Transport",
  symbol: null,
  unit: null,
  isWords: true,
  options: [
    { value: "qtcp", title: "QTCP" },
    { value: "dctcp", title: "DCTCP" },
  ],
  range: null,
  present: "qtcp",
  recommended: null,
};

export const suggested: Suggestions = {
  fields: [WEIGHT, THRESHOLD, TRANSPORT],
  measures: [
    { title: "Total throughput", value: "sum(classes[*].throughputGbps)", unit: "Gb/s", suggested: true },
    { title: "p99 latency", value: "classes['{class}'].latencyUs.p99", unit: "us", suggested: true },
    { title: "Drops", value: "network.drops", unit: null, suggested: false },
  ],
};

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
      paths: [THRESHOLD.path],
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
