import { group } from "d3-array";
import { type CurvePoint, latencyAt, shareSlower } from "../../run/latency.ts";
import { figure, overloadedClasses } from "../../run/read.ts";
import type { LatencyView, RunView } from "../../run/types.ts";
import { latencyText, logAxis, percentileAxis, roundRatio } from "../drawing/axis.ts";
import { formatCount, formatLatencyUnit, formatPercent } from "../drawing/format.ts";
import { boxOf, crisp, drawFrame, type Frame, frameOf, vertical } from "../drawing/frame.ts";
import { drawMarker, REFERENCE_DASH } from "../drawing/plot.ts";
import { linePath } from "../drawing/shape.ts";
import { type Surface, textWidth } from "../drawing/surface.ts";
import { classStyle, type Theme } from "../drawing/theme.ts";
import type { Expectation, LatencyCurves } from "../types.ts";
import { curveParts, FLOOR } from "./curveParts.ts";

const MARKED = [0.5, 0.01, 0.001];

/** Requests beyond a point of the curve from which on it counts as known, and below which it carries no marker. */
const ENOUGH = 10;
const FEW = 5;

/** Range of the latency axis: grows to the next 1, 2 or 5, never shrinks within a run. */
export interface LatencyRange {
  readonly minimumUs: number;
  readonly maximumUs: number;
}

export function latencyRange(
  run: Pick<LatencyView, "latency">,
  before: LatencyRange | null,
  deadlines: LatencyCurves["deadlines"] = [],
): LatencyRange {
  let minimum = before?.minimumUs ?? Number.POSITIVE_INFINITY;
  let maximum = before?.maximumUs ?? 0;
  for (const pairs of run.latency) {
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const us = pairs[i] as number;
      if (!(us > 0)) continue;
      // The fastest few say little and would push the interesting part to the right.
      if ((pairs[i + 1] as number) <= 0.995 && us < minimum) minimum = roundRatio(us, "down");
      // A curve reaches the latency at which it leaves what is drawn.
      if ((pairs[i - 1] ?? 1) > 0.00005 && us > maximum) maximum = roundRatio(us, "up");
    }
  }
  if (maximum === 0) return { minimumUs: 10, maximumUs: 1000 };
  // A target far below all latencies would squeeze them: it may add two decades at most.
  for (const { latencyUs } of deadlines) {
    if (latencyUs < minimum) minimum = Math.max(roundRatio(latencyUs, "down"), minimum / 100);
    if (latencyUs > maximum) maximum = Math.min(roundRatio(latencyUs, "up"), maximum * 100);
  }
  return { minimumUs: Math.min(minimum, maximum / 5), maximumUs: maximum };
}

const MARGINS = { left: 60, right: 16, top: 6, bottom: 40 };
/** Room of a label of the latency axis. */
const PITCH = 56;
/** The axis of percentiles ends at p99.99. */
const LEAST_SHARE = 1e-4;

/** Percentiles from the top, latencies along the bottom. */
export function latencyFrame(width: number, height: number, { minimumUs, maximumUs }: LatencyRange): Frame {
  const box = boxOf(width, height, MARGINS);
  const count = Math.max(2, Math.floor((box.right - box.left) / PITCH));
  return frameOf(
    box,
    (range) => logAxis([minimumUs, maximumUs], range, count, latencyText),
    (range) => percentileAxis(LEAST_SHARE, range),
  );
}

export function drawLatencyFrame(surface: Surface, theme: Theme, frame: Frame): void {
  drawFrame(surface, theme, frame);
  surface.text(
    { text: "dotted where fewer than 10 requests remain", colour: theme.t3 },
    frame.right,
    frame.bottom + 31,
    { align: "end" },
  );
}

