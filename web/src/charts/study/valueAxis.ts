import { tickIncrement } from "d3-array";
import { formatTick } from "../drawing/format.ts";
import { amountTicks, niceMaximum, type Tick } from "../drawing/ticks.ts";
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
/** An axis shows at least this share of the greatest value: chance is not to look like a mountain. */
const NARROWEST = 0.1;
/** Microseconds from which on an axis is in milliseconds. */
const LONG_US = 10_000;

/** Whether an extent is of so many orders that its axis is logarithmic. */
export const isWide = ([low, high]: Extent): boolean => low > 0 && high / low > LOG_FROM;

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
  if (isWide([low, high])) {
    const [from, to] = [low * 0.85, high * 1.15];
    return made(from, to, true, scatterTicks({ from, to, scale: "log", words: null }, 4), "log axis");
  }
  if (low > 0 && low > OFF_ZERO * high) {
    const pad = Math.max(0, NARROWEST * high - (high - low)) / 2;
    const { from, to, ticks } = rounded(low - pad, high + pad);
    return made(from, to, false, ticks, `axis starts at ${plainNumber(from / factor)}`);
  }
  if (low >= 0) {
    const to = niceMaximum(high);
    return made(0, to, false, amountTicks(to), "");
  }
  const { from, to, ticks } = rounded(low, high);
  return made(from, to, false, ticks, "");
}

/** Most steps of an axis that does not start at zero. */
const STEPS = 4;

/** The ends of an axis about an extent, at round numbers, with a tick at every step between. */
function rounded(low: number, high: number): { from: number; to: number; ticks: readonly Tick[] } {
  const width = high > low ? high - low : Math.abs(high) / 10 || 1;
  for (let count = STEPS; ; count--) {
    const increment = tickIncrement(low, low + width, Math.max(1, count));
    const step = increment < 0 ? -1 / increment : increment;
    const [first, last] = [
      Math.floor(low / step + 1e-9),
      Math.max(Math.ceil(high / step - 1e-9), 1 + Math.floor(low / step)),
    ];
    if (last - first > STEPS && count > 1) continue;
    const ticks = Array.from({ length: last - first + 1 }, (_, at) => {
      const value = rid((first + at) * step);
      return { value, label: formatTick(value, step) };
    });
    return { from: rid(first * step), to: rid(last * step), ticks };
  }
}

/** A multiple of a step, rid of what binary fractions add to it. */
const rid = (value: number): number => Number(value.toPrecision(12));

/** An extent and what it was before: axes of a study that is being run only grow. */
export const grown = (before: Extent | null | undefined, now: Extent | null): Extent | null =>
  before && now ? [Math.min(before[0], now[0]), Math.max(before[1], now[1])] : (now ?? before ?? null);
