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
