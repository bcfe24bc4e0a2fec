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
