import type { Speed } from "./protocol.ts";

/** Speeds of the menu, in simulated microseconds per second of wall time. */
export const SPEEDS: readonly Speed[] = [
  10,
  20,
  50,
  100,
  200,
  500,
  1e3,
  2e3,
  5e3,
  1e4,
  2e4,
  5e4,
  1e5,
  2e5,
  5e5,
  1e6,
  Infinity,
];

/** The next faster or slower speed of the menu. */
export function neighbour(speed: Speed, direction: 1 | -1): Speed {
  if (direction > 0) return SPEEDS.find((item) => item > speed) ?? Infinity;
  return SPEEDS.findLast((item) => item < speed) ?? (SPEEDS[0] as Speed);
}

/** A speed at which a run of some length takes twelve to thirty seconds: one of 20 ms, whose packets can then be followed, 20. */
export function usualSpeed(durationUs: number): Speed {
  return SPEEDS.findLast((speed) => speed <= durationUs / 12) ?? (SPEEDS[0] as Speed);
}

/** "0.5 ms per second" */
export function speedText(speed: Speed): string {
  if (speed === Infinity) return "as fast as possible";
  if (speed >= 1e6) return `${speed / 1e6} s per second`;
  if (speed >= 100) return `${speed / 1000} ms per second`;
  return `${speed} µs per second`;
}
