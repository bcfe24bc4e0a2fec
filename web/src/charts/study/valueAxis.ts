import { tickIncrement } from "d3-array";
import { amountTicks, niceMaximum, roundTicks, type Tick } from "../drawing/ticks.ts";
import { scatterTicks } from "./scatter.ts";
import { plainNumber, unitText } from "./studyText.ts";

/** Between what something lies, its intervals included. */
export type Extent = readonly [low: number, high: number];

/** An axis of what is measured. */
export interface ValueAxis {
  readonly from: number;
  readonly to: number;
  readonly isLog: boolean;
  /** In the unit of the measure, labelled in that of the axis. */
  readonly ticks: readonly Tick[];
  /** What stands behind the title: the unit, and where the axis starts if not at zero. */
  readonly note: string;
  /** Where a value stands, from 0 at the foot to 1. */
  readonly share: (value: number) => number;
}

/** Beyond this ratio of its ends an axis is logarithmic. */
const LOG_FROM = 50;
/** Above this share of the greatest value the least one leaves half the axis empty: it does not start at zero then. */
const OFF_ZERO = 0.5;
/** Microseconds from which on an axis is in milliseconds. */
const LONG_US = 10_000;

/** The axis for an extent of a measure. Amounts begin at zero, unless that left half of the axis empty. */
export function valueAxis([low, high]: Extent, unit: string | null): ValueAxis {
  const inMs = unit === "us" && high >= LONG_US;
  const factor = inMs ? 1000 : 1;
  const name = inMs ? "ms" : unitText(unit);
  const labelled = (ticks: readonly Tick[]): readonly Tick[] =>
    factor === 1
      ? ticks
      : ticks.map(({ value, label }) => ({ value, label: label && plainNumber(value / factor) }));
  const made = (
    from: number,
    to: number,
    isLog: boolean,
    ticks: readonly Tick[],
    start: string,
  ): ValueAxis => ({
    from,
    to,
    isLog,
    ticks: labelled(ticks),
    note: [name, start].filter(Boolean).join(", "),
    share: (value) => {
      const at = isLog
        ? Math.log(Math.max(value, from) / from) / Math.log(to / from)
        : (value - from) / (to - from);
      return Math.min(1, Math.max(0, at));
    },
  });
  if (low > 0 && high / low > LOG_FROM) {
    const [from, to] = [low * 0.85, high * 1.15];
    return made(from, to, true, scatterTicks({ from, to, scale: "log", words: null }, 4), "log axis");
  }
  if (low > 0 && low > OFF_ZERO * high) {
    const step = stepOf(low, high);
    const from = Math.floor(low / step) * step;
    const to = Math.max(from + step, Math.ceil(high / step) * step);
    return made(from, to, false, roundTicks(from, to, 3), `axis starts at ${plainNumber(from / factor)}`);
  }
  if (low >= 0) {
    const to = niceMaximum(high);
    return made(0, to, false, amountTicks(to), "");
  }
  const step = stepOf(low, high);
  const [from, to] = [Math.floor(low / step) * step, Math.ceil(high / step) * step];
  return made(from, Math.max(to, from + step), false, roundTicks(from, to, 4), "");
}

/** A round step of about three of an extent. */
function stepOf(low: number, high: number): number {
  const width = high > low ? high - low : Math.abs(high) / 10 || 1;
  const increment = tickIncrement(low, low + width, 3);
  return increment < 0 ? -1 / increment : increment;
}

/** An extent and what it was before: axes of a study that is being run only grow. */
export const grown = (before: Extent | null | undefined, now: Extent | null): Extent | null =>
  before && now ? [Math.min(before[0], now[0]), Math.max(before[1], now[1])] : (now ?? before ?? null);
