import { max, min } from "d3-array";
import type { Picture, PictureAxis, PictureSeries } from "../../generated/answers.d.ts";
import { identityIndices } from "../../run/identity.ts";
import { classIdentity } from "../../ui/classes.ts";
import {
  type Axis,
  type Ends,
  latencyText,
  logScale,
  namedAxis,
  numberAxis,
  percentileAxis,
  ratioAxis,
  roundEnd,
} from "../drawing/axis.ts";
import { fixed, formatTick, significant } from "../drawing/format.ts";
import { boxOf, type Frame, frameOf } from "../drawing/frame.ts";
import { LETTER, roomFor } from "../drawing/letters.ts";

/** How a series looks: its class has its own look, what is of no class is ink. */
export interface SeriesStyle {
  /** The identity whose marker and dash it has. */
  readonly index: number;
  readonly mark: string;
  readonly label: string;
  readonly dash: readonly number[];
  /** Width of its line in pixels. */
  readonly width: number;
  readonly opacity: number;
}

/** Share of a curve's time by which its first sample comes after the start of the run, at most. */
const NEAR_START = 0.03;

/** The looks of the series. A class that comes again is drawn fainter, and a model as a thin line over the data. */
export function stylesOf(series: readonly PictureSeries[]): readonly SeriesStyle[] {
  const classes = [...new Set(series.flatMap((item) => item.class ?? []))];
  const indices = identityIndices(classes);
  const seen = new Map<string, number>();
  let inks = 0;
  return series.map((item) => {
    const isInk = item.class === null;
    const index = item.class === null ? inks++ : (indices[classes.indexOf(item.class)] as number);
    const { mark, label, dash } = classIdentity(index);
    const before = item.class === null || item.model ? 0 : (seen.get(item.class) ?? 0);
    if (item.class !== null && !item.model) seen.set(item.class, before + 1);
    return {
      index,
      mark: isInk ? "var(--ink)" : mark,
      label: isInk ? "var(--t1)" : label,
      dash,
      width: item.model ? 0.75 : 1.75,
      opacity: before === 0 ? 1 : before === 1 ? 0.6 : 0.35,
    };
  });
}

/** All that stands at some height of the picture. */
function heights({ series, references = [] }: Picture): readonly number[] {
  const values = series.flatMap(({ points, halfWidths = [], published = [] }) => [
    ...points.flatMap(([, y], i) => [y - (halfWidths[i] ?? 0), y + (halfWidths[i] ?? 0)]),
    ...published.flatMap(([, ...ends]) => ends),
  ]);
  return [...values, ...references.map(({ y }) => y)].filter(Number.isFinite);
}

/** The ends of an axis: its own, or those of what stands along it. Amounts begin at zero. */
function domainOf(
  axis: PictureAxis,
  values: readonly number[],
  fromZero: boolean,
): readonly [number, number] {
  const usable = axis.log ? values.filter((value) => value > 0) : values;
  const low = min(usable) ?? (axis.log ? 1 : 0);
  const high = max(usable) ?? 1;
  const from = axis.min ?? (fromZero && !axis.log ? Math.min(0, low) : low);
  const to = axis.max ?? (fromZero && !axis.log ? roundEnd(high) : high);
  return to > from ? [from, to] : [from, axis.log ? from * 10 : from + 1];
}

/** Bars on a logarithmic axis begin at the power of ten below the least of them, which would have no height otherwise. */
function withRoomBelow(axis: PictureAxis, values: readonly number[]): PictureAxis {
  const least = min(values.filter((value) => value > 0));
  if (!axis.log || axis.min !== undefined || least === undefined) return axis;
  return {
    ...axis,
    min: logScale([least * 0.9, least], [0, 1])
      .nice()
      .domain()[0] as number,
  };
}

/** A number with the digits that it needs, three at most where it is not whole. */
export const plain = (value: number): string =>
  Number.isInteger(value) || Math.abs(value) >= 100 ? fixed(value, 0) : significant(value, 3);

/** Room of a label of the lower axis. */
const PITCH = { small: 64, large: 80 };
/** Numbers around 1 that reach no further apart are read as ratios. */
const RATIO = 64;

/** Lays out a picture in a box. What lies beyond the ends of an axis is drawn at them. */
export function pictureFrame(picture: Picture, width: number, height: number, small: boolean): Frame {
  const { kind, series, groups = [] } = picture;
  const y = heightAxis(picture, small);
  const left = Math.max(...y([1, 0]).ticks.map(({ label }) => roomFor(label)), 12) + 12;
  const right = small ? 8 : kind === "bars" ? 12 : 128;
  const room = groupRoom(left, width - right, groups.length);
  const lines = Math.max(1, ...groupLabels(groups, room).map((label) => label.length));
  const box = boxOf(width, height, {
    left,
    right,
    top: small ? 10 : 16,
    bottom: (small ? 24 : 40) + (lines - 1) * LINE,
  });
  const count = Math.max(2, Math.min(8, Math.floor((box.right - left) / PITCH[small ? "small" : "large"])));
  const along = series.flatMap(({ points, published = [] }) => [
    ...points.map(([at]) => at),
    ...published.flatMap(([at]) => at ?? []),
  ]);
  // Curves that begin with the first sample of a run begin at its start.
  const begins = kind === "time" && (min(along) ?? 0) < NEAR_START * (max(along) ?? 0) ? [0] : [];
  const frame = frameOf(
    box,
    (range) => {
      if (kind === "bars") return namedAxis(groups, range);
      const isTail = kind === "tail";
      const axis = { ...picture.x, log: isTail || picture.x.log === true };
      const domain = domainOf(axis, [...begins, ...along], false);
      return numberAxis(axis.log, domain, range, count, isTail ? latencyText : formatTick);
    },
    y,
  );
  if (kind !== "bars") frame.x.scale.clamp(true);
  frame.y.scale.clamp(true);
  return frame;
}

