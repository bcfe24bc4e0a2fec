import { samplesUntilNow } from "../../run/read.ts";
import { lowerBound } from "../../run/search.ts";
import type { RunView, Series } from "../../run/types.ts";
import type { MarkerKind } from "../../ui/classes.ts";
import type { ChangeEvent, Gutters, StackPlace } from "../types.ts";
import { type Axis, type Ends, timeAxis } from "./axis.ts";
import { type Bins, binsOf, trace, traceMean } from "./bins.ts";
import { type Box, boxOf, vertical } from "./frame.ts";
import { nearestAlong } from "./hit.ts";
import { createPolyline, type Mapping, type Polyline } from "./polyline.ts";
import { linePath } from "./shape.ts";
import type { Smoothing } from "./smoothing.ts";
import type { Surface, TextRun } from "./surface.ts";
import { textWidth } from "./surface.ts";
import type { ClassStyle, Theme } from "./theme.ts";

/** Where a time chart draws. */
export interface Plot extends Box {
  readonly theme: Theme;
  readonly time: Axis;
  /** Time in us to pixels, and back. */
  readonly x: Mapping;
  readonly timeAt: Mapping;
  readonly place: StackPlace;
}

/** A chart that stands for itself. */
const ALONE: StackPlace = { isFirst: true, isLast: true };

/** Space above the plot that holds the title. */
const TITLE = 30;
const BELOW = 7;

export function timePlot(
  theme: Theme,
  width: number,
  height: number,
  gutters: Gutters,
  domainUs: Ends,
  place = ALONE,
): Plot {
  const box = boxOf(width, height, { ...gutters, top: TITLE, bottom: BELOW });
  const time = timeAxis(domainUs, [box.left, box.right]);
  return { ...box, theme, time, x: time.scale, timeAt: time.scale.invert, place };
}

/** Dash of reference lines: targets, K, deadlines. */
export const REFERENCE_DASH = [4, 3];
/** Dash of changes and milestones. */
const EVENT_DASH = [1, 3];

/** Title and unit at the top left, a note in the same row at the plot's right end. */
export function drawTitle(
  surface: Surface,
  plot: Plot,
  { title, symbol }: { readonly title: string; readonly symbol?: string },
  unit: string,
  note = "",
): void {
  const { theme } = plot;
  const runs: TextRun[] = [
    { text: symbol ? `${title} ` : title, colour: theme.ink, bold: true },
    ...(symbol ? [{ text: symbol, colour: theme.ink, symbol: true }] : []),
    { text: unit, colour: theme.t3, gap: 8 },
  ];
  surface.text(runs, 16, 18, { size: 12, halo: theme.bg });
  if (!note) return;
  const used =
    16 + runs.reduce((sum, run) => sum + textWidth(run.text, theme, 12, run.bold) + (run.gap ?? 0), 0);
  if (plot.right - textWidth(note, theme) < used + 16) return;
  surface.text({ text: note, colour: theme.t3 }, plot.right, 18, { align: "end" });
}

/** Where lines that go through all stacked charts begin: below the title of the first, at the edge of the others. */
export const throughTop = (plot: Plot): number => (plot.place.isFirst ? plot.top - 5 : 0);

/** Dotted lines of changes, then the playhead: both go through the whole height and lie beneath the data. */
export function drawInstants(
  surface: Surface,
  plot: Plot,
  nowUs: number,
  events: readonly ChangeEvent[],
): void {
  const top = throughTop(plot);
  for (const event of events) {
    const x = plot.x(event.timeUs);
    if (x < plot.left || x > plot.right) continue;
    vertical(surface, x, top, plot.height);
    surface.stroke({ colour: plot.theme.line2, width: 1, dash: EVENT_DASH });
  }
  const x = plot.x(nowUs);
  if (x < plot.left || x > plot.right + 0.5) return;
  vertical(surface, x, top, plot.height);
  surface.stroke({ colour: plot.theme.ink, width: 1 });
}

/** Whether any of the series has a value up to the playhead. */
export const hasValues = (run: RunView, plot: Plot, items: readonly Series[]): boolean =>
  items.some((item) => binsOfRun(run, plot, item).count.some((count) => count > 0));