/** Complementary CDF of request latency, log-log. */
export function drawLatency(
  surface: Surface,
  theme: Theme,
  width: number,
  height: number,
  props: LatencyCurves,
  range: LatencyRange,
): void {
  const { run, ghost, deadlines = [], expected } = props;
  const plot = latencyFrame(width, height, range);
  drawLatencyFrame(surface, theme, plot);
  const taken = drawDeadlines(surface, theme, run, plot, deadlines);
  if (expected?.unit === "µs") drawExpectedLatency(surface, theme, plot, expected);
  for (const source of [ghost, run]) {
    if (!source) continue;
    for (const i of source.classes.keys()) drawCurve(surface, theme, source, plot, i, source === ghost);
  }
  run.classes.forEach((item, i) => {
    const pairs = run.latency[i];
    const count = figure(run, i, "requestsCompleted");
    if (!pairs) return;
    for (const share of MARKED) {
      const us = latencyAt(pairs, share);
      const beyond = share * count;
      if (!Number.isFinite(us) || beyond < FEW) continue;
      const x = plot.x.scale(us);
      if (x < plot.left || x > plot.right) continue;
      drawMarker(
        surface,
        theme,
        classStyle(theme, item.kindIndex),
        x,
        plot.y.scale(share),
        3.4,
        beyond < ENOUGH,
      );
    }
  });
  drawNames(surface, theme, run, plot, taken);
}

/** Solid in the class's dash while at least ten requests remain, dotted beyond. */
function drawCurve(
  surface: Surface,
  theme: Theme,
  run: LatencyView,
  plot: Frame,
  i: number,
  ghostly: boolean,
): void {
  const pairs = run.latency[i];
  const item = run.classes[i];
  if (!pairs || pairs.length < 4 || !item) return;
  const style = classStyle(theme, item.kindIndex);
  const count = figure(run, i, "requestsCompleted");
  const known = Number.isFinite(count) && count > 0 ? ENOUGH / count : 0;
  const { solid, dotted } = curveParts(pairs, known);
  clippedToPlot(surface, plot, () => {
    if (traceCurve(surface, plot, solid)) {
      if (ghostly) surface.stroke({ colour: style.mark, width: 1, dash: style.dash, opacity: 0.5 });
      else surface.stroke({ colour: style.mark, width: 1.75, dash: style.dash, join: "round" });
    }
    if (traceCurve(surface, plot, dotted))
      surface.stroke({ colour: style.mark, width: 1, dash: [1, 3], opacity: ghostly ? 0.5 : 1 });
  });
}

/** Draws inside the axes, with room for half of a line's width. */
export function clippedToPlot(surface: Surface, plot: Frame, draw: () => void): void {
  surface.clipped(plot.left, plot.top - 4, plot.right - plot.left + 4, plot.bottom - plot.top + 4, draw);
}

/** Begins the path of a part of a latency curve; false if it has no line. */
export function traceCurve(surface: Surface, { x, y }: Frame, points: readonly CurvePoint[]): boolean {
  if (points.length < 2) return false;
  linePath(
    surface,
    points,
    ({ us }) => x.scale(Math.max(us, 1e-3)),
    ({ share }) => y.scale(share),
  );
  return true;
}

/** Room that a line of text takes in height. */
const LINE = 13;

/** A line of text that is in the way of others. */
interface Written {
  readonly left: number;
  readonly right: number;
  /** Baseline. */
  readonly y: number;
}

