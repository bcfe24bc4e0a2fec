import { describe, expect, it } from "vitest";
import { testRun } from "../../run/testRun.ts";
import { SvgSurface } from "../drawing/surface.ts";
import { THEME } from "../drawing/testTheme.ts";
import { drawLatency, latencyFrame, latencyRange } from "./latency.ts";
import { drawTails } from "./tails.ts";

const pairs = new Float64Array([100, 1, 200, 0.1, 400, 0.01, 800, 0.001]);

/** Dashes of the vertical lines at x that belong to a curve, longer than a tick. */
function verticals(svg: string, x: number): string[] {
  const lines = svg.matchAll(/<path d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)" fill="none"([^>]*)>/g);
  return [...lines].flatMap(([, fromX, fromY, toX, toY, style = ""]) => {
    const isHere = [fromX, toX].every((end) => Math.abs(Number(end) - x) < 0.5);
    if (!isHere || Math.abs(Number(toY) - Number(fromY)) < 10) return [];
    return [/stroke-dasharray="([^"]*)"/.exec(style)?.[1] ?? ""];
  });
}

describe("the chart of latency", () => {
  it("grows its axis to round values and never shrinks it", () => {
    const run = testRun();
    run.update({ latency: [pairs, new Float64Array(0)] });
    const first = latencyRange(run, null);
    expect(first.maximumUs).toBe(1000);
    run.update({ latency: [new Float64Array([300, 0.5, 350, 0.4]), new Float64Array(0)] });
    expect(latencyRange(run, first).maximumUs).toBe(1000);
  });

  it("draws equal latencies as a vertical step through their markers, dotted where few remain", () => {
    const run = testRun();
    const { figureColumns } = run.layout;
    const figures = figureColumns.map((name) => (name === "requestsCompleted" ? 11_983 : Number.NaN));
    run.update({
      latency: [new Float64Array([22.5995, 1, 22.6, 0]), new Float64Array(0)],
      figures: new Float64Array([...figures, ...figures.map(() => Number.NaN)]),
    });
    const range = latencyRange(run, null);
    const x = latencyFrame(384, 300, range).x.scale(22.6);
    const surface = new SvgSurface(THEME);
    drawLatency(surface, THEME, 384, 300, { run }, range);
    expect(verticals(surface.picture(384, 300), x)).toEqual(["", "1 3"]);
  });

  it("says at a target that no request missed it", () => {
    const run = testRun();
    run.update({ latency: [new Float64Array([100, 1, 400, 0.01, 700, 0]), new Float64Array(0)] });
    const deadlines = [{ classIndex: 0, latencyUs: 600 }];
    const surface = new SvgSurface(THEME);
    drawLatency(surface, THEME, 384, 300, { run, deadlines }, latencyRange(run, null, deadlines));
    expect(surface.picture(384, 300)).toContain("missed 0.0");
    expect(surface.picture(384, 300)).not.toContain("NaN");
  });

  it("draws equal simulated latencies beside measured ones", () => {
    const tail = (us: number) => [[us - 0.0005, 1] as const, [us, 0] as const];
    const compared = { mean: 80, p50: 80, p99: 80, p999: null, iops: 1 };
    const surface = new SvgSurface(THEME);
    const operation = {
      compared: { measured: compared, simulated: compared, errors: compared },
      measuredTail: tail(90),
      simulatedTail: tail(80),
      measuredRequests: 1000,
      simulatedRequests: 1000,
    };
    drawTails(surface, THEME, 384, 300, operation);
    const { x } = latencyFrame(
      384,
      300,
      latencyRange({ latency: [90, 80].map((us) => Float64Array.from(tail(us).flat())) }, null),
    );
    for (const us of [90, 80]) expect(verticals(surface.picture(384, 300), x.scale(us))).toEqual(["", "1 3"]);
  });

  it("puts a decade of share into a quarter of the height", () => {
    const plot = latencyFrame(384, 300, { minimumUs: 100, maximumUs: 1000 });
    expect(plot.y.scale(0.01) - plot.y.scale(0.1)).toBeCloseTo((plot.bottom - plot.top) / 4);
    expect(plot.x.scale.invert(plot.x.scale(250))).toBeCloseTo(250);
  });
});