/** Says in the middle of an empty plot why it is empty. */
export function drawEmpty(surface: Surface, plot: Plot, reason: string): void {
  const { theme } = plot;
  surface.text(
    { text: reason, colour: theme.t3 },
    (plot.left + plot.right) / 2,
    (plot.top + plot.bottom) / 2 + 12,
    {
      align: "middle",
      halo: theme.bg,
    },
  );
}

/** Why a chart without values has none: the run has not come so far, or `otherwise`. */
export function emptyReason(run: RunView, plot: Plot, otherwise: string): string {
  if (samplesUntilNow(run) === 0) return "Empty until the first sample.";
  if (run.nowUs <= plot.timeAt(plot.left)) return "Empty until the run comes here.";
  return `Empty: ${otherwise}.`;
}

/** Shades the warm-up, which the figures beside the charts leave out; one of stacked charts names it, the first as a rule. */
export function drawWarmup(surface: Surface, plot: Plot, warmupUs: number, isNamed: boolean): void {
  const end = Math.min(plot.right, plot.x(warmupUs));
  if (!(end > plot.left)) return;
  const { theme } = plot;
  surface.begin();
  surface.rect(plot.left, plot.top, end - plot.left, plot.bottom - plot.top);
  surface.fill(theme.s2);
  vertical(surface, end, plot.top, plot.bottom);
  surface.stroke({ colour: theme.line2, width: 1, opacity: 0.6 });
  if (!isNamed) return;
  const isRoomy = textWidth("warm-up", theme) + 8 <= end - plot.left;
  surface.text({ text: "warm-up", colour: theme.t3 }, (isRoomy ? plot.left : end) + 4, plot.top + 10, {
    halo: isRoomy ? theme.s2 : theme.bg,
  });
}

/** Begins a path along a polyline. */
function drawPolyline(surface: Surface, { x, y, length }: Polyline): void {
  linePath(
    surface,
    { length },
    (_, i) => x[i] as number,
    (_, i) => y[i] as number,
  );
}

const scratch = createPolyline();

/** Bins of a series of a run: of the samples up to the playhead, or of all where it is the ghost of another run. */
export function binsOfRun(run: RunView, plot: Plot, item: Series, whole = false): Bins {
  return binsOf(run, run.timeUs, item, whole ? run.n : samplesUntilNow(run), plot);
}

/** Traces a series of a run, as a moving mean where smoothing is given. Returns the scratch line, valid until the next call. */
export function traceSamples(
  surface: Surface,
  run: RunView,
  plot: Plot,
  item: Series,
  y: Mapping,
  { whole = false, smoothing = null }: { whole?: boolean; smoothing?: Smoothing | null } = {},
): Polyline {
  const bins = binsOfRun(run, plot, item, whole);
  if (smoothing) traceMean(scratch, bins, smoothing.columns, plot.x, y);
  else trace(scratch, bins, plot.x, y);
  drawPolyline(surface, scratch);
  return scratch;
}

/** The model's line: thin ink over the data, no further than the playhead. */
export function drawModelLine(surface: Surface, run: RunView, plot: Plot, item: Series, y: Mapping): void {
  if (!run.model) return;
  const { timeUs } = run.model;
  const n = lowerBound(timeUs, timeUs.length, run.nowUs + 1e-6);
  trace(scratch, binsOf(run.model, timeUs, item, n, plot), plot.x, y);
  drawPolyline(surface, scratch);
  surface.stroke({ colour: plot.theme.ink, width: 0.75, opacity: 0.75, join: "round" });
}

/** Value of a model series at an instant; NaN outside its range. */
export function modelAt(run: RunView, values: ArrayLike<number> | undefined, us: number): number {
  const times = run.model?.timeUs;
  if (!times || !values || times.length === 0) return Number.NaN;
  if (us < (times[0] as number) || us > (times[times.length - 1] as number) * 1.01) return Number.NaN;
  return values[nearestAlong(times, us)] ?? Number.NaN;
}

