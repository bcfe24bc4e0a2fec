import type { ChartModel, RangeKeeper, TableColumn } from "./chartModel.ts";
import type { Mapping } from "./decimate.ts";
import { formatMilliseconds } from "./format.ts";
import {
  drawAxisLine,
  drawGrid,
  drawGutterEntry,
  drawInstants,
  drawLineMarkers,
  drawMarker,
  drawTitle,
  gutterEnd,
  type Plot,
  traceSamples,
} from "./plot.ts";
import { pushApart } from "./pushApart.ts";
import type { Quantity } from "./quantities.ts";
import { column, flowColumn, recordedFlows, samplesUntilNow } from "./run.ts";
import type { Surface } from "./surface.ts";
import { classStyle } from "./theme.ts";
import { amountTicks, niceMaximum } from "./ticks.ts";
import type { RunView, TimeChartProps } from "./types.ts";

/** One line of the chart: a class, a connection, or the fabric as a whole. */
export interface Line {
  readonly name: string;
  /** Class in the run's order; null for the fabric, which is drawn in ink. */
  readonly classIndex: number | null;
  readonly values: Float64Array;
}

export type By = "class" | "connection";

/** Lines of a readout at most. */
const READ_OUT = 8;
/** Up to so many connections carry markers along their lines; more carry one at the end. */
const MARKED = 6;

