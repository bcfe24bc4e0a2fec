import { createRunView, type RunRecorder } from "./recorder.ts";
import type { Graph } from "./types.ts";

const EMPTY: Graph = { nodes: [], links: [], flows: [], bottleneck: -1 };

/** Small run for tests: two classes, columns of the engine, one sample per 10 us. */
export function testRun(graph: Graph = EMPTY, warmupUs = 0): RunRecorder {
  const perClass = ["goodputGbps", "targetGbps", "qualityFactor"];
  return createRunView({
    version: "0.1.0",
    hash: "0123456789abcdef",
    classes: [
      { name: "High", transport: "qtcp" },
      { name: "Low", transport: "qtcp" },
    ],
    samplePeriodUs: 10,
    baseRttUs: 25,
    classRttUs: [],
    convergenceBand: 0.05,
    warmupUs,
    durationUs: 1000,
    nowUs: 100,
    flowColumns: [],
    sampleColumns: [
      "timeUs",
      "queueMinimum",
      "queueMaximum",
      "queueMean",
      "markedFraction",
      ...[0, 1].flatMap((i) => perClass.map((name) => `${name}.${i}`)),
    ],
    figureColumns: [
      "carriedGbps",
      "targetGbps",
      "qualityFactor",
      "requestsCompleted",
      "convergedAtUs",
      "convergedRtts",
      "backlogGrows",
    ],
    stages: [],
    deviceColumns: [],
    devices: [],
    graph,
  });
}

/** `count` sample rows from 10 us on: High at 60 of 64, Low at 34 of 32 Gb/s, a queue of 100 packets. */
export function testRows(count: number, from = 0): Float64Array {
  const rows: number[] = [];
  for (let s = from; s < from + count; s++) {
    rows.push((s + 1) * 10, 90, 110, 100, 0.25, 60, 64, 64 / 60, 34, 32, 32 / 34);
  }
  return new Float64Array(rows);
}