/** Puts a marker's outline into the current path. */
export function markerPath(surface: Surface, kind: MarkerKind, x: number, y: number, r: number): void {
  switch (kind) {
    case "circle":
    case "halfCircle":
      surface.circle(x, y, r);
      return;
    case "square":
    case "halfSquare":
      surface.rect(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8);
      return;
    case "triangle":
      surface.moveTo(x, y - r * 1.1);
      surface.lineTo(x + r * 1.1, y + r * 0.85);
      surface.lineTo(x - r * 1.1, y + r * 0.85);
      surface.closePath();
      return;
    case "diamond":
    case "halfDiamond":
      surface.moveTo(x, y - r * 1.25);
      surface.lineTo(x + r * 1.1, y);
      surface.lineTo(x, y + r * 1.25);
      surface.lineTo(x - r * 1.1, y);
      surface.closePath();
      return;
    case "cross":
      for (const [dx, dy] of [
        [1, 1],
        [1, -1],
      ] as const) {
        surface.moveTo(x - r * dx, y - r * dy);
        surface.lineTo(x + r * dx, y + r * dy);
      }
      return;
  }
}

/** A class's marker with a halo in the background colour; `hollow` where the value is uncertain or under the cursor. */
export function drawMarker(
  surface: Surface,
  theme: Theme,
  style: ClassStyle,
  x: number,
  y: number,
  r = 3.2,
  hollow = false,
): void {
  surface.begin();
  markerPath(surface, style.marker, x, y, r);
  if (style.marker === "cross") {
    surface.stroke({ colour: theme.bg, width: 4 });
    surface.begin();
    markerPath(surface, style.marker, x, y, r * 0.85);
    surface.stroke({ colour: style.mark, width: 1.75 });
    return;
  }
  const half = style.marker.startsWith("half");
  if (hollow || half) {
    surface.fill(theme.bg);
    surface.stroke({ colour: style.mark, width: 1.5 });
    if (!half || hollow) return;
    surface.begin();
    if (style.marker === "halfCircle") surface.ellipse(x, y, r, r, Math.PI / 2, (3 * Math.PI) / 2);
    else if (style.marker === "halfSquare") surface.rect(x - r * 0.9, y - r * 0.9, r * 0.9, r * 1.8);
    else {
      surface.moveTo(x, y - r * 1.25);
      surface.lineTo(x, y + r * 1.25);
      surface.lineTo(x - r * 1.1, y);
    }
    surface.closePath();
    surface.fill(style.mark);
    return;
  }
  surface.stroke({ colour: theme.bg, width: 2.5 });
  surface.fill(style.mark);
}

/** A point of a plot. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Up to so many lines carry markers every 84 px (60 on narrow plots); more carry them farther apart. */
const MARKED = 5;

/** Where a line carries its class's marker, offset by its order so that those of several lines do not coincide. */
export function markerPlaces(line: Polyline, plot: Plot, order: number, count: number): Place[] {
  const pitch = (plot.right - plot.left < 320 ? 60 : 84) * Math.max(1, count / MARKED);
  const places: Place[] = [];
  let wanted = plot.left + pitch * 0.38 + (order * pitch) / Math.max(count, 1);
  for (let i = 0; i < line.length; i++) {
    const [x, y] = [line.x[i] as number, line.y[i] as number];
    if (Number.isNaN(y) || x < wanted || x > plot.right) continue;
    places.push({ x, y });
    wanted += pitch * Math.max(1, Math.ceil((x - wanted) / pitch + 1e-9));
  }
  return places;
}

/** Shortens a text with an ellipsis to a width in pixels. A number at its end stays: it is what tells names apart. */
export function ellipsis(text: string, theme: Theme, room: number, size = 11, bold = false): string {
  if (textWidth(text, theme, size, bold) <= room) return text;
  const tail = /\S?\d{1,4}$/.exec(text)?.[0] ?? "";
  let end = text.length - tail.length - 1;
  const short = () => `${text.slice(0, Math.max(end, 1)).trimEnd()}…${tail}`;
  while (end > 1 && textWidth(short(), theme, size, bold) > room) end--;
  return short();
}

export const gutterEnd = (plot: Plot): number => plot.width - (plot.width - plot.right > 110 ? 12 : 8);
