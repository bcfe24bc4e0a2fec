import { describe, expect, it } from "vitest";
import { testRows, testRun } from "../run/testRun.ts";
import { timePlot } from "./drawing/plot.ts";
import { SvgSurface } from "./drawing/surface.ts";
import { THEME as theme } from "./drawing/testTheme.ts";
import type { Subject, TimeForm } from "./form.ts";
import { type Exportable, toCsv, toSvg } from "./frame/export.ts";
import { type ChartModel, createRangeKeeper } from "./time/chartModel.ts";
import { createTimeCursor } from "./time/cursor.ts";
import { drawChart } from "./time/frame.ts";
import { convergence, qualityAxis, qualityForm } from "./time/quality.ts";
import { queueForm } from "./time/queue.ts";
import { throughputForm } from "./time/throughput.ts";
import type { TimeChartProps } from "./types.ts";

const stamp = {
  scenario: 'Two, "quoted" writers',
  hash: "0123456789abcdef",
  seed: 42,
  engineVersion: "0.1.0",
};
const plot = timePlot(theme, 744, 160, { left: 56, right: 120 }, [0, 1000]);

function props() {
  const run = testRun();
  run.update({
    rows: testRows(60),
    nowUs: 600,
    figures: new Float64Array([60, 64, 1.07, 100, Number.NaN, Number.NaN, 0, 34, 32, 0.94, 50, 380, 15.2, 0]),
  });
  return {
    run,
    domainUs: [0, 1000] as const,
    gutters: { left: 56, right: 120 },
    cursor: createTimeCursor(),
    height: 160,
  };
}

/** The model of a form with one subject. */
const modelOf =
  <S extends Subject>(form: TimeForm<S>) =>
  (given: TimeChartProps, range = createRangeKeeper()) =>
    form.model(given, form.subjects[0] as S, "class", range);
const throughputModel = modelOf(throughputForm);
const qualityModel = modelOf(qualityForm);
const queueModel = modelOf(queueForm);

const drawn = (model: ChartModel, run = testRun()) => {
  const surface = new SvgSurface(theme);
  drawChart(surface, plot, run, model);
  return surface.document(744, 160, "#fff", "t", "d");
};

describe("throughput", () => {
  it("labels lines with name, value and target instead of a legend", () => {
    const svg = drawn(throughputModel(props()));
    for (const text of ["High", "60.0", "target 64.0", "Low", "34.0", "target 32.0"])
      expect(svg).toContain(`>${text}<`);
    expect(svg).toContain('stroke-dasharray="2 2.5"');
  });

  it("says the same in words", () => {
    const model = throughputModel(props());
    expect(model.sentence(9)).toBe(
      "At 0.100 ms High carries 60.0 of 64.0 Gb/s, Low carries 34.0 of 32.0 Gb/s.",
    );
  });

  it("keeps its range until exceeded and then does not shrink", () => {
    const range = createRangeKeeper();
    const { run } = props();
    const values = () => run.columns["goodputGbps.0"];
    expect(range.observe(run, [values()])).toBe(60);
    const spike = testRows(1, 60);
    spike[5] = 97;
    run.update({ rows: spike });
    expect(range.observe(run, [values()])).toBe(97);
    run.rewind(300);
    expect(range.observe(run, [values()])).toBe(97);
    expect(range.observe(testRun(), [])).toBe(0);
  });
});

describe("targets", () => {
  /** High without a target, whose column is then zero. */
  const untargeted = () => {
    const run = testRun();
    const rows = testRows(60);
    for (let s = 0; s < 60; s++) rows[s * 11 + 6] = 0;
    run.update({ rows, nowUs: 600 });
    return { ...props(), run };
  };

  it("are not said, read out or tabled where there is none", () => {
    const model = throughputModel(untargeted());
    expect(model.sentence(9)).toContain("High carries 60.0 Gb/s,");
    expect(model.readout(9, null).rows[0]?.values).toEqual(["60.0", "–"]);
    expect(model.table[1]?.value(9)).toBeNaN();
  });

  it("stay within the plot, whatever they were", () => {
    const { run, ...rest } = props();
    const high = testRows(1, 60);
    high[6] = 960;
    run.update({ rows: high, nowUs: 620 });
    const svg = drawn(throughputModel({ run, ...rest }));
    const heights = [...svg.matchAll(/[ML]([\d.-]+)[ ,]([\d.-]+)/g)].map(([, , y]) => Number(y));
    expect(heights.length).toBeGreaterThan(10);
    expect(Math.min(...heights.filter((y) => y !== 25))).toBeGreaterThanOrEqual(plot.top - 5);
  });
});

describe("the warm-up", () => {
  it("is shaded and named", () => {
    const run = testRun(undefined, 250);
    run.update({ rows: testRows(60), nowUs: 600 });
    const svg = drawn(throughputModel({ ...props(), run }), run);
    expect(svg).toContain(">warm-up<");
    expect(drawn(throughputModel(props()))).not.toContain("warm-up");
  });
});

describe("an empty chart", () => {
  it("says why it is empty", () => {
    const run = testRun();
    expect(drawn(throughputModel({ ...props(), run }))).toContain("Empty until the first sample.");
    const rows = testRows(60);
    for (let s = 0; s < 60; s++)
      rows.fill(Number.NaN, s * 11 + 7, s * 11 + 8).fill(Number.NaN, s * 11 + 10, s * 11 + 11);
    run.update({ rows, nowUs: 600 });
    expect(drawn(qualityModel({ ...props(), run }))).toContain("Q needs a target");
    expect(drawn(qualityModel(props()))).not.toContain("Empty");
  });
});

