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
