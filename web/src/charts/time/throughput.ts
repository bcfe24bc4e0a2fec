import { outOfReach } from "../../run/bottleneck.ts";
import { column, figure, samplesUntilNow, series } from "../../run/read.ts";
import { targetShare, throughputShares } from "../../run/shares.ts";
import { presentTarget } from "../../run/targets.ts";
import type { RunView, Series } from "../../run/types.ts";
import { amountAxis, roundEnd } from "../drawing/axis.ts";
import { formatGbps, formatMilliseconds, formatPercent } from "../drawing/format.ts";
import { crisp, drawGrid } from "../drawing/frame.ts";
import { drawSmoothingNote } from "../drawing/gutter.ts";
import {
  binsOfRun,
  drawEmpty,
  drawInstants,
  emptyReason,
  type Plot,
  REFERENCE_DASH,
  traceSamples,
} from "../drawing/plot.ts";
import type { Mapping } from "../drawing/polyline.ts";
import type { Smoothing } from "../drawing/smoothing.ts";
import type { Surface } from "../drawing/surface.ts";
import type { TimeForm } from "../form.ts";
import type { TimeChartProps } from "../types.ts";
import type { ChartModel, RangeKeeper, Readout, TableColumn } from "./chartModel.ts";
import {
  type ClassQuantity,
  classMarks,
  classReadout,
  classSmoothing,
  drawClassGutter,
  drawClassLines,
  measuredAt,
  measuredColumn,
  modelColumns,
  presentOf,
} from "./classLines.ts";

const GOODPUT: ClassQuantity = {
  measured: (run, i) => series(run, "goodputGbps", i),
  present: (run, i) => figure(run, i, "carriedGbps"),
  modelled: "throughputGbps",
  format: formatGbps,
};

/** Goodput of each class with its target and the model's prediction, or, where the rates of the network are out of reach, its share. */
export const throughputForm: TimeForm = {
  subjects: [{ id: "throughput", title: "Throughput", unit: "Gb/s of payload" }],
  model: (props, _subject, _by, range) => throughputModel(props, range),
};

function throughputModel({ run, events = [], ghost }: TimeChartProps, range: RangeKeeper): ChartModel {
  const indices = run.classes.map((_, i) => i);
  const why = outOfReach(run);
  const { modelled, ...measured } = GOODPUT;
  const goodput: ClassQuantity = why === null ? GOODPUT : measured;
  const target = (i: number) => (why === null ? targetNow(run, i) : Number.NaN);
  const targetAt = (i: number, sample: number) => (why === null ? targetOf(run, i, sample) : Number.NaN);

  function maximum(): number {
    const wanted = 1.2 * Math.max(0, ...indices.map((i) => finite(target(i), 0)));
    const names = why === null ? ["goodputGbps", "targetGbps"] : ["goodputGbps"];
    const seen = range.observe(
      run,
      indices.flatMap((i) => names.map((name) => column(run, name, i))),
    );
    const { links, bottleneck } = run.layout.graph;
    const least = why === null || seen === 0 ? links[bottleneck]?.gbps || 100 : 0;
    return range.settle(roundEnd(Math.max(wanted || least, seen)));
  }

  const axisOf = (plot: Plot) => amountAxis(maximum(), [plot.bottom, plot.top]);

  return {
    note: why !== null ? why : run.model ? "thin line: model (DTM)" : "",

    draw(surface, plot) {
      const axis = axisOf(plot);
      const y = axis.scale;
      drawGrid(surface, plot.theme, plot, axis);
      drawInstants(surface, plot, run.nowUs, events);
      const smoothing = classSmoothing(run, plot, goodput, y);
      if (why === null) drawTargets(surface, plot, run, y, smoothing);
      drawClassLines(surface, plot, run, ghost, goodput, y, smoothing);
      if (samplesUntilNow(run) === 0) drawEmpty(surface, plot, emptyReason(run, plot, ""));
      drawSmoothingNote(surface, plot, smoothing);
      drawClassGutter(surface, plot, run, goodput, (i) => {
        const wanted = target(i);
        return {
          y: y(finite(wanted, presentOf(run, goodput, i), 0)),
          ...(Number.isFinite(wanted) && { detail: `target ${formatGbps(wanted)}` }),
        };
      });
    },

    level: (plot, gbps) => axisOf(plot).scale(gbps),

    cursorMarks: (plot, sample) => classMarks(run, goodput, sample, axisOf(plot).scale),

    readout: (sample) =>
      why === null
        ? classReadout(run, goodput, sample, (i) => targetAt(i, sample))
        : shareReadout(run, goodput, sample),

    table: run.classes.flatMap(({ name }, i): TableColumn[] => [
      measuredColumn(run, goodput, i, `${name} (Gb/s)`),
      ...(why === null
        ? [
            {
              header: `${name} target (Gb/s)`,
              value: (sample: number) => targetAt(i, sample),
              format: formatGbps,
            },
            ...modelColumns(run, goodput, i, `${name} model (Gb/s)`),
          ]
        : [
            {
              header: `${name} share`,
              value: (sample: number) => shareAt(run, i, sample),
              format: formatPercent,
            },
            { header: `${name} target share`, value: () => targetShare(run, i), format: formatPercent },
          ]),
    ]),

    sentence(sample) {
      const parts = run.classes.map(({ name }, i) => {
        const carried = formatGbps(measuredAt(run, goodput, i, sample));
        const wanted = targetAt(i, sample);
        const of = Number.isFinite(wanted) ? ` of ${formatGbps(wanted)}` : "";
        return `${name} carries ${carried}${of} Gb/s${why === null ? "" : shareText(run, i, sample)}`;
      });
      return `At ${formatMilliseconds(run.timeUs[sample] as number)} ms ${parts.join(", ")}.`;
    },
  };
}