/** Vertical references at the targets, one for all classes that share it; the share that missed it at each crossing. */
function drawDeadlines(
  surface: Surface,
  theme: Theme,
  run: LatencyView,
  plot: Frame,
  deadlines: NonNullable<LatencyCurves["deadlines"]>,
): readonly Written[] {
  const taken: Written[] = [];
  for (const [latencyUs, shared] of group(deadlines, (deadline) => deadline.latencyUs)) {
    const x = plot.x.scale(latencyUs);
    if (x < plot.left || x > plot.right) continue;
    vertical(surface, x, plot.top, plot.bottom);
    surface.stroke({ colour: theme.t2, width: 1, dash: REFERENCE_DASH });
    shared.forEach(({ classIndex }, order) => {
      const item = run.classes[classIndex];
      if (!item) return;
      const style = classStyle(theme, item.kindIndex);
      drawMarker(surface, theme, style, crisp(x) + 9 * (order - (shared.length - 1) / 2), plot.top - 1, 2.6);
      const slower = shareSlower(run.latency[classIndex] ?? new Float64Array(0), latencyUs);
      // The engine's own count is exact, also beyond the slowest request; the curve is one of buckets.
      const counted = figure(run, classIndex, "missedFraction");
      const missed = Number.isFinite(counted) ? counted : slower;
      if (!Number.isFinite(missed)) return;
      const text = `missed ${formatPercent(missed)}`;
      const width = textWidth(text, theme);
      const crossing = Math.max(
        plot.top + 14,
        Math.min(
          plot.y.scale(Math.max(Number.isFinite(slower) ? slower : missed, FLOOR)) - 6,
          plot.bottom - 6,
        ),
      );
      // Beside the line at the crossing, on the side with room; else the next lines below. The bars have it in any case.
      for (const [side, down] of [
        [1, 0],
        [-1, 0],
        [-1, LINE],
        [-1, 2 * LINE],
      ] as const) {
        const left = side > 0 ? x + 6 : x - 6 - width;
        const y = crossing + down;
        const free = taken.every(
          (other) => left > other.right + 4 || left + width < other.left - 4 || Math.abs(y - other.y) >= LINE,
        );
        if (!free || left < plot.left || left + width > plot.right || y > plot.bottom - 6) continue;
        taken.push({ left, right: left + width, y });
        const colour = deadlines.length > 1 ? style.label : theme.t2;
        surface.text({ text, colour }, left, y, { halo: theme.bg });
        return;
      }
    });
  }
  return taken;
}

