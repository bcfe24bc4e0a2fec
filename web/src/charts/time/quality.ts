import { meanQuality } from "../../run/quality.ts";
import { figure, series } from "../../run/read.ts";
import { presentQuality } from "../../run/targets.ts";
import type { RunView, Series } from "../../run/types.ts";
import { type Axis, ratioAxis } from "../drawing/axis.ts";
import type { Bins } from "../drawing/bins.ts";
import { fixed, formatDuration, formatMilliseconds, formatQuality } from "../drawing/format.ts";
import { drawGrid, horizontal, vertical } from "../drawing/frame.ts";
import { gutterLayout } from "../drawing/gutter.ts";
import {
  binsOfRun,
  drawEmpty,
  drawInstants,
  emptyReason,
  hasValues,
  type Plot,
  traceSamples,
} from "../drawing/plot.ts";
import type { Mapping } from "../drawing/polyline.ts";
import { smoothingOf } from "../drawing/smoothing.ts";
import { type Surface, textWidth } from "../drawing/surface.ts";
import { classStyle } from "../drawing/theme.ts";
import type { TimeForm } from "../form.ts";
import type { TimeChartProps } from "../types.ts";
import type { ChartModel, TableColumn } from "./chartModel.ts";
import {
  type ClassQuantity,
  classMarks,
  classReadout,
  classSeries,
  drawClassGutter,
  drawClassLines,
  measuredAt,
  measuredColumn,
  modelColumns,
  presentOf,
} from "./classLines.ts";
import { linesModel } from "./lines.ts";
import { isRecordedByFlow, QUALITY as QUANTITY, type Quantity } from "./quantities.ts";

const QUALITY: ClassQuantity = {
  measured: meanQuality,
  present: presentQuality,
  modelled: "qualityFactor",
  format: formatQuality,
};

/** Quality factor Q = target / achieved: of each class with the instants of convergence, of connections as plain lines. */
export const qualityForm: TimeForm<Quantity> = {
  subjects: [QUANTITY],
  isByConnection: isRecordedByFlow,
  model: (props, subject, by, range) =>
    by === "class" ? qualityModel(props) : linesModel(props, subject, by, range),
};

const RANGE = 2;

/** Logarithmic in both directions: half and twice the target are equally wrong. Clamps to the range. */
export function qualityAxis({ top, bottom }: Pick<Plot, "top" | "bottom">): Axis {
  const axis = ratioAxis([1 / RANGE, RANGE], [bottom, top]);
  axis.scale.clamp(true);
  return axis;
}

function qualityModel({ run, events = [], ghost }: TimeChartProps): ChartModel {
  return {
    unit: `${QUANTITY.unit}, mean over ${formatDuration(run.layout.nowUs)}`,

    draw(surface, plot) {
      const { theme } = plot;
      const axis = qualityAxis(plot);
      const y = axis.scale;
      const [low, high] = bandOf(run);
      surface.begin();
      surface.rect(plot.left, y(high), plot.right - plot.left, y(low) - y(high));
      surface.fill(theme.s2);
      for (const edge of [low, high]) {
        horizontal(surface, plot.left, plot.right, y(edge));
        surface.stroke({ colour: theme.line, width: 1 });
      }
      // The edges of the band are lines already.
      drawGrid(surface, theme, plot, axis, ({ value }) => value !== 1);
      drawInstants(surface, plot, run.nowUs, events);
      drawFactors(surface, plot, run, y);
      drawClassLines(surface, plot, run, ghost, QUALITY, y, null);
      if (!hasValues(run, plot, classSeries(run, QUALITY)))
        drawEmpty(surface, plot, emptyReason(run, plot, "Q needs a target, and no class has one"));
      const flags = drawFlags(surface, plot, run, y);
      drawClipped(surface, plot, run, flags);

      // Around the mean, always in class order: values that trade places by a hair must not make names jump.
      const wanted = run.classes.map((_, i) => y(presentOf(run, QUALITY, i) || 1));
      const centre = wanted.reduce((sum, place) => sum + place, 0) / Math.max(wanted.length, 1);
      const top = plot.top + 14;
      const note = gutterLayout(run.classes.length, plot.bottom - top, false).columns === 1;
      if (note)
        surface.text(
          {
            text: `band ±${fixed(run.layout.convergenceBand * 100, 1).replace(/\.0$/, "")} %`,
            colour: theme.t3,
          },
          plot.right + 12,
          plot.top - 8,
        );
      drawClassGutter(surface, plot, run, QUALITY, () => ({ y: centre }), note ? plot.top + 8 : plot.top - 4);
    },

    cursorMarks: (plot, sample) => classMarks(run, QUALITY, sample, qualityAxis(plot).scale),

    readout: (sample) => classReadout(run, QUALITY, sample, () => 1),

    table: run.classes.flatMap(({ name }, i): TableColumn[] => [
      measuredColumn(run, QUALITY, i, `${name} Q`),
      ...modelColumns(run, QUALITY, i, `${name} Q, model`),
    ]),

    sentence(sample) {
      const parts = run.classes.map(
        ({ name }, i) => `${name} ${formatQuality(measuredAt(run, QUALITY, i, sample))}`,
      );
      return `Quality factor at ${formatMilliseconds(run.timeUs[sample] as number)} ms: ${parts.join(", ")}; ${convergence(run)}.`;
    },
  };
}

