/** Points of a polyline; NaN in `y` is a gap. Reused between frames, hence `length`. */
export interface Polyline {
  x: Float64Array;
  y: Float64Array;
  length: number;
}

export function createPolyline(capacity = 2048): Polyline {
  return { x: new Float64Array(capacity), y: new Float64Array(capacity), length: 0 };
}

/** Adds a point. */
export function push(line: Polyline, x: number, y: number): void {
  if (line.length === line.x.length) {
    const grow = (old: Float64Array) => {
      const grown = new Float64Array(old.length * 2);
      grown.set(old);
      return grown;
    };
    line.x = grow(line.x);
    line.y = grow(line.y);
  }
  line.x[line.length] = x;
  line.y[line.length] = y;
  line.length++;
}

export type Mapping = (value: number) => number;

/** First index in [0, n) whose value is at least `wanted`; n if none. */
export function lowerBound(values: ArrayLike<number>, n: number, wanted: number): number {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index in [0, n) whose value is nearest to `wanted`; -1 for no values. */
export function nearest(values: ArrayLike<number>, n: number, wanted: number): number {
  if (n === 0) return -1;
  const after = lowerBound(values, n, wanted);
  if (after === 0) return 0;
  if (after === n) return n - 1;
  return wanted - (values[after - 1] as number) <= (values[after] as number) - wanted ? after - 1 : after;
}
