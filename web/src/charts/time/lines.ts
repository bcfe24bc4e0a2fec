import { deviceName, deviceSeries } from "../../run/devices.ts";
import { flowSeries, recordedFlows, samplesUntilNow, series } from "../../run/read.ts";
import type { RunView, Series } from "../../run/types.ts";
import { type Axis, amountAxis, roundEnd } from "../drawing/axis.ts";
import { formatMilliseconds } from "../drawing/format.ts";
import { drawAxisLine, drawGrid } from "../drawing/frame.ts";
import { drawGutter, drawSmoothingNote } from "../drawing/gutter.ts";
import { nearestWithin } from "../drawing/hit.ts";
import {
  drawEmpty,
  drawInstants,
  drawMarker,
  emptyReason,
  gutterEnd,
  hasValues,
  markerPlaces,
  type Place,
  type Plot,
  traceSamples,
} from "../drawing/plot.ts";
import type { Mapping } from "../drawing/polyline.ts";
import { type Smoothing, smoothingOf } from "../drawing/smoothing.ts";
import type { Surface } from "../drawing/surface.ts";
import { type ClassStyle, classStyle } from "../drawing/theme.ts";
import type { By, TimeForm } from "../form.ts";
import type { TimeChartProps } from "../types.ts";
import type { ChartModel, RangeKeeper, TableColumn } from "./chartModel.ts";
import { isRecordedByFlow, LINES, type Quantity } from "./quantities.ts";

/** One line of the chart: a class, a connection, a storage device, or the fabric as a whole. */
export interface Line {
  readonly name: string;
  /** Class in the run's order; null for devices and the fabric, which are drawn in ink. */
  readonly classIndex: number | null;
  /** Its samples, in an array that is another one when the run has outgrown it: to be asked for at each use. */
  readonly series: () => Series;
}

/** Lines of a readout at most. */
const READ_OUT = 8;
/** Up to so many connections carry markers along their lines; more carry one at the end. */
const MARKED = 6;

/** The lines that a quantity has in a run. */
export function linesOf(run: RunView, quantity: Quantity, by: By): Line[] {
  if (quantity.scope === "fabric") {
    const known = () => series(run, quantity.column);
    return known() ? [{ name: "all switches", classIndex: null, series: known as () => Series }] : [];
  }
  if (quantity.scope === "devices") {
    return run.layout.devices.flatMap((_, device) => {
      const known = () => deviceSeries(run, quantity.column, device);
      return known()
        ? [{ name: deviceName(run, device), classIndex: null, series: known as () => Series }]
        : [];
    });
  }
  if (by === "class") {
    return run.classes.flatMap((item, classIndex) => {
      const known = () => series(run, quantity.column, classIndex);
      return known() ? [{ name: item.name, classIndex, series: known as () => Series }] : [];
    });
  }
  const { flows } = run.layout.graph;
  const names = flowNames(run);
  return flows.slice(0, names.length).flatMap((flow, index) => {
    const known = () => flowSeries(run, quantity.column, index);
    return known()
      ? [{ name: names[index] ?? "", classIndex: flow.class, series: known as () => Series }]
      : [];
  });
}

/** "High, h0 → s12" for each recorded connection, numbered where several join the same hosts. */
function flowNames(run: RunView): string[] {
  const { nodes, flows } = run.layout.graph;
  const plain = flows.slice(0, recordedFlows(run)).map((flow) => {
    const ends = `${nodes[flow.source]?.name} → ${nodes[flow.destination]?.name}`;
    return `${run.classes[flow.class]?.name}, ${ends}`;
  });
  return plain.map((name, index) => {
    if (plain.indexOf(name) === plain.lastIndexOf(name)) return name;
    const before = plain.slice(0, index).filter((other) => other === name).length;
    return `${name}, no. ${before + 1}`;
  });
}

/** Value of a line at a sample; NaN where it has none. */
const valueAt = (line: Line, sample: number): number => line.series().values[sample] ?? Number.NaN;

