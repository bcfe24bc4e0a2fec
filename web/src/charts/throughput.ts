import type { ChartModel, RangeKeeper, TableColumn } from "./chartModel.ts";
import { drawClassLines } from "./classLines.ts";
import { formatGbps, formatMilliseconds } from "./format.ts";
import {
  drawGrid,
  drawGutterEntry,
  drawInstants,
  drawTitle,
  modelAt,
  type Plot,
  REFERENCE_DASH,
} from "./plot.ts";
import { pushApart } from "./pushApart.ts";
import { column, figure, samplesUntilNow } from "./run.ts";
import { classStyle } from "./theme.ts";
import { amountTicks, niceMaximum } from "./ticks.ts";
import type { RunView, ThroughputChartProps } from "./types.ts";

/** Goodput of each class with its target and the model's prediction. */
export function throughputModel(props: ThroughputChartProps, range: RangeKeeper): ChartModel {
  const { run, events = [], ghost } = props;
  const indices = run.classes.map((_, i) => i);

  function maximum(): number {
    const wanted = props.maximumGbps ?? 1.2 * Math.max(0, ...indices.map((i) => finite(target(run, i), 0)));
    const seen = range.observe(
      run,
      indices.map((i) => column(run, "goodputGbps", i)),
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
      drawGrid(surface, plot, amountTicks(top), y);
      drawTargets(surface, plot, run, y);
      drawInstants(surface, plot, run.nowUs, events, 25);
      drawClassLines(surface, plot, run, ghost, { measured: "goodputGbps", modelled: "throughputGbps" }, y);

      // Right gutter: two lines each, or one where many classes leave no room.
      const wanted = indices.map((i) => y(finite(target(run, i), carried(run, i), 0)));
      const aims = indices.some((i) => Number.isFinite(target(run, i)));
      const twoLines = aims && indices.length * 27 <= plot.bottom - plot.top + 24;
      const places = pushApart(wanted, twoLines ? 27 : 15, plot.top - 8, plot.bottom - (twoLines ? 12 : 2));
      run.classes.forEach((item, i) => {
        const place = places[i] as number;
        const style = classStyle(theme, item.kindIndex);
        drawGutterEntry(
          surface,
          plot,
          style,
          item.name,
          formatGbps(carried(run, i)),
          place - (twoLines ? 3 : 0),
        );
        const wantedGbps = target(run, i);
        if (twoLines && Number.isFinite(wantedGbps)) {
          surface.text(
            { text: `target ${formatGbps(wantedGbps)}`, colour: theme.t3 },
            plot.right + 26,
            place + 13.5,
          );
        }
      });
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
        const wanted = formatGbps(column(run, "targetGbps", i)?.[sample] ?? Number.NaN);
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
        value: (s) => column(run, "targetGbps", i)?.[s] ?? Number.NaN,
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
        const wanted = column(run, "targetGbps", i)?.[sample] ?? Number.NaN;
        return `${item.name} carries ${measured}${Number.isFinite(wanted) ? ` of ${formatGbps(wanted)}` : ""} Gb/s`;
      });
      return `At ${formatMilliseconds(run.timeUs[sample] as number)} ms ${parts.join(", ")}.`;
    },
  };
}

const finite = (...values: number[]): number => values.find(Number.isFinite) ?? 0;

/** Target in force: the figure, else the last sample's. */
function target(run: RunView, i: number): number {
  const n = samplesUntilNow(run);
  return (
    finite(
      figure(run, i, "targetGbps"),
      n > 0 ? (column(run, "targetGbps", i)?.[n - 1] ?? Number.NaN) : Number.NaN,
      Number.NaN,
    ) || Number.NaN
  );
}

/** Carried over the last millisecond or so; before there is such a figure, the last sample's goodput. */
function carried(run: RunView, i: number): number {
  const mean = figure(run, i, "carriedGbps");
  if (Number.isFinite(mean)) return mean;
  const n = samplesUntilNow(run);
  return n > 0 ? (column(run, "goodputGbps", i)?.[n - 1] ?? Number.NaN) : Number.NaN;
}

/** A reference line per distinct target across the full width, with a step where a change moved the target. */
function drawTargets(
  surface: Parameters<ChartModel["draw"]>[0],
  plot: Plot,
  run: RunView,
  y: (gbps: number) => number,
): void {
  const n = samplesUntilNow(run);
  run.classes.forEach((_, i) => {
    const values = column(run, "targetGbps", i);
    const last = target(run, i);
    if (!Number.isFinite(last)) return;
    surface.begin();
    let level = n > 0 && values ? (values[0] as number) : last;
    surface.moveTo(plot.left, Math.floor(y(Number.isFinite(level) ? level : last)) + 0.5);
    for (let s = 1; values && s < n; s++) {
      const next = values[s] as number;
      if (next === level || !Number.isFinite(next)) continue;
      const x = plot.x(run.timeUs[s - 1] as number);
      surface.lineTo(x, Math.floor(y(Number.isFinite(level) ? level : next)) + 0.5);
      surface.lineTo(x, Math.floor(y(next)) + 0.5);
      level = next;
    }
    surface.lineTo(plot.right, Math.floor(y(last)) + 0.5);
    surface.stroke({ colour: plot.theme.t2, width: 1, dash: REFERENCE_DASH });
  });
}
