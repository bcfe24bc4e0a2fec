import { bottleneckPort } from "../../run/links.ts";
import { column, samplesUntilNow, series } from "../../run/read.ts";
import type { RunView } from "../../run/types.ts";
import { amountAxis, roundEnd } from "../drawing/axis.ts";
import { fixed, formatCount, formatMilliseconds, formatPackets, formatPercent } from "../drawing/format.ts";
import { crisp, drawAxisLine, drawGrid } from "../drawing/frame.ts";
import {
  binsOfRun,
  drawEmpty,
  drawInstants,
  emptyReason,
  modelAt,
  type Plot,
  REFERENCE_DASH,
  traceSamples,
} from "../drawing/plot.ts";
import { areaPath } from "../drawing/shape.ts";
import type { Surface } from "../drawing/surface.ts";
import type { TimeForm } from "../form.ts";
import type { ThresholdStep, TimeChartProps } from "../types.ts";
import type { ChartModel, RangeKeeper } from "./chartModel.ts";

/** Waiting packets at the bottleneck port with the range between samples and the ECN threshold K. */
export const queueForm: TimeForm = {
  subjects: [{ id: "queue", title: "Bottleneck queue", unit: "packets" }],
  model: (props, subject, _by, range) => queueModel(props, subject.unit, range),
};

function queueModel(props: TimeChartProps, unit: string, range: RangeKeeper): ChartModel {
  const { run, events = [], ghost } = props;
  const thresholds = props.port?.thresholds ?? [];
  const bufferPackets = props.port?.bufferPackets || Number.POSITIVE_INFINITY;
  const k = thresholds.at(-1);
  const port = bottleneckPort(run);

  function maximum(): number {
    const highestK = Math.max(0, ...thresholds.map((step) => step.packets));
    const wanted = highestK > 0 ? 2 * highestK : Math.min(bufferPackets, 200);
    const seen = range.observe(run, [column(run, "queueMaximum")]);
    return range.settle(roundEnd(Math.max(Math.min(wanted, bufferPackets), seen)));
  }

  const axisOf = (plot: Plot) => amountAxis(maximum(), [plot.bottom, plot.top]);

  return {
    unit: port ? `${unit}, ${port}` : unit,

    draw(surface, plot) {
      const { theme } = plot;
      const axis = axisOf(plot);
      const y = axis.scale;
      drawGrid(surface, theme, plot, axis);
      drawThreshold(surface, plot, thresholds, y);
      drawInstants(surface, plot, run.nowUs, events);
      surface.clipped(plot.left, plot.top - 2, plot.right - plot.left, plot.bottom - plot.top + 3, () => {
        if (ghost) {
          const values = series(ghost, "queueMean");
          if (values) traceSamples(surface, ghost, plot, values, y, { whole: true });
          surface.stroke({ colour: theme.ink, width: 1, opacity: 0.5 });
        }
        drawRange(surface, plot, run, y);
        const mean = series(run, "queueMean");
        if (mean) {
          const line = traceSamples(surface, run, plot, mean, y);
          surface.stroke({ colour: theme.ink, width: 1, join: "round" });
          if (line.length > 1) {
            surface.lineTo(line.x[line.length - 1] as number, plot.bottom);
            surface.lineTo(line.x[0] as number, plot.bottom);
            surface.fill(theme.ink, 0.07);
          }
        }
      });
      if (samplesUntilNow(run) === 0) drawEmpty(surface, plot, emptyReason(run, plot, ""));
      drawAxisLine(surface, theme, plot, null);
      if (k) {
        const place = Math.max(plot.top + 4, Math.min(plot.bottom - 16, y(k.packets)));
        surface.text(
          [
            { text: "K", colour: theme.ink, bold: true, symbol: true },
            { text: formatPackets(k.packets), colour: theme.ink, bold: true, gap: 4 },
          ],
          plot.right + 12,
          place + 1,
        );
        surface.text({ text: `${fixed(k.delayUs, 1)} µs`, colour: theme.t3 }, plot.right + 12, place + 14);
      }
    },

    level: (plot, packets) => axisOf(plot).scale(packets),

    cursorMarks(plot, sample) {
      const y = axisOf(plot).scale;
      return [{ y: y(column(run, "queueMean")?.[sample] ?? Number.NaN), kindIndex: null }];
    },

    readout(sample) {
      const at = (name: string) => formatPackets(column(run, name)?.[sample] ?? Number.NaN);
      const us = run.timeUs[sample] as number;
      const inForce = thresholds.findLast((step) => step.fromUs <= us);
      const rows = [
        { name: "mean", kindIndex: null, values: [at("queueMean")] },
        { name: "range", kindIndex: null, values: [`${at("queueMinimum")}–${at("queueMaximum")}`] },
      ];
      if (run.model) {
        const model = formatPackets(modelAt(run, run.model.queuePackets, us));
        rows.push({ name: "model", kindIndex: null, values: [model] });
      }
      if (inForce)
        rows.push({ name: "threshold K", kindIndex: null, values: [formatPackets(inForce.packets)] });
      const marked = column(run, "markedFraction")?.[sample] ?? Number.NaN;
      rows.push({ name: "marked", kindIndex: null, values: [formatPercent(marked)] });
      return { columns: ["packets"], rows };
    },

    table: [
      ["mean (packets)", "queueMean", formatPackets],
      ["lowest (packets)", "queueMinimum", formatPackets],
      ["highest (packets)", "queueMaximum", formatPackets],
      ["marked (share)", "markedFraction", formatPercent],
      ["utilisation (share)", "utilisation", formatPercent],
    ].map(([header, name, format]) => ({
      header: header as string,
      value: (s: number) => column(run, name as string)?.[s] ?? Number.NaN,
      format: format as (value: number) => string,
    })),

    sentence(sample) {
      const mean = formatCount(
        column(run, "queueMean")?.[sample] ?? Number.NaN,
        "packet waits",
        "packets wait",
      );
      const threshold = k ? `; K is ${formatPackets(k.packets)}, ${fixed(k.delayUs, 1)} µs` : "";
      return `At ${formatMilliseconds(run.timeUs[sample] as number)} ms ${mean} at the bottleneck${threshold}.`;
    },
  };
}