/** Of those that are known; NaN where none is. */
function mean(values: readonly number[]): number {
  const known = values.filter(Number.isFinite);
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** The last value that a line has; NaN where it has none yet. */
const latest = (run: RunView, line: Line): number => valueAt(line, samplesUntilNow(run) - 1);

/** A quantity of classes or single connections over time; the quality factor has a form of its own. */
export const linesForm: TimeForm<Quantity> = {
  subjects: LINES,
  isByConnection: isRecordedByFlow,
  model: linesModel,
};

export function linesModel(
  { run, events = [], ghost }: TimeChartProps,
  quantity: Quantity,
  by: By,
  range: RangeKeeper,
): ChartModel {
  const { title, format } = quantity;
  const lines = linesOf(run, quantity, by);
  const single = by === "connection" && quantity.scope === "classes";
  const style = (plot: Plot, line: Line) =>
    line.classIndex === null
      ? null
      : classStyle(plot.theme, run.classes[line.classIndex]?.kindIndex ?? line.classIndex);
  const kindOf = (line: Line) =>
    line.classIndex === null ? null : (run.classes[line.classIndex]?.kindIndex ?? null);

  const maximum = () =>
    range.settle(
      roundEnd(
        Math.max(
          quantity.least,
          range.observe(
            run,
            lines.map((line) => line.series().values as Float64Array),
          ),
        ),
      ),
    );
  const axisOf = (plot: Plot): Axis => amountAxis(maximum(), [plot.bottom, plot.top]);

  /** Strokes lines. Returns where they carry markers: along them, or at the end of each where there are too many. */
  function stroke(
    surface: Surface,
    plot: Plot,
    source: RunView,
    drawn: readonly Line[],
    y: Mapping,
    smoothing: Smoothing | null,
  ): { readonly look: ClassStyle; readonly places: readonly Place[] }[] {
    const past = source !== run;
    return drawn.flatMap((line, order) => {
      const look = style(plot, line);
      const traced = traceSamples(surface, source, plot, line.series(), y, { whole: past, smoothing });
      surface.stroke({
        colour: look?.mark ?? plot.theme.ink,
        width: past || single || !look ? 1 : 1.75,
        opacity: past ? 0.5 : 1,
        join: "round",
        ...(look && { dash: look.dash }),
      });
      if (!look) return [];
      const end = { x: traced.x[traced.length - 1] as number, y: traced.y[traced.length - 1] as number };
      if (drawn.length <= MARKED || !single)
        return [{ look, places: markerPlaces(traced, plot, order, drawn.length) }];
      return [{ look, places: traced.length > 0 && Number.isFinite(end.y) ? [end] : [] }];
    });
  }

  return {
    draw(surface, plot) {
      const { theme } = plot;
      const axis = axisOf(plot);
      const y = axis.scale;
      drawGrid(surface, theme, plot, axis);
      drawInstants(surface, plot, run.nowUs, events);
      const drawn = lines.map((line) => line.series());
      const smoothing = single ? null : smoothingOf(run, plot, `${quantity.id} ${by}`, drawn, y);
      surface.clipped(plot.left, plot.top - 2, plot.right - plot.left, plot.bottom - plot.top + 4, () => {
        if (ghost && !single) stroke(surface, plot, ghost, linesOf(ghost, quantity, by), y, smoothing);
        for (const { look, places } of stroke(surface, plot, run, lines, y, smoothing)) {
          for (const { x, y: at } of places) {
            drawMarker(surface, theme, look, x, at, lines.length <= MARKED || !single ? 3.2 : 2.6);
          }
        }
      });
      if (!hasValues(run, plot, drawn))
        drawEmpty(surface, plot, emptyReason(run, plot, "nothing of this kind was measured yet"));
      drawAxisLine(surface, theme, plot, null);
      drawSmoothingNote(surface, plot, smoothing);
      drawValues(surface, plot, y);
    },

    level: (plot, value) => axisOf(plot).scale(value),

    cursorMarks(plot, sample) {
      if (single && lines.length > MARKED) return [];
      const y = axisOf(plot).scale;
      return lines.map((line) => ({ y: y(valueAt(line, sample)), kindIndex: kindOf(line) }));
    },

    ...(single && {
      nearest(plot: Plot, sample: number, at: number) {
        const y = axisOf(plot).scale;
        return nearestWithin(lines, (line) => Math.abs(y(valueAt(line, sample)) - at));
      },
      drawFocus(surface: Surface, plot: Plot, index: number) {
        const line = lines[index];
        const look = line && style(plot, line);
        if (!line || !look) return;
        traceSamples(surface, run, plot, line.series(), axisOf(plot).scale);
        surface.stroke({ colour: plot.theme.bg, width: 5, join: "round" });
        surface.stroke({ colour: look.mark, width: 2.5, dash: look.dash, join: "round" });
      },
    }),

    readout(sample, pointed) {
      const at = (line: Line) => valueAt(line, sample);
      const first = pointed === null ? undefined : lines[pointed];
      const rest = single
        ? lines.filter((line) => line !== first && Number.isFinite(at(line))).sort((a, b) => at(b) - at(a))
        : lines;
      const shown = [...(first ? [first] : []), ...rest].slice(0, READ_OUT);
      const rows = shown.map((line) => ({
        name: line.name,
        kindIndex: kindOf(line),
        values: [format(at(line))],
      }));
      const more = rest.length + (first ? 1 : 0) - shown.length;
      if (more > 0) rows.push({ name: `and ${more} more`, kindIndex: null, values: [""] });
      return { columns: [quantity.shortUnit], rows };
    },

    table: lines.map(
      (line): TableColumn => ({
        header: quantity.shortUnit ? `${line.name} (${quantity.shortUnit})` : line.name,
        value: (sample) => valueAt(line, sample),
        format,
      }),
    ),

    sentence(sample) {
      const unitText = quantity.shortUnit ? ` ${quantity.shortUnit}` : "";
      const said = lines.filter((line) => Number.isFinite(valueAt(line, sample)));
      const parts = said.slice(0, READ_OUT).map((line) => `${line.name} ${format(valueAt(line, sample))}`);
      const more = said.length > READ_OUT ? ` and ${said.length - READ_OUT} more` : "";
      const text = parts.length > 0 ? `${parts.join(", ")}${unitText}${more}` : "no value";
      return `${title} at ${formatMilliseconds(run.timeUs[sample] as number)} ms: ${text}.`;
    },
  };

  /** Names and values at the right end: of each class, or the mean of its connections and how many there are. */
  function drawValues(surface: Surface, plot: Plot, y: Mapping) {
    const { theme } = plot;
    if (lines[0]?.classIndex === null) {
      const now = mean(lines.map((line) => latest(run, line)));
      const place = Math.max(plot.top + 4, Math.min(plot.bottom - 6, y(now || 0)));
      const text = lines.length > 1 ? `mean of ${lines.length}` : "now";
      surface.text({ text, colour: theme.t3 }, plot.right + 12, place + 4);
      surface.text({ text: format(now), colour: theme.ink, bold: true }, gutterEnd(plot), place + 4, {
        align: "end",
      });
      return;
    }
    const entries = run.classes.flatMap((item, i) => {
      const own = lines.filter((line) => line.classIndex === i).map((line) => latest(run, line));
      if (own.length === 0) return [];
      const now = mean(own);
      return [
        {
          style: classStyle(theme, item.kindIndex),
          name: item.name,
          value: format(now),
          y: Number.isFinite(now) ? y(now) : plot.bottom,
          ...(single && { detail: own.length === 1 ? "1 connection" : `mean of ${own.length}` }),
        },
      ];
    });
    drawGutter(surface, plot, entries);
  }
}