/** A latency that somebody expects: a dotted line with its label at its foot; nothing beyond the axis. */
function drawExpectedLatency(surface: Surface, theme: Theme, plot: Frame, expected: Expectation): void {
  const x = plot.x.scale(expected.value);
  if (!(x >= plot.left && x <= plot.right)) return;
  vertical(surface, x, plot.top, plot.bottom);
  surface.stroke({ colour: theme.ink, width: 1.5, dash: [1.5, 3] });
  const isLeft = x > (plot.left + plot.right) / 2;
  surface.text(
    { text: expected.label, colour: theme.ink, bold: true },
    x + (isLeft ? -6 : 6),
    plot.bottom - 8,
    { align: isLeft ? "end" : "start", halo: theme.bg },
  );
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Places of names by the curves they were found for: searched once per delivery of curves, not once per frame. */
const placesOf = new WeakMap<
  LatencyView["latency"],
  { readonly axis: string; readonly places: readonly (Place | null)[] }
>();

function drawNames(
  surface: Surface,
  theme: Theme,
  run: LatencyView,
  plot: Frame,
  taken: readonly Written[],
): void {
  let known = placesOf.get(run.latency);
  const axis = [...plot.x.scale.domain(), plot.right, plot.bottom].join(" ");
  if (known?.axis !== axis) {
    known = { axis, places: placeNames(theme, run, plot, taken) };
    placesOf.set(run.latency, known);
  }
  for (const [i, item] of run.classes.entries()) {
    const place = known.places[i];
    if (!place) continue;
    const colour = classStyle(theme, item.kindIndex).label;
    surface.text({ text: item.name, colour, bold: true }, place.x, place.y + 4, {
      align: "middle",
      halo: theme.bg,
    });
  }
}

/** More classes than this are a crowd, in which a name needs this many pixels of room around it. */
const CROWD = 6;
const CLEAR = 3;

/** Where a curve ends: its smallest share above zero. */
function minShare(pairs: Float64Array): number {
  for (let k = pairs.length - 1; k > 0; k -= 2) if ((pairs[k] as number) > 0) return pairs[k] as number;
  return 1;
}

/** Names beside their curves, where they are farthest from every other curve and name; else across their own curve. */
function placeNames(
  theme: Theme,
  run: LatencyView,
  plot: Frame,
  taken: readonly Written[],
): (Place | null)[] {
  const obstacles: { x: number; y: number; owner: number }[] = [];
  for (const [owner, pairs] of run.latency.entries()) {
    let last = { x: Number.NEGATIVE_INFINITY, y: 0 };
    for (let k = 0; k + 1 < pairs.length; k += 2) {
      const share = pairs[k + 1] as number;
      if (!(share > 0)) break;
      const here = { x: plot.x.scale(pairs[k] as number), y: plot.y.scale(share), owner };
      if (Math.hypot(here.x - last.x, here.y - last.y) < 5) continue;
      obstacles.push(here);
      last = here;
    }
  }
  const places: (Place | null)[] = run.classes.map(() => null);
  for (const [i, item] of run.classes.entries()) {
    const pairs = run.latency[i];
    if (!pairs || pairs.length < 4) continue;
    const width = textWidth(item.name, theme, 11, true);
    const roomAt = (x: number, y: number, acrossOwn: boolean) => {
      let room = 12;
      for (const [other, place] of places.entries()) {
        const reach = (width + textWidth(run.classes[other]?.name ?? "", theme, 11, true)) / 2 + 4;
        if (place && Math.abs(place.x - x) < reach && Math.abs(place.y - y) < 13) return -100;
      }
      for (const text of taken) {
        const beside = x + width / 2 < text.left - 4 || x - width / 2 > text.right + 4;
        if (!beside && Math.abs(text.y - 4 - y) < LINE) return -100;
      }
      for (const obstacle of obstacles) {
        if (acrossOwn && obstacle.owner === i) continue;
        const dx = Math.max(0, Math.abs(obstacle.x - x) - width / 2);
        const dy = Math.max(0, Math.abs(obstacle.y - y) - 5);
        room = Math.min(room, Math.max(dx, dy));
      }
      return room;
    };
    let best: { x: number; y: number; score: number } | null = null;
    for (const share of [0.22, 0.15, 0.3, 0.08, 0.04, 0.02, 0.4, 0.7, 0.005]) {
      const us = latencyAt(pairs, share);
      if (!Number.isFinite(us) || share < minShare(pairs)) continue;
      for (const side of [1, -1, 0]) {
        const x = plot.x.scale(us) + side * (8 + width / 2);
        const y = plot.y.scale(share);
        if (x - width / 2 < plot.left + 2 || x + width / 2 > plot.right) continue;
        const score = roomAt(x, y, side === 0) - (side === 0 ? 9 : 0);
        if (!best || score > best.score + 0.5) best = { x, y, score };
      }
    }
    // Among many curves only a name with room around it says whose it is; the legend beside the charts has all.
    const needed = run.classes.length > CROWD ? CLEAR : -50;
    if (best && best.score > needed) places[i] = { x: best.x, y: best.y };
  }
  return places;
}

/** The curves in words; with a title of their own where they are not of whole requests, of which the figures are. */
export function latencySentence(run: RunView, title: string | null = null): string {
  const us = (i: number, share: number, figureName: string) =>
    formatLatencyUnit(
      title === null ? figure(run, i, figureName) : latencyAt(run.latency[i] ?? new Float64Array(0), share),
    );
  const parts = run.classes.map((item, i) => {
    const count = figure(run, i, "requestsCompleted");
    if (!(count > 0)) return `${item.name}: no request completed yet`;
    const p99 = count * 0.01 >= FEW ? `, p99 ${us(i, 0.01, "p99Us")}` : "";
    return `${item.name}: p50 ${us(i, 0.5, "p50Us")}${p99}, ${formatCount(count, "request")}`;
  });
  if (title !== null) return `${title}. ${parts.join("; ")}.`;
  const overloaded = overloadedClasses(run);
  const bound = overloaded.length > 0 ? ` Waits of ${overloaded.join(", ")} grow without bound.` : "";
  return `Request latency. ${parts.join("; ")}.${bound}`;
}
