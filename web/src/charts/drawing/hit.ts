import { bisectCenter, leastIndex } from "d3-array";

/** Place of the number that is nearest to a value among the first of ascending ones; -1 if there is none. */
export const nearestAlong = (
  ascending: ArrayLike<number>,
  value: number,
  count: number = ascending.length,
): number => (count === 0 ? -1 : bisectCenter(ascending, value, 0, count));

/** Place of the item at the least distance, if that is within reach. */
export function nearestWithin<T>(
  items: readonly T[],
  distance: (item: T) => number,
  reach = Number.POSITIVE_INFINITY,
): number | null {
  const distances = items.map(distance);
  const place = leastIndex(distances);
  return place !== undefined && (distances[place] as number) <= reach ? place : null;
}
