import { column, figure, samplesUntilNow, series } from "../run/read.ts";
import type { RunView, Series } from "../run/types.ts";
import type { ChartModel, RangeKeeper, TableColumn } from "./chartModel.ts";
import { classSmoothing, drawClassLines } from "./classLines.ts";
import { formatGbps, formatMilliseconds } from "./format.ts";
import { drawGutter, drawSmoothingNote } from "./gutter.ts";
import {
  binsOfRun,
  crisp,
  drawEmpty,
  drawGrid,
  drawInstants,
  drawTitle,
  drawWarmup,
  emptyReason,
  modelAt,
  type Plot,
  REFERENCE_DASH,
  traceSamples,
} from "./plot.ts";
import type { Mapping } from "./polyline.ts";
import type { Smoothing } from "./smoothing.ts";
import type { Surface } from "./surface.ts";
import { classStyle } from "./theme.ts";
import { amountTicks, niceMaximum } from "./ticks.ts";
import type { ThroughputChartProps } from "./types.ts";

/** Goodput of each class with its target and the model's prediction. */
export function throughputModel(props: ThroughputChartProps, range: RangeKeeper): ChartModel {
  const { run, events = [], ghost } = props;
  const indices = run.classes.map((_, i) => i);

  function maximum(): number {
    const wanted = props.maximumGbps ?? 1.2 * Math.max(0, ...indices.map((i) => finite(target(run, i), 0)));
    const seen = range.observe(
      run,
      indices.flatMap((i) => [column(run, "goodputGbps", i), column(run, "targetGbps", i)]),
    );
    const { links, bottleneck } = run.layout.graph;
    return niceMaximum(Math.max(wanted || links[bottleneck]?.gbps || 100, seen));
  }

  const scaleY = (plot: Plot, top: number) => (gbps: number) =>
    plot.bottom - (gbps / top) * (plot.bottom - plot.top);

  return {
    id: "throughput",
    title: "Throughput",
    unit: "Gb/s of payload",

    draw(surface, plot) {
      const { theme } = plot;
      const top = maximum();
      const y = scaleY(plot, top);
      drawTitle(
        surface,
        plot,
        [{ text: "Throughput", colour: theme.ink, bold: true }],
        "Gb/s of payload",
        run.model ? "thin line: model (DTM)" : "",
      );
      drawWarmup(surface, plot, run.layout.warmupUs, true);
      drawGrid(surface, plot, amountTicks(top), y);
      drawInstants(surface, plot, run.nowUs, events, 25);
      const quantity = { measured: "goodputGbps", modelled: "throughputGbps" } as const;
      const smoothing = classSmoothing(run, plot, quantity.measured, y);
      drawTargets(surface, plot, run, y, smoothing);
      drawClassLines(surface, plot, run, ghost, quantity, y, smoothing);
      if (samplesUntilNow(run) === 0) drawEmpty(surface, plot, emptyReason(run, ""));
      drawSmoothingNote(surface, plot, smoothing);
      drawGutter(
        surface,
        plot,
        run.classes.map((item, i) => ({
          style: classStyle(theme, item.kindIndex),
          name: item.name,
          value: formatGbps(carried(run, i)),
          y: y(finite(target(run, i), carried(run, i), 0)),
          ...(Number.isFinite(target(run, i)) && { detail: `target ${formatGbps(target(run, i))}` }),
        })),
      );
    },

    cursorMarks(plot, sample) {
      const y = scaleY(plot, maximum());
      return run.classes.map((item, i) => ({
        y: y(column(run, "goodputGbps", i)?.[sample] ?? Number.NaN),
        kindIndex: item.kindIndex,
      }));
    },

    readout: (sample) => ({
      columns: run.model ? ["measured", "model", "target"] : ["measured", "target"],
      rows: run.classes.map((item, i) => {
        const measured = formatGbps(column(run, "goodputGbps", i)?.[sample] ?? Number.NaN);
        const wanted = formatGbps(targetAt(run, i, sample));
        const model = formatGbps(
          modelAt(run, run.model?.classes[i]?.throughputGbps, run.timeUs[sample] as number),
        );
        return {
          name: item.name,
          kindIndex: item.kindIndex,
          values: run.model ? [measured, model, wanted] : [measured, wanted],
        };
      }),
    }),

    table: run.classes.flatMap((item, i): TableColumn[] => [
      {
        header: `${item.name} (Gb/s)`,
        value: (s) => column(run, "goodputGbps", i)?.[s] ?? Number.NaN,
        format: formatGbps,
      },
      {
        header: `${item.name} target (Gb/s)`,
        value: (s) => targetAt(run, i, s),
        format: formatGbps,
      },
      ...(run.model
        ? [
            {
              header: `${item.name} model (Gb/s)`,
              value: (s: number) =>
                modelAt(run, run.model?.classes[i]?.throughputGbps, run.timeUs[s] as number),
              format: formatGbps,
            },
          ]
        : []),
    ]),

    sentence(sample) {
      const parts = run.classes.map((item, i) => {
        const measured = formatGbps(column(run, "goodputGbps", i)?.[sample] ?? Number.NaN);
        const wanted = targetAt(run, i, sample);
        return `${item.name} carries ${measured}${Number.isFinite(wanted) ? ` of ${formatGbps(wanted)}` : ""} Gb/s`;
      });
      return `At ${formatMilliseconds(run.timeUs[sample] as number)} ms ${parts.join(", ")}.`;
    },
  };
}

const finite = (...values: number[]): number => values.find(Number.isFinite) ?? 0;

/** Target of a class at a sample; NaN where none applies, which the engine writes as zero. */
const targetAt = (run: RunView, i: number, sample: number): number =>
  column(run, "targetGbps", i)?.[sample] || Number.NaN;

/** Target in force: the figure, else the last sample's. */
const target = (run: RunView, i: number): number =>
  figure(run, i, "targetGbps") || targetAt(run, i, samplesUntilNow(run) - 1);

/** Carried over the last millisecond or so; before there is such a figure, the last sample's goodput. */
function carried(run: RunView, i: number): number {
  const mean = figure(run, i, "carriedGbps");
  if (Number.isFinite(mean)) return mean;
  const n = samplesUntilNow(run);
  return n > 0 ? (column(run, "goodputGbps", i)?.[n - 1] ?? Number.NaN) : Number.NaN;
}

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
      const last = target(run, i);
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
  if (level !== last) step(last);
  surface.lineTo(plot.right, crisp(y(last)));
}