/** The axis of what is measured: percentiles of a tail, ratios around 1, or numbers. */
function heightAxis(picture: Picture, small: boolean): (range: Ends) => Axis {
  const { kind, y, series } = picture;
  if (kind === "tail") {
    const shares = series.flatMap(({ points }) =>
      points.map(([, share]) => share).filter((share) => share > 0),
    );
    const least = Math.max(1e-5, min(shares) ?? 0.001);
    return (range) => percentileAxis(least, range);
  }
  const values = heights(picture);
  const domain = domainOf(kind === "bars" ? withRoomBelow(y, values) : y, values, !y.log);
  const [from, to] = domain;
  if (y.log && from < 1 && to > 1 && to / from <= RATIO) return (range) => ratioAxis(domain, range);
  return (range) => numberAxis(y.log === true, domain, range, small ? 3 : y.log ? 6 : 5);
}

/** A label cut to the room that it has. */
export function fitted(label: string, room: number): string {
  const letters = Math.floor(room / LETTER);
  if (label.length <= letters) return label;
  return letters < 4 ? "" : `${label.slice(0, letters - 1)}…`;
}

/** A label on up to two lines of the room that it has; what does not fit there is cut. */
export function wrapped(label: string, room: number): readonly string[] {
  const letters = Math.floor(room / LETTER);
  if (label.length <= letters) return [label];
  const words = label.split(" ");
  let first = words.shift() ?? "";
  while (words[0] !== undefined && first.length + 1 + words[0].length <= letters)
    first += ` ${words.shift()}`;
  return [fitted(first, room), ...(words.length > 0 ? [fitted(words.join(" "), room)] : [])];
}

/** Height of a line of a label. */
export const LINE = 13;

/** The names of groups as they are drawn: none where one of them has no room. */
export function groupLabels(groups: readonly string[], room: number): readonly (readonly string[])[] {
  const all = groups.map((label) => wrapped(label, room));
  return all.some(([first]) => first === "") ? groups.map(() => []) : all;
}

/** Room of the name of a group of bars. */
export const groupRoom = (left: number, right: number, groups: number): number =>
  (right - left) / Math.max(1, groups) - 4;

/** "Carried, Gb/s" */
export const axisText = ({ title, unit }: PictureAxis): string => (unit ? `${title}, ${unit}` : title);

/** The picture in words: its form, its axes, and between what each series lies. */
export function sentenceOf({ kind, x, y, groups = [], series }: Picture): string {
  const form = { bars: "Bars", lines: "Lines", time: "Curves over time", tail: "Tails of latency" }[kind];
  const over =
    kind === "bars" ? (groups.length > 0 ? ` for ${groups.join(", ")}` : "") : ` over ${axisText(x)}`;
  const ranges = series.map(({ title, points }) => {
    const values = points.map(([, value]) => value);
    const [low, high] = [min(values), max(values)];
    if (low === undefined || high === undefined) return `${title} without a value`;
    return low === high ? `${title} ${plain(low)}` : `${title} ${plain(low)} to ${plain(high)}`;
  });
  const published = series.some((item) => (item.published?.length ?? 0) > 0);
  return `${form} of ${axisText(y)}${over}: ${ranges.join("; ")}.${published ? " Hollow marks are published values." : ""}`;
}

/** The table that stands for a picture: what each point is at, whose, what it is, and what was published there. */
export function tableOf({ kind, x, y, groups = [], series }: Picture) {
  const published = series.some((item) => (item.published?.length ?? 0) > 0);
  const headers = [kind === "bars" ? x.title || "Group" : axisText(x), "Series", axisText(y)];
  const rows = series.flatMap(({ title, points, halfWidths = [], published: marks = [] }) => {
    const at = (value: number) => (kind === "bars" ? (groups[value] ?? plain(value)) : plain(value));
    const shown = (value: number) => {
      const mark = marks.find(([place]) => place === value);
      return mark ? mark.slice(1).map(plain).join("–") : "";
    };
    const own = points.map(([place, value], i) => {
      const half = halfWidths[i] ?? 0;
      return [at(place), title, half > 0 ? `${plain(value)} ± ${plain(half)}` : plain(value), shown(place)];
    });
    const alone = marks.flatMap(([place = 0, ...ends]) =>
      points.some(([other]) => other === place) ? [] : [[at(place), title, "–", ends.map(plain).join("–")]],
    );
    return [...own, ...alone];
  });
  return {
    headers: published ? [...headers, "Published"] : headers,
    rows: published ? rows : rows.map((row) => row.slice(0, 3)),
  };
}
