/** Identities that classes of traffic can have; `CLASS_IDENTITIES` of ../ui/classes.ts says how each looks. */
export const IDENTITIES = 8;

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
    for (let offset = 0; offset < IDENTITIES; offset++) {
      const candidate = (position + offset) % IDENTITIES;
      if (!taken.has(candidate)) {
        taken.add(candidate);
        return candidate;
      }
    }
    return position % IDENTITIES;
  });
}
