import { cell, point, sweepTable } from "../../answers/testStudy.ts";
import type { Effect, Found, Ranking, Standing, StudyTable } from "../../generated/answers.d.ts";
import type { FieldSuggestion, StudyDocument, Suggestions } from "../../scenario/study.ts";

export { cell, point, sweepTable };

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
  suggested: false,
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
  sensitivity: {
    seeds: 2,
    walks: 9,
    vary: [
      { path: THRESHOLD.path, range: { from: 70, to: 280, count: 8, scale: "log" } },
      { path: WEIGHT.path, range: { from: 1, to: 8, count: 8, scale: "even" } },
      { path: TRANSPORT.path, values: ["qtcp", "dctcp"] },
    ],
  },
};

/** A search for the least K that keeps the latency of High, free in K and in a weight. */
export const searchStudy: StudyDocument = {
  version: 2,
  title: "Search over ECN threshold K, Weight of high priority",
  vary: [
    { path: THRESHOLD.path, range: { from: 5, to: 400, count: 14, scale: "log" } },
    { path: WEIGHT.path, range: { from: 1, to: 8, count: 8, scale: "even" } },
  ],
  measures: suggested.measures
    .slice(0, 2)
    .map(({ title, value, unit }) => ({ title, value, ...(unit && { unit }) })),
  ask: {
    kind: "search",
    targets: [
      { measure: "p99 latency, High", atMost: 300, confidence: 0.95 },
      { measure: "Total throughput", atLeast: 90, confidence: 0.95 },
    ],
    prefer: [{ of: THRESHOLD.path, wanted: "min" }],
  },
};

/** What such a search came to: the place of each point in the table, and what is thought of it. */
const TRIED: readonly (readonly [
  k: number,
  weight: number,
  p99: number,
  gbps: number,
  standing: Standing,
])[] = [
  [5, 3, 420, 84, "misses"],
  [22, 3, 281, 92, "leading"],
  [40, 3, 274, 95, "beaten"],
  [140, 3, 360, 96, "misses"],
  [22, 1, 340, 92, "misses"],
  [30, 5, 262, 93, "open"],
];

export const searchTable: StudyTable = {
  factors: [
    ...sweepTable.factors,
    {
      title: "Weight of high priority",
      symbol: null,
      unit: null,
      paths: [WEIGHT.path],
      isWords: false,
      names: {},
      scale: "even",
      present: 3,
      recommended: null,
    },
  ],
  measures: sweepTable.measures.slice(0, 2),
  firstSeed: 42,
  points: TRIED.map(([k, weight, p99, gbps]) => ({
    ...point([k, weight], [cell(gbps), cell(p99, 6)]),
    set: {
      ...(k !== 140 && { [THRESHOLD.path]: k }),
      ...(weight !== 3 && { [WEIGHT.path]: weight }),
    },
  })),
};

export const searchStandings = TRIED.map(([, , , , standing]) => standing);

export const foundAnswer: Found = {
  isMet: true,
  isStopped: false,
  headline: "The targets are met in 40 of 40 unseen seeds",
  says: "K 22 packets meets both targets in 40 of 40 unseen seeds; below it p99 latency of High breaks.",
  point: 1,
  targets: [
    {
      measure: 1,
      says: "p99 latency, High at most 300 µs in 95 % of seeds",
      measured: "281 µs (277 to 285)",
      cell: cell(281, 4, 40),
      held: 40,
      margin: 12,
      isBinding: false,
    },
    {
      measure: 0,
      says: "Total throughput at least 90 Gb/s in 95 % of seeds",
      measured: "92.0 Gb/s (91.6 to 92.4)",
      cell: cell(92, 0.4, 40),
      held: 40,
      margin: 1.4,
      isBinding: true,
    },
  ],
  preferred: [cell(22, 0, 1)],
  held: 40,
  of: 40,
  atLeast: 0.928,
  margins: [
    {
      factor: 0,
      from: 22,
      to: 61,
      below: "At 18 packets p99 latency of High is 312 µs in 9 of 40 seeds.",
      above: "At 70 packets p99 latency of High is 308 µs.",
    },
    { factor: 1, from: 3, to: 8, below: "At 2 p99 latency of High is 322 µs.", above: null },
  ],
  tradeOff: [],
  confirmed: [],
  firstGuess: 2,
  settings: 14,
  lookedAt: 6,
  notLookedAt: [],
};

/** The answer where a target cannot be met. */
export const notFound: Found = {
  ...foundAnswer,
  isMet: false,
  headline: "No setting meets the targets",
  says: "No setting keeps p99 latency of High at most 300 µs while total throughput is at least 90 Gb/s.",
  point: 2,
  held: 3,
  atLeast: 0.02,
  targets: foundAnswer.targets.map((target, at) =>
    at === 0 ? { ...target, held: 3, margin: -41.3, isBinding: true } : { ...target, isBinding: false },
  ),
  margins: [],
};

const NO_EFFECT: Effect = {
  factor: 0,
  mean: 0,
  low: 0,
  high: 0,
  chance: 12,
  signed: 0,
  signedLow: null,
  signedHigh: null,
  deviation: 0,
  deviationLow: null,
  deviationHigh: null,
  steps: 12,
  role: "nothing",
};

/** What moves the latency of High: K for sure, the weight hardly, a third field not at all. */
export const ranking: Ranking = {
  measure: 1,
  says: "K moves p99 latency of High most; transport does nothing here.",
  chance: 12,
  effects: [
    { ...NO_EFFECT, factor: 0, mean: 182, low: 151, high: 213, signed: 170, deviation: 60, role: "raises" },
    {
      ...NO_EFFECT,
      factor: 1,
      mean: 9,
      low: 4,
      high: 14,
      signed: -2,
      deviation: 8,
      steps: 9,
      role: "chance",
    },
    { ...NO_EFFECT, factor: 2 },
  ],
};
