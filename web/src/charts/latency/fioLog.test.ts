import { describe, expect, it } from "vitest";
import type { FioLog } from "../../generated/answers.d.ts";
import { SvgSurface } from "../drawing/surface.ts";
import { THEME } from "../drawing/testTheme.ts";
import { drawLog, linesOf, logHeaders, logRows, logSentence, logUnit } from "./fioLog.ts";

const bandwidth: FioLog = {
  file: "fill_bw.1.log",
  title: "Bandwidth",
  unit: "B/s",
  quantity: "bandwidth",
  remarks: [],
  reads: [],
  writes: [
    { atS: 1, mean: 2e9 },
    { atS: 2, mean: 2.1e9 },
    { atS: 3, mean: 0.3e9 },
  ],
};
const latency: FioLog = {
  file: "mix_clat_hist.1.log",
  title: "Completion latency",
  unit: "µs",
  quantity: "completion-latency",
  remarks: [],
  reads: [
    { atS: 1, mean: 90, p50: 80, p99: 400, max: 900 },
    { atS: 2, mean: 95, p50: 82, p99: 6000, max: 9000 },
  ],
  writes: [{ atS: 2, mean: 20, max: 50 }],
};

describe("a log of fio over time", () => {
  it("has a line for the mean, and one for p99, or for the maximum where there is no percentile", () => {
    expect(linesOf(bandwidth).map(({ kind, of }) => `${kind} ${of}`)).toEqual(["writes mean"]);
    expect(linesOf(latency).map(({ kind, of }) => `${kind} ${of}`)).toEqual([
      "reads mean",
      "reads p99",
      "writes mean",
      "writes max",
    ]);
  });

  it("begins at zero for rates, and is logarithmic where latencies are of many orders", () => {
    expect(logUnit(bandwidth)).toBe("MB/s");
    expect(logUnit(latency)).toBe("µs, log axis");
  });

  it("is told in words, rates in megabytes a second", () => {
    expect(logSentence(bandwidth)).toBe(
      "Bandwidth over time. writes, mean: 2000 MB/s at first, 300 MB/s at last, from 300 MB/s to 2100 MB/s.",
    );
  });

  it("has a row for each instant, not-a-number where a log says nothing of one", () => {
    expect(logHeaders(latency)[2]).toBe("reads, p99 (us)");
    expect([...logRows(latency)]).toEqual([
      [1, 90, 400, Number.NaN, Number.NaN],
      [2, 95, 6000, 20, 50],
    ]);
  });

  it("is drawn with the name of each line at its end", () => {
    const surface = new SvgSurface(THEME);
    drawLog(surface, THEME, 600, 160, latency);
    const svg = surface.picture(600, 160);
    for (const name of ["reads", "reads, p99", "writes", "writes, greatest"])
      expect(svg).toContain(`>${name}<`);
    expect(svg).not.toContain("NaN");
  });
});
