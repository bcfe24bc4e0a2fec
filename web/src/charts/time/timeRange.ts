/** A stretch of time in microseconds. */
export type Stretch = readonly [fromUs: number, toUs: number];

/** Lets the time axis of charts show a stretch of the run; null is the whole run. */
export interface TimeZoom {
  readonly wholeUs: number;
  /** Shortest stretch. */
  readonly minUs: number;
  show(range: Stretch | null): void;
}

/** Whether a stretch is less than the whole run. */
export const isZoomed = ([from, to]: Stretch, { wholeUs }: TimeZoom): boolean => to - from < wholeUs;

/** The stretch moved no further than it must be to have an instant in it. */
export function withInstant([from, to]: Stretch, us: number): Stretch {
  if (us < from) return rounded(us, us + to - from);
  return us > to ? rounded(us - (to - from), us) : [from, to];
}

/** What of a stretch lies within a run; null where that is all of it or nothing. */
export function withinRun(range: Stretch | null, wholeUs: number): Stretch | null {
  if (range === null || range[0] >= wholeUs) return null;
  return placed(range[0], Math.min(range[1], wholeUs) - range[0], wholeUs);
}

/** A stretch of some length, moved into the run; null where it is all of that. */
export function placed(from: number, length: number, wholeUs: number): Stretch | null {
  if (length >= wholeUs) return null;
  const start = Math.max(0, Math.min(wholeUs - length, from));
  return rounded(start, start + length);
}

/** To nanoseconds, so that links stay short. */
const rounded = (from: number, to: number): Stretch => [nanoseconds(from), nanoseconds(to)];
const nanoseconds = (us: number): number => Math.round(us * 1000) / 1000;
