/** What happens at an event, in the engine's order. */
export const HAPPENINGS = ["packet", "device", "timer", "control"] as const;

/** One thing that happens at an event; `control` happens at no node. */
export interface Happening {
  readonly what: (typeof HAPPENINGS)[number];
  readonly node: number;
}

/** An event that a run stands just behind. */
export interface RunEvent {
  /** Where a run that has just passed it stands. */
  readonly us: number;
  readonly happenings: readonly Happening[];
}

/** An event as the engine tells it: the instant in picoseconds, then what happened and at which node, in pairs. None if it is empty. */
export function eventOf([ps, ...pairs]: ArrayLike<number> & Iterable<number>): RunEvent | null {
  if (ps === undefined) return null;
  const happenings = Array.from({ length: pairs.length / 2 }, (_, i) => ({
    what: HAPPENINGS[pairs[2 * i] ?? 3] ?? "control",
    node: pairs[2 * i + 1] ?? 0,
  }));
  return { us: ps / 1e6, happenings };
}

const WORDS = {
  packet: ["packet at", "packets at"],
  device: ["device of", "devices of"],
  timer: ["timer of", "timers of"],
  control: ["classes renewed", "classes renewed"],
} as const;

/** Nodes that are named; how many more there are is said. */
const NAMED = 2;

/** An event in words: "packets at e0.0 and h12, timer of h3". */
export function eventText({ happenings }: RunEvent, nameOf: (node: number) => string): string {
  const parts = HAPPENINGS.flatMap((what) => {
    const nodes = happenings.filter((happening) => happening.what === what).map(({ node }) => nameOf(node));
    if (nodes.length === 0) return [];
    const words = WORDS[what][nodes.length > 1 ? 1 : 0];
    return [what === "control" ? words : `${words} ${listed(nodes)}`];
  });
  return parts.join(", ");
}

function listed(names: readonly string[]): string {
  const named = names.slice(0, NAMED);
  if (names.length > NAMED) return `${named.join(", ")} and ${names.length - NAMED} more`;
  return named.join(" and ");
}
