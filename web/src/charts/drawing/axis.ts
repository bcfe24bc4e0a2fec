import { tickStep } from "d3-array";
import { scaleLinear as d3Linear, scaleLog as d3Log, type ScaleContinuousNumeric } from "d3-scale";
import { formatTick, significant } from "./format.ts";

/** Maps values to pixels, and what is no finite number to none; `invert` maps back. */
export type Scale = ScaleContinuousNumeric<number, number, number>;

/** Two ends: of values, or of the pixels that they map to. */
export type Ends = readonly [from: number, to: number];

export interface Tick {
  readonly value: number;
  /** Empty for an unlabelled tick. */
  readonly label: string;
}

/** A scale of D3 and its ticks. */
export interface Axis {
  readonly scale: Scale;
  readonly ticks: readonly Tick[];
}

/** Unlike that of D3 not NaN for infinite parts. */
const between = (from: number, to: number) => (part: number) => from + (to - from) * part;

/** Equal distances. */
export const linearScale = (domain: Ends, range: Ends): Scale =>
  d3Linear(domain, range).interpolate(between).unknown(Number.NaN);

/** Equal ratios; both ends of the domain are above zero. */
export const logScale = (domain: Ends, range: Ends, base = 10): Scale =>
  d3Log(domain, range).base(base).interpolate(between).unknown(Number.NaN);

/** The nearest of the round numbers 1, 1.5, 2, 3, 5 and 7 times a power of ten in a direction. */
export function roundRatio(value: number, direction: "up" | "down"): number {
  const decade = Number(`1e${value.toExponential().split("e")[1]}`);
  const steps = [1, 1.5, 2, 3, 5, 7, 10].map((step) => step * decade);
  const found =
    direction === "up"
      ? steps.find((step) => step >= value * (1 - 1e-9))
      : steps.findLast((step) => step <= value * (1 + 1e-9));
  return found ?? decade;
}

/** Label of a tick; `step` is the distance to the next one, or the value itself if the axis is logarithmic. */
type TickText = (value: number, step: number) => string;

/** Equal distances, with about `count` ticks. */
export function linearAxis(domain: Ends, range: Ends, count: number, text: TickText = formatTick): Axis {
  const scale = linearScale(domain, range);
  const step = tickStep(...domain, count);
  return { scale, ticks: scale.ticks(count).map((value) => ({ value, label: text(value, step) })) };
}

/** Equal ratios, with about `count` labels at most. */
export function logAxis(domain: Ends, range: Ends, count: number, text: TickText = formatTick): Axis {
  const scale = logScale(domain, range);
  const all = scale.ticks();
  const decades = all.filter((value) => leadingDigits(value) === 1);
  const every = Math.ceil(decades.length / count);
  const labelled = [
    all,
    all.filter((value) => [1, 2, 5].includes(leadingDigits(value))),
    decades.filter((_, place) => place % every === 0),
  ].find(({ length }) => length > 1 && length <= count + 1);
  // A part of a decade has hardly a round value: its ticks are at equal distances.
  if (!labelled) return { scale, ticks: linearAxis(domain, range, count, text).ticks };
  return {
    scale,
    ticks: all.map((value) => ({ value, label: labelled.includes(value) ? text(value, value) : "" })),
  };
}

/** The digits of a number before its power of ten: 2 of 0.02 and 200. */
const leadingDigits = (value: number): number => Number(value.toExponential(3).split("e")[0]);

/** Equal ratios with ticks at powers of two, for numbers around 1. */
export function ratioAxis(domain: Ends, range: Ends): Axis {
  const scale = logScale(domain, range, 2);
  const [from, to] = domain;
  const count = Math.ceil(Math.log2(to / from)) + 1;
  return { scale, ticks: scale.ticks(count).map((value) => ({ value, label: significant(value, 4) })) };
}

/** Logarithmic if that is wanted and possible, else linear. */
export const numberAxis = (isLog: boolean, domain: Ends, range: Ends, count: number, text?: TickText): Axis =>
  (isLog && domain[0] > 0 ? logAxis : linearAxis)(domain, range, count, text);

/** Steps of which an axis of amounts ends on one; fewer of them have labels. */
const FINE_STEPS = 6;
/** Labelled steps at least and at most, and the room of one. */
const [MIN_STEPS, MAX_STEPS, STEP_ROOM] = [3, 6, 55];

/** The round number at or above an amount at which its axis ends. */
export const roundEnd = (amount: number): number =>
  amount > 0 && Number.isFinite(amount)
    ? (linearScale([0, amount], [0, 1]).nice(FINE_STEPS).domain()[1] as number)
    : 1;

/** From zero to an end that `roundEnd` gave. */
export function amountAxis(end: number, range: Ends, text?: TickText): Axis {
  const room = Math.floor(Math.abs(range[1] - range[0]) / STEP_ROOM);
  return linearAxis([0, end], range, Math.max(MIN_STEPS, Math.min(MAX_STEPS, room)), text);
}

/** Instants in microseconds at round steps of µs, ms or s; the last label carries the unit. */
export function timeAxis([start, end]: Ends, range: Ends): Axis {
  const length = end - start;
  const [unit, perUnit] = length < 2000 ? ["µs", 1] : length < 4e6 ? ["ms", 1000] : ["s", 1e6];
  const count = Math.max(2, Math.min(10, Math.floor((range[1] - range[0]) / 70)));
  const { ticks } = linearAxis([start / perUnit, end / perUnit], [0, 1], count);
  return {
    scale: linearScale([start, Math.max(end, start + 1e-9)], range),
    ticks: ticks.map(({ value, label }, place) => ({
      value: value * perUnit,
      label: place === ticks.length - 1 ? `${label} ${unit}` : label,
    })),
  };
}

/** A latency in its unit, which may change along an axis. */
export const latencyText: TickText = (us, step) => {
  const [unit, perUnit] = us >= 1e6 ? ["s", 1e6] : us >= 1000 ? ["ms", 1000] : ["µs", 1];
  return `${formatTick(us / perUnit, step / perUnit)} ${unit}`;
};

/** Names side by side, at 0, 1, 2 … */
export const namedAxis = (names: readonly string[], range: Ends): Axis => ({
  scale: linearScale([-0.5, Math.max(names.length, 1) - 0.5], range),
  ticks: names.map((label, value) => ({ value, label })),
});

/** Percentiles of latency, by the share of requests that are slower. */
export const PERCENTILES = [
  { name: "p50", share: 0.5 },
  { name: "p90", share: 0.1 },
  { name: "p99", share: 0.01 },
  { name: "p99.9", share: 0.001 },
  { name: "p99.99", share: 0.0001 },
] as const;

/** The share of requests that are slower, from the least one up to all of them, labelled by percentile. */
export const percentileAxis = (least: number, range: Ends): Axis => ({
  scale: logScale([least, 1], range),
  ticks: PERCENTILES.filter(({ share }) => share >= least).map(({ name, share }) => ({
    value: share,
    label: name,
  })),
});
