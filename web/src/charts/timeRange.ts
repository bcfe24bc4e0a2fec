/** A stretch of time in microseconds. */
export type Stretch = readonly [fromUs: number, toUs: number];

/** Lets the time axis of charts show a stretch of the run; null is the whole run. */
export interface TimeZoom {
  readonly wholeUs: number;
  /** Shortest stretch. */
  readonly leastUs: number;
  show(range: Stretch | null): void;
}

/** How much longer the stretch gets with a step out; a step in makes it as much shorter. */
export const ZOOM_STEP = 2;
/** Part of the stretch by which a key goes on. */
export const PAN_STEP = 0.5;

type Bounds = Pick<TimeZoom, "wholeUs" | "leastUs">;

/** The stretch made longer by a factor, shorter where that is below one; the instant `aroundUs` keeps its place on the screen. */
export function zoomed(
  [from, to]: Stretch,
  factor: number,
  aroundUs: number,
  bounds: Bounds,
): Stretch | null {
  const { wholeUs, leastUs } = bounds;
  const length = Math.max(leastUs, (to - from) * factor);
  return placed(aroundUs - ((aroundUs - from) / (to - from)) * length, length, wholeUs);
}

/** The stretch further on, or back, as far as the run reaches. */
export const panned = ([from, to]: Stretch, byUs: number, wholeUs: number): Stretch | null =>
  placed(from + byUs, to - from, wholeUs);

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

/** Where to zoom in on when nobody points: the playhead, or the middle where it is out of sight. */
export const middleOf = ([from, to]: Stretch, nowUs: number): number =>
  nowUs >= from && nowUs <= to ? nowUs : (from + to) / 2;

/** A stretch of some length, moved into the run. */
function placed(from: number, length: number, wholeUs: number): Stretch | null {
  if (length >= wholeUs) return null;
  const start = Math.max(0, Math.min(wholeUs - length, from));
  return rounded(start, start + length);
}

/** To nanoseconds, so that links stay short. */
const rounded = (from: number, to: number): Stretch => [nanoseconds(from), nanoseconds(to)];
const nanoseconds = (us: number): number => Math.round(us * 1000) / 1000;
