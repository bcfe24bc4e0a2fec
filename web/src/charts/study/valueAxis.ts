import {
  type Axis,
  amountAxis,
  type Ends,
  linearAxis,
  linearScale,
  logAxis,
  roundEnd,
} from "../drawing/axis.ts";
import { formatTick } from "../drawing/format.ts";
import { plainNumber, unitText } from "./studyText.ts";

/** Between what something lies, its intervals included. */
export type Extent = readonly [low: number, high: number];

/** An axis of what is measured; what lies beyond its ends is drawn at them. */
export interface ValueAxis extends Axis {
  /** Stands behind the title: the unit, and where the axis starts if not at zero. */
  readonly note: string;
}

/** Beyond this ratio of its ends an axis is logarithmic. */
const LOG_FROM = 50;
/** Above this share of the greatest value the least one leaves half the axis empty: it does not start at zero then. */
const OFF_ZERO = 0.5;
/** An axis shows at least this share of the greatest value: chance is not to look like a mountain. */
const NARROWEST = 0.1;
/** Microseconds from which on an axis is in milliseconds. */
const LONG_US = 10_000;
/** Steps of an axis that does not start at zero, and labels of a logarithmic one. */
const STEPS = 4;

/** Whether an extent is of so many orders that its axis is logarithmic. */
export const isWide = ([low, high]: Extent): boolean => low > 0 && high / low > LOG_FROM;

/** The axis for an extent of a measure. Amounts begin at zero, unless that left half of the axis empty. */
export function valueAxis(extent: Extent, unit: string | null, range: Ends): ValueAxis {
  const [low, high] = extent;
  const inMs = unit === "us" && high >= LONG_US;
  const factor = inMs ? 1000 : 1;
  const text = inMs ? (us: number) => plainNumber(us / factor) : formatTick;
  const made = ({ scale, ticks }: Axis, start = ""): ValueAxis => ({
    scale: scale.clamp(true),
    ticks,
    note: [inMs ? "ms" : unitText(unit), start].filter(Boolean).join(", "),
  });
  if (isWide(extent)) return made(logAxis([low * 0.85, high * 1.15], range, STEPS, text), "log axis");
  const isOffZero = low > 0 && low > OFF_ZERO * high;
  if (low >= 0 && !isOffZero) return made(amountAxis(roundEnd(high), range, text));
  const pad = isOffZero ? Math.max(0, NARROWEST * high - (high - low)) / 2 : 0;
  const [from = 0, to = 1] = linearScale([low - pad, high + pad], [0, 1])
    .nice(STEPS)
    .domain();
  return made(
    linearAxis([from, to], range, STEPS, text),
    isOffZero ? `axis starts at ${plainNumber(from / factor)}` : "",
  );
}

/** An extent and what it was before: axes of a study that is being run only grow. */
export const grown = (before: Extent | null | undefined, now: Extent | null): Extent | null =>
  before && now ? [Math.min(before[0], now[0]), Math.max(before[1], now[1])] : (now ?? before ?? null);