const finite = (...values: number[]): number => values.find(Number.isFinite) ?? 0;

/** Target of a class at a sample; NaN where none applies, which the engine writes as zero. */
const targetOf = (run: RunView, i: number, sample: number): number =>
  column(run, "targetGbps", i)?.[sample] || Number.NaN;

/** Target in force: the figure, else the last sample's. */
const targetNow = (run: RunView, i: number): number =>
  Number.isFinite(figure(run, i, "targetGbps"))
    ? presentTarget(run, i)
    : targetOf(run, i, samplesUntilNow(run) - 1);

/** What part of all that was carried at a sample a class had. */
const shareAt = (run: RunView, i: number, sample: number): number =>
  throughputShares(run, i).values[sample] ?? Number.NaN;

function shareText(run: RunView, i: number, sample: number): string {
  const share = shareAt(run, i, sample);
  const target = targetShare(run, i);
  if (!Number.isFinite(share)) return "";
  return ` (${formatPercent(share)}${Number.isFinite(target) ? `, target ${formatPercent(target)}` : ""})`;
}

/** What each class carries at a sample, and what part of all that is, against its part of the targets. */
const shareReadout = (run: RunView, quantity: ClassQuantity, sample: number): Readout => ({
  columns: ["Gb/s", "share", "target"],
  rows: run.classes.map(({ name, kindIndex }, i) => ({
    name,
    kindIndex,
    values: [
      quantity.format(measuredAt(run, quantity, i, sample)),
      formatPercent(shareAt(run, i, sample)),
      formatPercent(targetShare(run, i)),
    ],
  })),
});

/** A reference line for each target across the full width, with a step where it moved; a mean where the lines are means. */
function drawTargets(
  surface: Surface,
  plot: Plot,
  run: RunView,
  y: Mapping,
  smoothing: Smoothing | null,
): void {
  surface.clipped(plot.left, plot.top - 2, plot.right - plot.left, plot.bottom - plot.top + 4, () => {
    // Many targets step back, or they would hide the lines.
    const opacity = run.classes.length > 6 ? 0.45 : 1;
    for (const i of run.classes.keys()) {
      const values = series(run, "targetGbps", i);
      const last = targetNow(run, i);
      if (!Number.isFinite(last)) continue;
      if (values && smoothing) traceSamples(surface, run, plot, values, y, { smoothing });
      else traceSteps(surface, run, plot, values, y, last);
      surface.stroke({ colour: plot.theme.t2, width: 1, dash: REFERENCE_DASH, opacity });
    }
  });
}

function traceSteps(
  surface: Surface,
  run: RunView,
  plot: Plot,
  values: Series | undefined,
  y: Mapping,
  last: number,
): void {
  const bins = values && binsOfRun(run, plot, values);
  let level = Number.NaN;
  let until = plot.left;
  const step = (next: number) => {
    if (Number.isNaN(level)) surface.moveTo(plot.left, crisp(y(next)));
    else {
      surface.lineTo(until, crisp(y(level)));
      surface.lineTo(until, crisp(y(next)));
    }
    level = next;
  };
  surface.begin();
  for (let i = 0; bins && i < bins.columns; i++) {
    if (bins.count[i] === 0) continue;
    const next = bins.last[i] as number;
    if (next > 0 && next !== level) step(next);
    until = plot.x(bins.lastUs[i] as number);
  }
  // What is in force now says nothing of a stretch that ended before.
  const end = plot.timeAt(plot.right) < run.nowUs && !Number.isNaN(level) ? level : last;
  if (level !== end) step(end);
  surface.lineTo(plot.right, crisp(y(end)));
}