describe("bursts", () => {
  it("are drawn as a mean whose length the chart states", () => {
    const run = testRun();
    const rows = testRows(90);
    for (let s = 0; s < 90; s++)
      rows
        .fill(s % 2 === 0 ? 0 : 90, s * 11 + 5, s * 11 + 6)
        .fill(s % 2 === 0 ? 0 : 90, s * 11 + 8, s * 11 + 9);
    run.update({ rows, nowUs: 900 });
    const svg = drawn(throughputModel({ ...props(), run }));
    expect(svg).toContain(">mean over 20 µs<");
    expect(drawn(throughputModel(props()))).not.toContain("mean over");
  });
});

describe("quality factor", () => {
  it("treats half and twice the target alike and clips beyond", () => {
    const y = qualityAxis({ top: 30, bottom: 130 }).scale;
    expect(y(1)).toBe(80);
    expect(y(2) - 80).toBe(80 - y(0.5));
    expect(y(40)).toBe(y(2));
    expect(y(Number.POSITIVE_INFINITY)).toBe(y(2));
  });

  it("raises a flag for a class that converged and names those that did not", () => {
    const { run, ...rest } = props();
    expect(drawn(qualityModel({ run, ...rest }))).toContain("converged 0.38 ms, 15 RTT");
    expect(convergence(run)).toBe("outside the band: High");
  });

  /** Samples of bursts: 150 and 50 of a target of 100 Gb/s, whose ratios have a mean of 1.33. */
  function burstProps() {
    const given = props();
    const rows = testRows(40, 60).map((value, i) => {
      const even = Math.floor(i / 11) % 2 === 0;
      return (
        [value, value, value, value, value, even ? 150 : 50, 100, even ? 2 / 3 : 2, 34, 34, 1][i % 11] ?? 0
      );
    });
    given.run.update({
      rows,
      nowUs: 1000,
      figures: new Float64Array([100, 100, 1, 100, Number.NaN, Number.NaN, 0, 34, 34, 1, 50, 380, 15.2, 0]),
    });
    return given;
  }

  it("line_readout_table_and_gutter_have_one_value", () => {
    const given = burstProps();
    const model = qualityModel(given);
    expect(model.readout(99, null).rows[0]?.values[0]).toBe("1.00");
    expect(model.table[0]?.value(99)).toBeCloseTo(1);
    const [mark] = model.cursorMarks(plot, 99);
    expect(mark?.y).toBeCloseTo(qualityAxis(plot).scale(1));
    expect(drawn(model, given.run)).toContain(">1.00<");
    expect(model.unit).toBe("target ÷ achieved, mean over 100 µs");
  });

  it("flags_in_a_narrow_plot_stay_within_it", () => {
    const given = props();
    const narrow = timePlot(theme, 300, 160, { left: 56, right: 108 }, [0, 1000]);
    const surface = new SvgSurface(theme);
    drawChart(surface, narrow, given.run, qualityModel(given));
    const svg = surface.document(300, 160, "#fff", "t", "d");
    const [, x, anchor] =
      /<text x="([\d.]+)"[^>]*text-anchor="(\w+)"[^>]*><tspan[^>]*>Low<\/tspan><tspan[^>]*> 0.38/.exec(svg) ??
      [];
    expect(anchor).toBe("end");
    expect(Number(x)).toBeGreaterThan(narrow.left + 60);
    expect(Number(x)).toBeLessThanOrEqual(narrow.right);
  });
});

describe("queue", () => {
  it("draws K with its delay", () => {
    const thresholds = [{ fromUs: 0, packets: 140, delayUs: 16.8 }];
    const svg = drawn(queueModel({ ...props(), port: { thresholds, bufferPackets: 0 } }));
    expect(svg).toContain(">140<");
    expect(svg).toContain("16.8 µs");
  });

  it("reads out mean, range and K in force at the time", () => {
    const thresholds = [
      { fromUs: 0, packets: 140, delayUs: 16.8 },
      { fromUs: 300, packets: 35, delayUs: 4.2 },
    ];
    const { rows } = queueModel({ ...props(), port: { thresholds, bufferPackets: 0 } }).readout(9, null);
    expect(rows.map((row) => row.values[0])).toEqual(["100", "90–110", "140", "25\u202f%"]);
  });
});

describe("export", () => {
  it("states scenario, hash, seed and engine version in CSV and SVG", () => {
    const chart: Exportable = {
      id: "throughput",
      title: "Throughput",
      headers: ["time (ms)", "High, measured"],
      rows: [[0.01, Number.NaN]],
      width: 744,
      height: 160,
      draw: () => {},
    };
    const csv = toCsv(chart, stamp);
    expect(csv.split("\n")).toEqual([
      "# Throughput",
      '# Two, "quoted" writers; scenario hash 0123456789abcdef; seed 42; QoScope engine 0.1.0',
      'time (ms),"High, measured"',
      "0.01,",
      "",
    ]);
    const svg = toSvg(chart, stamp, theme);
    expect(svg).toContain("scenario hash 0123456789abcdef; seed 42; QoScope engine 0.1.0");
    expect(svg).not.toContain('"quoted"');
  });
});
