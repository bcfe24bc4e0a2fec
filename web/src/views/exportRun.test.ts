import { describe, expect, it } from "vitest";
import { toCsv } from "../charts/export.ts";
import { createRunView } from "../run/recorder.ts";
import type { RunLayout } from "../run/types.ts";
import { seriesOf } from "./exportRun.ts";

const run = createRunView({
  classes: [{ name: "High" }, { name: "Low, slow" }],
  sampleColumns: ["timeUs", "queueMean", "goodputGbps.0", "goodputGbps.1"],
  flowColumns: [],
  figureColumns: [],
  deviceColumns: [],
  devices: [],
  graph: { nodes: [], links: [], flows: [], bottleneck: -1 },
} as unknown as RunLayout);
run.update({ rows: Float64Array.of(10, 2.5, 40, Number.NaN, 20, 3, 41, 9), nowUs: 25 });

describe("the run as CSV", () => {
  it("has a row for each sample, columns named after classes, and says where it comes from", () => {
    const stamp = { scenario: "Mine", hash: "0123", seed: 7, engineVersion: "0.1.0" };
    expect(toCsv(seriesOf(run), stamp).split("\n")).toEqual([
      "# Samples up to 0.025 ms",
      "# Mine; scenario hash 0123; seed 7; QoScope engine 0.1.0",
      'timeUs,queueMean,goodputGbps.High,"goodputGbps.Low, slow"',
      "10,2.5,40,",
      "20,3,41,9",
      "",
    ]);
  });
});
