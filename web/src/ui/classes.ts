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

/** Names that always carry the same identity, wherever they stand in a scenario. */
const RESERVED: Readonly<Record<string, number>> = {
  high: 0,
  medium: 1,
  low: 2,
  pm: 3,
  "best effort": 4,
};

/**
 * Numbers of the identities of a scenario's classes, in the order of the scenario. A well-known name takes its own;
 * other names take the first free one of their position, so that no two of up to eight classes look the same.
 */
export function identityIndices(names: readonly string[]): number[] {
  const wanted = names.map((name) => RESERVED[name.trim().toLowerCase()]);
  const taken = new Set<number>();
  const indices = wanted.map((index) => {
    if (index === undefined || taken.has(index)) return -1;
    taken.add(index);
    return index;
  });
  return indices.map((index, position) => {
    if (index >= 0) return index;
    for (let offset = 0; offset < CLASS_IDENTITIES.length; offset++) {
      const candidate = (position + offset) % CLASS_IDENTITIES.length;
      if (!taken.has(candidate)) {
        taken.add(candidate);
        return candidate;
      }
    }
    return position % CLASS_IDENTITIES.length;
  });
}

/** The identity with a number, wrapping round beyond the last. */
export function classIdentity(index: number): ClassIdentity {
  return CLASS_IDENTITIES[index % CLASS_IDENTITIES.length] as ClassIdentity;
}

/** Identities of a scenario's classes, in the order of the scenario. */
export function classIdentities(names: readonly string[]): ClassIdentity[] {
  return identityIndices(names).map(classIdentity);
}