/** Area between the lowest and the highest queue of each sample: sawteeth finer than a sample stay visible. */
function drawRange(surface: Surface, plot: Plot, run: RunView, y: (packets: number) => number): void {
  const [lowest, highest] = [series(run, "queueMinimum"), series(run, "queueMaximum")];
  if (!lowest || !highest) return;
  const [low, high] = [binsOfRun(run, plot, lowest), binsOfRun(run, plot, highest)];
  const known = Array.from(high.count.keys()).filter((i) => high.count[i] !== 0);
  if (known.length < 2) return;
  areaPath(surface, known, (i) => plot.x(high.lastUs[i] as number), [
    (i) => y(low.min[i] as number),
    (i) => y(high.max[i] as number),
  ]);
  surface.fill(plot.theme.ink, 0.22);
}

/** K across the full width, with a step where it was changed live. */
function drawThreshold(
  surface: Surface,
  plot: Plot,
  thresholds: readonly ThresholdStep[],
  y: (packets: number) => number,
): void {
  const first = thresholds[0];
  if (!first) return;
  const level = (packets: number) => crisp(y(packets));
  surface.begin();
  surface.moveTo(plot.left, level(first.packets));
  let current = first;
  for (const step of thresholds.slice(1)) {
    const x = Math.max(plot.left, Math.min(plot.right, plot.x(step.fromUs)));
    surface.lineTo(x, level(current.packets));
    surface.lineTo(x, level(step.packets));
    current = step;
  }
  surface.lineTo(plot.right, level(current.packets));
  surface.stroke({ colour: plot.theme.t2, width: 1, dash: REFERENCE_DASH });
}
