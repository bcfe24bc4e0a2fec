import { tickIncrement, ticks } from "d3-array";
import { formatTick } from "./format.ts";

export interface Tick {
  readonly value: number;
  /** Empty for an unlabelled tick. */
  readonly label: string;
}

/** Top of a zero-based axis with ticks at thirds or quarters: 1, 1.2, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten. */
export function niceMaximum(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const decade = 10 ** Math.floor(Math.log10(value));
  const step = [1, 1.2, 1.5, 2, 3, 4, 5, 6, 8, 10].find(
    (multiple) => multiple * decade >= value * (1 - 1e-9),
  );
  return (step ?? 10) * decade;
}

/** Ticks from zero to a nice maximum, about `count` steps. */
export function amountTicks(maximum: number, count = 3): Tick[] {
  const leading = maximum / 10 ** Math.floor(Math.log10(maximum) + 1e-9);
  const steps =
    count <= 2
      ? 2
      : (leading < 1.1 || Math.abs(leading - 2) < 0.01 || Math.abs(leading - 5) < 0.01) && count < 4
        ? 2
        : bestSteps(leading);
  const step = maximum / steps;
  return Array.from({ length: steps + 1 }, (_, i) => ({
    value: i * step,
    label: formatTick(i * step, step),
  }));
}

/** 3 steps for 1.2, 1.5, 3 and 6; 4 for the others: each step is then a round number. */
function bestSteps(leading: number): number {
  const isOneOf = (...values: number[]) => values.some((value) => Math.abs(leading - value) < 0.01);
  return isOneOf(1.2, 1.5, 3, 6) ? 3 : 4;
}

/** Ticks of the time axis at 1-2-5 steps of ms (us below 2 ms of range); the last carries the unit. */
export function timeTicks(startUs: number, endUs: number, plotWidth: number): Tick[] {
  const unitUs = endUs - startUs < 2000 ? 1 : endUs - startUs < 4e6 ? 1000 : 1e6;
  const unit = unitUs === 1 ? "µs" : unitUs === 1000 ? "ms" : "s";
  const count = Math.max(2, Math.min(10, Math.floor(plotWidth / 70)));
  const from = startUs / unitUs;
  const to = endUs / unitUs;
  return roundTicks(from, to, count).map(({ value, label }, i, all) => ({
    value: value * unitUs,
    label: i === all.length - 1 ? `${label} ${unit}` : label,
  }));
}

/** About so many ticks at round steps between two ends. */
export function roundTicks(from: number, to: number, count: number): Tick[] {
  const increment = tickIncrement(from, to, count);
  const step = increment < 0 ? -1 / increment : increment;
  return ticks(from, to, count).map((value) => ({ value, label: formatTick(value, step || 1) }));
}

/** Ticks of a logarithmic latency axis at 1-2-5 of each decade, each with its unit: one axis may go from us to seconds. */
export function latencyTicks(minimumUs: number, maximumUs: number): Tick[] {
  const result: Tick[] = [];
  for (let decade = 10 ** Math.floor(Math.log10(minimumUs)); decade <= maximumUs; decade *= 10) {
    for (const multiple of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
      const value = multiple * decade;
      if (value < minimumUs * (1 - 1e-9) || value > maximumUs * (1 + 1e-9)) continue;
      const label = multiple === 1 || multiple === 2 || multiple === 5 ? latencyLabel(value) : "";
      result.push({ value, label });
    }
  }
  return result;
}

function latencyLabel(us: number): string {
  if (us >= 1e6) return `${formatTick(us / 1e6, 1)} s`;
  if (us >= 1000) return `${formatTick(us / 1000, 1)} ms`;
  return `${formatTick(us, us < 1 ? us : 1)} µs`;
}