/** The factors that the control saw, thin below their means; absent where they swing too fast to be read. */
function drawFactors(surface: Surface, plot: Plot, run: RunView, y: Mapping): void {
  const factors = run.classes.flatMap(
    (item, i): { readonly values: Series; readonly kindIndex: number }[] => {
      const values = series(run, "qualityFactor", i);
      return values ? [{ values, kindIndex: item.kindIndex }] : [];
    },
  );
  const lines = factors.map(({ values }) => values);
  if (smoothingOf(run, plot, "qualityFactor", lines, y)) return;
  surface.clipped(plot.left, plot.top - 2, plot.right - plot.left, plot.bottom - plot.top + 4, () => {
    for (const { values, kindIndex } of factors) {
      traceSamples(surface, run, plot, values, y);
      surface.stroke({
        colour: classStyle(plot.theme, kindIndex).mark,
        width: 1,
        opacity: 0.35,
        join: "round",
      });
    }
  });
}

/** Band of Q in which a class counts as converged. */
const bandOf = ({ layout }: RunView): readonly [low: number, high: number] => [
  1 - layout.convergenceBand,
  1 + layout.convergenceBand,
];

/** "all classes in band since 1.21 ms" or who is outside. */
export function convergence(run: RunView): string {
  const outside: string[] = [];
  let latest = 0;
  run.classes.forEach((item, i) => {
    const at = figure(run, i, "convergedAtUs");
    if (Number.isFinite(at) && at <= run.nowUs) latest = Math.max(latest, at);
    else outside.push(item.name);
  });
  if (outside.length === 0) return `all classes in band since ${formatMilliseconds(latest, 2)} ms`;
  if (outside.length === run.classes.length) return "no class is in its band";
  return `outside the band: ${outside.join(", ")}`;
}

/**
 * Flags of converged classes, earliest highest. The last one says "converged" or "returned" and counts round trips. Where there are
 * more flags than rows, the earliest share the top row as poles without text. Returns what they take of the top row.
 */
function drawFlags(surface: Surface, plot: Plot, run: RunView, y: (quality: number) => number): Span[] {
  const { theme } = plot;
  const taken: Span[] = [];
  const flags = run.classes
    .map((item, i) => ({
      item,
      atUs: figure(run, i, "convergedAtUs"),
      rtts: figure(run, i, "convergedRtts"),
      // It may have been in the band before, and left it.
      returned: run.convergence[i]?.findLast(({ kind }) => kind !== "left")?.kind === "returned",
    }))
    .filter((flag) => Number.isFinite(flag.atUs) && flag.atUs <= run.nowUs)
    .filter((flag) => plot.x(flag.atUs) >= plot.left && plot.x(flag.atUs) <= plot.right)
    .sort((a, b) => a.atUs - b.atUs);
  const pitch = 12.5;
  const rows = Math.max(1, Math.floor((y(bandOf(run)[1]) - plot.top - 4) / pitch));
  const texts = flags.map((flag, position) => {
    const isLast = position === flags.length - 1;
    const rtts = isLast ? `, ${fixed(Math.round(flag.rtts), 0)} RTT` : "";
    const verb = isLast && plot.width >= 480 ? (flag.returned ? "returned " : "converged ") : "";
    const detail = ` ${verb}${formatMilliseconds(flag.atUs, 2)} ms${rtts}`;
    const width = textWidth(flag.item.name, theme, 11, true) + textWidth(detail, theme) + 8;
    return { detail, width, flip: plot.x(flag.atUs) + width > plot.right };
  });
  const flipped = texts.filter(({ flip }) => flip).length;
  flags.forEach((flag, position) => {
    const x = plot.x(flag.atUs);
    const text = texts[position];
    if (!text) return;
    const { detail, width, flip } = text;
    // Texts to the left of their poles stand the other way round, so that no pole goes through a text below.
    const order = flip ? flags.length - 1 - (position - (flags.length - flipped)) : position;
    const row = order - Math.max(0, flags.length - rows);
    const base = plot.top + 8 + Math.max(row, 0) * pitch;
    vertical(surface, x, base - 8, y(bandOf(run)[1]));
    surface.stroke({ colour: theme.ink, width: 1 });
    if (row <= 0) taken.push({ left: x, right: x });
    if (row < 0) return;
    const style = classStyle(theme, flag.item.kindIndex);
    // Within the plot, also if it is narrow: runs that are compared are side by side.
    const end = flip ? Math.max(x, Math.min(plot.left + width, plot.right)) : x + width;
    if (row === 0) taken.push({ left: end - width, right: end });
    surface.text(
      [
        { text: flag.item.name, colour: style.label, bold: true },
        { text: detail, colour: theme.t2 },
      ],
      flip ? end - 5 : x + 6,
      base,
      { align: flip ? "end" : "start", halo: theme.bg },
    );
  });
  return taken;
}