/** The lines that a quantity has in a run. */
export function linesOf(run: RunView, quantity: Quantity, by: By): Line[] {
  if (quantity.scope === "fabric") {
    const values = column(run, quantity.column);
    return values ? [{ name: "all switches", classIndex: null, values }] : [];
  }
  if (by === "class") {
    return run.classes.flatMap((item, classIndex) => {
      const values = column(run, quantity.column, classIndex);
      return values ? [{ name: item.name, classIndex, values }] : [];
    });
  }
  const { flows } = run.layout.graph;
  const names = flowNames(run);
  return flows.slice(0, names.length).flatMap((flow, index) => {
    const values = flowColumn(run, quantity.column, index);
    return values ? [{ name: names[index] ?? "", classIndex: flow.class, values }] : [];
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

/** The last value that a line has; NaN where it has none yet. */
const latest = (run: RunView, line: Line): number => line.values[samplesUntilNow(run) - 1] ?? Number.NaN;

/** A quantity of classes or single connections over time. */
export function signalModel(
  props: TimeChartProps & { readonly quantity: Quantity; readonly by: By },
  range: RangeKeeper,
): ChartModel {
  const { run, events = [], ghost, quantity, by } = props;
  const { title, symbol, unit, format } = quantity;
  const lines = linesOf(run, quantity, by);
  const single = by === "connection" && quantity.scope === "classes";
  const style = (plot: Plot, line: Line) =>
    line.classIndex === null
      ? null
      : classStyle(plot.theme, run.classes[line.classIndex]?.kindIndex ?? line.classIndex);
  const kindOf = (line: Line) =>
    line.classIndex === null ? null : (run.classes[line.classIndex]?.kindIndex ?? null);

  const maximum = () =>
    niceMaximum(
      Math.max(
        quantity.least,
        range.observe(
          run,
          lines.map((line) => line.values),
        ),
      ),
    );
  const scaleY = (plot: Plot): Mapping => {
    const top = maximum();
    return (value) => plot.bottom - (value / top) * (plot.bottom - plot.top);
  };

  function stroke(surface: Surface, plot: Plot, source: RunView, drawn: readonly Line[], y: Mapping) {
    const past = source !== run;
    for (const line of drawn) {
      const look = style(plot, line);
      traceSamples(surface, source, plot, line.values, y, past);
      surface.stroke({
        colour: look?.mark ?? plot.theme.ink,
        width: past || single || !look ? 1 : 1.75,
        opacity: past ? 0.5 : 1,
        join: "round",
        ...(look && { dash: look.dash }),
      });
    }
  }

  /** Markers along the lines, or one at each end where there are too many lines. */
  function mark(surface: Surface, plot: Plot, y: Mapping) {
    const n = samplesUntilNow(run);
    lines.forEach((line, order) => {
      const look = style(plot, line);
      if (!look) return;
      if (lines.length <= MARKED || !single) {
        drawLineMarkers(surface, run, plot, look, order, lines.length, line.values, y);
      } else if (Number.isFinite(latest(run, line))) {
        drawMarker(surface, plot.theme, look, plot.x(run.timeUs[n - 1] as number), y(latest(run, line)), 2.6);
      }
    });
  }

  return {
    id: quantity.id,
    title: symbol ? `${title} ${symbol}` : title,
    unit,

    draw(surface, plot) {
      const { theme } = plot;
      const y = scaleY(plot);
      drawTitle(
        surface,
        plot,
        [
          { text: symbol ? `${title} ` : title, colour: theme.ink, bold: true },
          ...(symbol ? [{ text: symbol, colour: theme.ink, symbol: true }] : []),
        ],
        unit,
      );
      drawGrid(surface, plot, amountTicks(maximum(), plot.bottom - plot.top < 110 ? 2 : 3), y);
      drawInstants(surface, plot, run.nowUs, events, 0);
      surface.clipped(plot.left, plot.top - 2, plot.right - plot.left, plot.bottom - plot.top + 4, () => {
        if (ghost && !single) stroke(surface, plot, ghost, linesOf(ghost, quantity, by), y);
        stroke(surface, plot, run, lines, y);
      });
      mark(surface, plot, y);
      drawAxisLine(surface, plot, plot.bottom, []);
      drawGutter(surface, plot, y);
    },

    cursorMarks(plot, sample) {
      if (single && lines.length > MARKED) return [];
      const y = scaleY(plot);
      return lines.map((line) => ({ y: y(line.values[sample] ?? Number.NaN), kindIndex: kindOf(line) }));
    },

    ...(single && {
      nearest(plot: Plot, sample: number, at: number) {
        const y = scaleY(plot);
        let best: number | null = null;
        let least = Number.POSITIVE_INFINITY;
        lines.forEach((line, index) => {
          const distance = Math.abs(y(line.values[sample] ?? Number.NaN) - at);
          if (distance < least) [best, least] = [index, distance];
        });
        return best;
      },
      drawFocus(surface: Surface, plot: Plot, index: number) {
        const line = lines[index];
        const look = line && style(plot, line);
        if (!line || !look) return;
        traceSamples(surface, run, plot, line.values, scaleY(plot));
        surface.stroke({ colour: plot.theme.bg, width: 5, join: "round" });
        surface.stroke({ colour: look.mark, width: 2.5, dash: look.dash, join: "round" });
      },
    }),

    readout(sample, pointed) {
      const at = (line: Line) => line.values[sample] ?? Number.NaN;
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
        value: (sample) => line.values[sample] ?? Number.NaN,
        format,
      }),
    ),

    sentence(sample) {
      const unitText = quantity.shortUnit ? ` ${quantity.shortUnit}` : "";
      const said = lines.filter((line) => Number.isFinite(line.values[sample] ?? Number.NaN));
      const parts = said
        .slice(0, READ_OUT)
        .map((line) => `${line.name} ${format(line.values[sample] as number)}`);
      const more = said.length > READ_OUT ? ` and ${said.length - READ_OUT} more` : "";
      const text = parts.length > 0 ? `${parts.join(", ")}${unitText}${more}` : "no value";
      return `${title} at ${formatMilliseconds(run.timeUs[sample] as number)} ms: ${text}.`;
    },
  };

  /** Names and values at the right end: of each class, or the mean of its connections and how many there are. */
  function drawGutter(surface: Surface, plot: Plot, y: Mapping) {
    const { theme } = plot;
    const only = lines[0];
    if (only && only.classIndex === null) {
      const place = Math.max(plot.top + 4, Math.min(plot.bottom - 6, y(latest(run, only) || 0)));
      surface.text({ text: "now", colour: theme.t3 }, plot.right + 12, place + 4);
      surface.text(
        { text: format(latest(run, only)), colour: theme.ink, bold: true },
        gutterEnd(plot),
        place + 4,
        {
          align: "end",
        },
      );
      return;
    }
    const entries = run.classes.flatMap((item, i) => {
      const own = lines.filter((line) => line.classIndex === i).map((line) => latest(run, line));
      const known = own.filter(Number.isFinite);
      if (own.length === 0) return [];
      const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
      return [{ item, mean, count: own.length }];
    });
    const roomy = single && entries.length * 27 <= plot.bottom - plot.top + 24;
    const places = pushApart(
      entries.map(({ mean }) => (Number.isFinite(mean) ? y(mean) : plot.bottom)),
      roomy ? 27 : 15,
      plot.top - 8,
      plot.bottom - (roomy ? 12 : 2),
    );
    entries.forEach(({ item, mean, count }, k) => {
      const place = places[k] as number;
      const look = classStyle(theme, item.kindIndex);
      drawGutterEntry(surface, plot, look, item.name, format(mean), place - (roomy ? 3 : 0));
      if (!roomy) return;
      const text = count === 1 ? "1 connection" : `mean of ${count}`;
      surface.text({ text, colour: theme.t3 }, plot.right + 26, place + 13.5);
    });
  }
}
