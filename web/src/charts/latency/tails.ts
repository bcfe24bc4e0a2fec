import type { Tail } from "../../answers/fit.ts";
import type { FitOperation } from "../../generated/answers.d.ts";
import { latencyAt } from "../../run/latency.ts";
import { PERCENTILES } from "../drawing/axis.ts";
import { formatLatencyUnit } from "../drawing/format.ts";
import type { Surface } from "../drawing/surface.ts";
import type { Theme } from "../drawing/theme.ts";
import { curveParts } from "./curveParts.ts";
import { clippedToPlot, drawLatencyFrame, latencyFrame, latencyRange, traceCurve } from "./latency.ts";

/** Requests beyond a point from which on a curve counts as known. */
const ENOUGH = 10;

/** Percentiles that carry a marker. */
const MARKED = [0.5, 0.01, 0.001];

/** A tail as pairs, one behind the other. */
const flat = (tail: Tail): Float64Array => Float64Array.from(tail.flat());

/** A distribution that was measured, drawn strong, and the one that was simulated. */
export function drawTails(
  surface: Surface,
  theme: Theme,
  width: number,
  height: number,
  { measuredTail, simulatedTail, measuredRequests, simulatedRequests }: FitOperation,
): void {
  const curves = [
    { name: "measured", pairs: flat(measuredTail), requests: measuredRequests, isStrong: true },
    { name: "simulated", pairs: flat(simulatedTail), requests: simulatedRequests, isStrong: false },
  ];
  const range = latencyRange({ latency: curves.map(({ pairs }) => pairs) }, null);
  const plot = latencyFrame(width, height, range);
  drawLatencyFrame(surface, theme, plot);
  for (const { pairs, requests, isStrong } of curves) {
    const { solid, dotted } = curveParts(pairs, ENOUGH / requests);
    clippedToPlot(surface, plot, () => {
      if (traceCurve(surface, plot, solid))
        surface.stroke({ colour: theme.ink, width: isStrong ? 2.25 : 1, join: "round" });
      if (traceCurve(surface, plot, dotted))
        surface.stroke({ colour: theme.ink, width: 1, dash: [1, 3], join: "round" });
    });
    for (const share of MARKED) {
      const us = latencyAt(pairs, share);
      if (!Number.isFinite(us) || share * requests < ENOUGH) continue;
      const [x, y] = [plot.x.scale(us), plot.y.scale(share)];
      if (x < plot.left || x > plot.right) continue;
      surface.begin();
      surface.circle(x, y, isStrong ? 3 : 4.5);
      if (isStrong) surface.fill(theme.ink);
      else surface.stroke({ colour: theme.ink, width: 1.25 });
    }
  }
}

/** Rows of the table twin: at each percentile both latencies. */
export function* tailRows({
  measuredTail,
  simulatedTail,
}: FitOperation): Iterable<readonly (string | number)[]> {
  const [measured, simulated] = [flat(measuredTail), flat(simulatedTail)];
  for (const { name, share } of PERCENTILES)
    yield [name, latencyAt(measured, share), latencyAt(simulated, share)];
}

export const TAIL_HEADERS = ["percentile", "measured (us)", "simulated (us)"];

/** The picture in words. */
export function tailSentence(job: string, kind: string, { compared }: FitOperation): string {
  const { measured, simulated } = compared;
  const of = (name: string, at: "p50" | "p99" | "p999") => {
    const [one, other] = [measured[at], simulated[at]];
    return one === null || other === null
      ? []
      : [`${name} ${formatLatencyUnit(one)} measured, ${formatLatencyUnit(other)} simulated`];
  };
  const said = [...of("p50", "p50"), ...of("p99", "p99"), ...of("p99.9", "p999")];
  return `Share of ${kind} of ${job} slower than a latency. ${said.join("; ")}.`;
}
