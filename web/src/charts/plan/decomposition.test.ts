import { describe, expect, it } from "vitest";
import { SvgSurface } from "../drawing/surface.ts";
import { THEME } from "../drawing/testTheme.ts";
import {
  type Decomposition,
  decompositionSentence,
  drawDecomposition,
  percent,
  rowsOf,
  stripFrame,
} from "./decomposition.ts";

const GUTTERS = { left: 56, right: 120 };

const data: Decomposition = {
  kindIndex: 0,
  name: "WebSearch",
  fromUs: 0,
  toUs: 4e6,
  bins: 4,
  counts: Uint32Array.from([5, 6, 7, 8, 0, 3, 0, 0, 0, 1, 0, 0]),
  totals: [970, 29, 1],
  responsesUs: [50_000, 500_000],
};

describe("the classes of a workload over time", () => {
  it("are all requests, then the nested classes, then what overflows", () => {
    const rows = rowsOf(data);
    expect(rows.map(({ label }) => label)).toEqual(["All requests", "Class 1", "Class 2", "Overflow"]);
    expect([0, 1, 2, 3].map((bin) => rows[0]?.count(bin))).toEqual([5, 10, 7, 8]);
    expect(rows[0]?.total).toBe(1000);
    expect(rows[3]?.count(1)).toBe(1);
  });

  it("say of requests that are promised nothing that they are", () => {
    const rows = rowsOf({ ...data, counts: Uint32Array.from([1, 2, 3, 4]), totals: [10], responsesUs: [] });
    expect(rows.map(({ label }) => label)).toEqual(["All requests", "Promised nothing"]);
  });

  it("are drawn without a number that is none, also where there is nothing", () => {
    for (const counts of [data.counts, new Uint32Array(12)]) {
      const surface = new SvgSurface(THEME);
      drawDecomposition(surface, THEME, 744, 240, GUTTERS, { ...data, counts });
      expect(surface.document(744, 240, "#fff", "", "")).not.toMatch(/NaN|Infinity/);
    }
  });

  it("stand on a time axis that goes back from pixels", () => {
    const plot = stripFrame(744, 240, GUTTERS, data, 4);
    expect(plot.x.scale.invert(plot.x.scale(1.5e6))).toBeCloseTo(1.5e6, 3);
    expect(plot.strips).toHaveLength(4);
    expect(plot.strips.every(({ top, bottom }) => bottom > top)).toBe(true);
  });

  it("are told in words, small shares too", () => {
    expect(decompositionSentence(data)).toBe(
      "1000 requests of WebSearch. class 1, within 50 ms: 97.0\u202f%; class 2, within 500 ms: 2.9\u202f%; overflow: 0.1\u202f%.",
    );
    expect(percent(0.0001)).toBe("< 0.1 %");
    expect(percent(0)).toBe("0.0\u202f%");
  });
});
