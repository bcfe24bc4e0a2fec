/**
 * How a class of traffic looks. A class keeps its identity in every table, chart and export; colour is never the only
 * mark of it, so each identity also has a dash pattern and a marker.
 */

export type MarkerKind =
  | "circle"
  | "square"
  | "triangle"
  | "diamond"
  | "cross"
  | "halfCircle"
  | "halfSquare"
  | "halfDiamond";

export interface ClassIdentity {
  /** Number of the identity: the N in the colour variables `--class-N-mark` and `--class-N-label`. */
  readonly index: number;
  /** CSS colour of lines, bars and markers (contrast 3:1 or more). */
  readonly mark: string;
  /** CSS colour of text (contrast 4.5:1 or more). */
  readonly label: string;
  /** Dash pattern in pixels; empty for a solid line. */
  readonly dash: readonly number[];
  readonly marker: MarkerKind;
}

const identity = (index: number, dash: readonly number[], marker: MarkerKind): ClassIdentity => ({
  index,
  mark: `var(--class-${index}-mark)`,
  label: `var(--class-${index}-label)`,
  dash,
  marker,
});

/** All identities in their fixed order: High, Medium, Low, PM, Best effort, then three in ink for further classes. */
export const CLASS_IDENTITIES: readonly ClassIdentity[] = [
  identity(0, [], "circle"),
  identity(1, [7, 2.5], "square"),
  identity(2, [2, 2.5], "triangle"),
  identity(3, [8, 2.5, 2, 2.5], "diamond"),
  identity(4, [1, 4], "cross"),
  identity(5, [12, 3], "halfCircle"),
  identity(6, [5, 5], "halfSquare"),
  identity(7, [3, 3, 3, 8], "halfDiamond"),
];

/** The identity with a number, wrapping round beyond the last. */
export function classIdentity(index: number): ClassIdentity {
  return CLASS_IDENTITIES[index % CLASS_IDENTITIES.length] as ClassIdentity;
}