/** Part of a row. */
interface Span {
  readonly left: number;
  readonly right: number;
}

/** Half the width of an arrow. */
const ARROW = 3.5;

/** Least distance of two arrows at an edge, so that their numbers read as numbers and not as a row of them. */
const APART = 64;

/**
 * Where Q leaves the scale: an arrow at the edge, and behind that stretch of the line the farthest value, unless a flag of the top row
 * is in its way.
 */
function drawClipped(surface: Surface, plot: Plot, run: RunView, flags: readonly Span[]): void {
  const taken = { above: Number.NEGATIVE_INFINITY, below: Number.NEGATIVE_INFINITY };
  run.classes.forEach((item, i) => {
    const values = QUALITY.measured(run, i);
    if (!values) return;
    for (const excursion of excursions(binsOfRun(run, plot, values))) {
      const { side, value } = excursion;
      const x = Math.max(plot.left + ARROW, plot.x(excursion.us));
      if (x < taken[side] + APART) continue;
      taken[side] = x;
      const style = classStyle(plot.theme, item.kindIndex);
      const tip = side === "above" ? plot.top - 1 : plot.bottom + 1;
      const base = side === "above" ? tip + 5 : tip - 5;
      surface.begin();
      surface.moveTo(x, tip);
      surface.lineTo(x - ARROW, base);
      surface.lineTo(x + ARROW, base);
      surface.closePath();
      surface.fill(style.mark);
      const text = value > 99 ? formatQuality(value) : fixed(value, value < 10 ? 1 : 0);
      const width = textWidth(text, plot.theme);
      const behind = Math.max(x, plot.x(excursion.untilUs)) + 6;
      const end = behind + width > plot.right;
      const [left, right] = end ? [x - width - 8, x] : [behind, behind + width];
      if (side === "above" && flags.some((flag) => left < flag.right + 2 && right > flag.left - 2)) continue;
      surface.text(
        { text, colour: style.label },
        end ? x - 6 : behind,
        side === "above" ? tip + 8 : tip - 1,
        {
          align: end ? "end" : "start",
          halo: plot.theme.bg,
        },
      );
    }
  });
}

interface Excursion {
  readonly side: "above" | "below";
  /** The farthest value and when it was. */
  readonly value: number;
  readonly us: number;
  readonly untilUs: number;
}

const fartherOf = (a: Excursion, b: Excursion): Excursion =>
  (a.side === "above" ? a.value >= b.value : a.value <= b.value) ? a : b;

/** The stretches over which Q is beyond the scale. */
function excursions(bins: Bins): Excursion[] {
  const found: Excursion[] = [];
  let current: Excursion | null = null;
  for (let i = 0; i < bins.columns; i++) {
    if (bins.count[i] === 0) continue;
    const [max, min] = [bins.max[i] as number, bins.min[i] as number];
    const untilUs = bins.lastUs[i] as number;
    const here: Excursion | null =
      max > RANGE
        ? { side: "above", value: max, us: bins.maxUs[i] as number, untilUs }
        : min < 1 / RANGE
          ? { side: "below", value: min, us: bins.minUs[i] as number, untilUs }
          : null;
    if (here && current?.side === here.side) {
      current = { ...fartherOf(current, here), untilUs };
    } else {
      if (current) found.push(current);
      current = here;
    }
  }
  if (current) found.push(current);
  return found;
}
