/**
 * Min/max decimation per pixel column (the idea of M4: Jugel et al., VLDB 2014): where a column's samples span more than
 * two pixels their extremes survive in order of appearance, elsewhere one point stands for the column.
 */

/** Points of a polyline; NaN in `y` is a gap. Reused between frames, hence `length`. */
export interface Polyline {
  x: Float64Array;
  y: Float64Array;
  length: number;
}

export function createPolyline(capacity = 2048): Polyline {
  return { x: new Float64Array(capacity), y: new Float64Array(capacity), length: 0 };
}

function push(line: Polyline, x: number, y: number): void {
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

/**
 * Fills `line` with the pixels of the samples `from`..`to` of a series. `xOf` and `yOf` map to pixels; `yOf` may clamp.
 */
export function decimate(
  line: Polyline,
  times: ArrayLike<number>,
  values: ArrayLike<number>,
  from: number,
  to: number,
  xOf: Mapping,
  yOf: Mapping,
): Polyline {
  line.length = 0;
  let i = from;
  while (i < to) {
    const x = xOf(times[i] as number);
    const column = Math.floor(x);
    let last = yOf(values[i] as number);
    let lowest = last;
    let highest = last;
    let lowestX = x;
    let highestX = x;
    let lastX = x;
    i++;
    if (Number.isNaN(last)) {
      push(line, x, Number.NaN);
      continue;
    }
    while (i < to) {
      const nextX = xOf(times[i] as number);
      if (Math.floor(nextX) !== column) break;
      const y = yOf(values[i] as number);
      if (Number.isNaN(y)) break;
      if (y < lowest) {
        lowest = y;
        lowestX = nextX;
      }
      if (y > highest) {
        highest = y;
        highestX = nextX;
      }
      last = y;
      lastX = nextX;
      i++;
    }
    if (highest - lowest > 2) {
      if (lowestX < highestX) {
        push(line, lowestX, lowest);
        push(line, highestX, highest);
      } else {
        push(line, highestX, highest);
        push(line, lowestX, lowest);
      }
    }
    if (highest - lowest <= 2 || (last !== lowest && last !== highest)) push(line, lastX, last);
  }
  return line;
}
