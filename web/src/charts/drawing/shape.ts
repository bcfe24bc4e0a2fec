import { type Area, area, curveStepAfter, type Line, line } from "d3-shape";
import type { Paths } from "./surface.ts";

type Place<T> = (item: T, index: number) => number;

/** D3 needs of a canvas what a surface has: `moveTo`, `lineTo` and `closePath`. */
const contextOf = (surface: Paths) => surface as unknown as CanvasRenderingContext2D;

/** Begins a path along points; one without a finite height is a gap. */
export function linePath<T>(
  surface: Paths,
  points: ArrayLike<T>,
  x: Place<T>,
  y: Place<T>,
  isStepped = false,
): void {
  const pen: Line<T> = line<T>(x, y)
    .defined((point, index) => Number.isFinite(y(point, index)))
    .context(contextOf(surface));
  if (isStepped) pen.curve(curveStepAfter);
  surface.begin();
  pen(points as T[]);
}

/** Begins a path around the area between two heights along points. */
export function areaPath<T>(
  surface: Paths,
  points: ArrayLike<T>,
  x: Place<T>,
  [low, high]: readonly [low: Place<T>, high: Place<T>],
): void {
  const pen: Area<T> = area<T>(x, low, high).context(contextOf(surface));
  surface.begin();
  pen(points as T[]);
}
