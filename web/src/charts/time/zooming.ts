import { placed, type Stretch, type TimeZoom } from "./timeRange.ts";

/** How much longer the stretch gets with a step out; a step in makes it as much shorter. */
export const ZOOM_STEP = 2;
/** Part of the stretch by which a key goes on. */
export const PAN_STEP = 0.5;

type Bounds = Pick<TimeZoom, "wholeUs" | "minUs">;

/** The stretch made longer by a factor, shorter where that is below one; the instant `aroundUs` keeps its place on the screen. */
export function zoomed(
  [from, to]: Stretch,
  factor: number,
  aroundUs: number,
  bounds: Bounds,
): Stretch | null {
  const { wholeUs, minUs } = bounds;
  const length = Math.max(minUs, (to - from) * factor);
  return placed(aroundUs - ((aroundUs - from) / (to - from)) * length, length, wholeUs);
}

/** The stretch further on, or back, as far as the run reaches. */
export const panned = ([from, to]: Stretch, byUs: number, wholeUs: number): Stretch | null =>
  placed(from + byUs, to - from, wholeUs);

/** Where to zoom in on when nobody points: the playhead, or the middle where it is out of sight. */
export const middleOf = ([from, to]: Stretch, nowUs: number): number =>
  nowUs >= from && nowUs <= to ? nowUs : (from + to) / 2;
