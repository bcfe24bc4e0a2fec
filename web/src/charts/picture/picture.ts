import { max, min } from "d3-array";
import type { Picture, PictureAxis, PictureSeries } from "../../answers/picture.ts";
import { identityIndices } from "../../run/identity.ts";
import { classIdentity } from "../../ui/classes.ts";
import { fixed } from "../drawing/format.ts";
import { latencyTicks, niceMaximum, roundTicks, type Tick } from "../drawing/ticks.ts";

/** Where a picture is drawn, in CSS pixels, and what its axes say. */
export interface PictureFrame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
}

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

/** Width of a letter of 11 px, to leave room for labels without measuring them. */
const LETTER = 6.2;

export const roomFor = (text: string): number => Math.ceil(text.length * LETTER);

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
  const to = axis.max ?? (fromZero && !axis.log ? niceMaximum(high) : high);
  return to > from ? [from, to] : [from, axis.log ? from * 10 : from + 1];
}

/** Bars on a logarithmic axis begin at the power of ten below the least of them, which would have no height otherwise. */
function withRoomBelow(axis: PictureAxis, values: readonly number[]): PictureAxis {
  const least = min(values.filter((value) => value > 0));
  if (!axis.log || axis.min !== undefined || least === undefined) return axis;
  return { ...axis, min: 10 ** Math.floor(Math.log10(least * 0.9)) };
}

function mapping(
  { log = false }: PictureAxis,
  [from, to]: readonly [number, number],
  start: number,
  end: number,
): (value: number) => number {
  const share = log
    ? (value: number) => Math.log(Math.max(value, from) / from) / Math.log(to / from)
    : (value: number) => (value - from) / (to - from);
  return (value) => start + (end - start) * Math.min(1.02, Math.max(-0.02, share(value)));
}

/** Ticks of a logarithmic axis: every decade, and 2 and 5 between them where there are few of those. */
function logTicks([from, to]: readonly [number, number], room: number): readonly Tick[] {
  const decades = Math.log10(to / from);
  const multiples = decades <= room / 3 ? [1, 1.5, 2, 3, 5, 7] : decades <= room ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil(decades / (2 * room)));
  const found: Tick[] = [];
  const first = Math.floor(Math.log10(from));
  for (let exponent = first; exponent <= Math.ceil(Math.log10(to)); exponent++) {
    for (const multiple of multiples) {
      const value = multiple * 10 ** exponent;
      if (value < from * (1 - 1e-9) || value > to * (1 + 1e-9)) continue;
      found.push({ value, label: (exponent - first) % every === 0 ? plain(value) : "" });
    }
  }
  return found;
}

/** A ratio: 2 and 0.5 are equally wrong. */
const ratioTicks = (domain: readonly [number, number]): readonly Tick[] =>
  [0.125, 0.25, 0.5, 1, 2, 4, 8].flatMap((value) =>
    value >= domain[0] && value <= domain[1] ? [{ value, label: plain(value) }] : [],
  );

/** A number with the digits that it needs, three at most where it is not whole. */
export const plain = (value: number): string => {
  if (Number.isInteger(value)) return fixed(value, 0);
  const decimals = Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(Math.abs(value) || 1))));
  const text = fixed(value, decimals);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
};

/** Percentiles of a tail, by the share of requests that take longer. */
const PERCENTILES = [
  [0.5, "p50"],
  [0.1, "p90"],
  [0.01, "p99"],
  [0.001, "p99.9"],
  [0.0001, "p99.99"],
] as const;

/** Lays out a picture in a box. */
export function frameOf(picture: Picture, width: number, height: number, small: boolean): PictureFrame {
  const { kind, x, y, series } = picture;
  const isTail = kind === "tail";
  const amount = kind !== "tail" && !(y.log ?? false);
  const yDomain: readonly [number, number] = isTail
    ? [
        Math.max(
          1e-5,
          min(series, ({ points }) => min(points, ([, share]) => (share > 0 ? share : 1))) ?? 0.001,
        ),
        1,
      ]
    : domainOf(kind === "bars" ? withRoomBelow(y, heights(picture)) : y, heights(picture), amount);
  const isRatio =
    !isTail && y.log === true && yDomain[0] < 1 && yDomain[1] > 1 && yDomain[1] / yDomain[0] <= 64;
  const yTicks = isTail
    ? PERCENTILES.flatMap(([value, label]) => (value >= yDomain[0] ? [{ value, label }] : []))
    : isRatio
      ? ratioTicks(yDomain)
      : y.log
        ? logTicks(yDomain, small ? 1.5 : 3)
        : roundTicks(...yDomain, small ? 3 : 5);
  const left = Math.max(...yTicks.map(({ label }) => roomFor(label)), 12) + 10;
  const right = width - (small ? 8 : kind === "bars" ? 12 : 128);
  const top = small ? 10 : 16;
  const groups = picture.groups?.length ?? 0;
  const room = groupRoom(left, right, groups);
  const lines = Math.max(1, ...groupLabels(picture.groups ?? [], room).map((label) => label.length));
  const bottom = height - (small ? 24 : 40) - (lines - 1) * LINE;
  const along = series.flatMap(({ points, published = [] }) => [
    ...points.map(([at]) => at),
    ...published.flatMap(([at]) => at ?? []),
  ]);
  // Curves that begin with the first sample of a run begin at its start.
  const begins = kind === "time" && (min(along) ?? 0) < NEAR_START * (max(along) ?? 0) ? [0] : [];
  const xDomain: readonly [number, number] =
    kind === "bars"
      ? [-0.5, Math.max(groups, 1) - 0.5]
      : domainOf(isTail ? { ...x, log: true } : x, [...begins, ...along], false);
  const count = Math.max(2, Math.min(8, Math.floor((right - left) / (small ? 64 : 80))));
  const xTicks =
    kind === "bars"
      ? (picture.groups ?? []).map((label, value) => ({ value, label }))
      : isTail
        ? thinned(latencyTicks(xDomain[0], xDomain[1]), count)
        : x.log
          ? thinned(logTicks(xDomain, small ? 1.5 : 3), count)
          : roundTicks(...xDomain, count);
  return {
    left,
    right,
    top,
    bottom,
    x: mapping({ ...x, log: isTail || x.log === true }, xDomain, left, right),
    y: mapping({ ...y, log: isTail || y.log === true }, yDomain, bottom, top),
    xTicks,
    yTicks,
  };
}

/** So many labels at most; the other ticks stay, without words. */
function thinned(all: readonly Tick[], count: number): readonly Tick[] {
  const labelled = all.filter(({ label }) => label !== "");
  const every = Math.ceil(labelled.length / count);
  const kept = new Set(labelled.filter((_, i) => i % every === 0));
  return all.map((tick) => (kept.has(tick) ? tick : { ...tick, label: "" }));
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
