/** What a pointer does on a fabric that is edited. */
export type Tool = "select" | "host" | "storage" | "switch" | "connect" | "traffic" | "fail";

/** What is chosen: nodes by name, cables by place. */
export interface Chosen {
  readonly nodes: ReadonlySet<string>;
  readonly cables: ReadonlySet<number>;
}

export const NOTHING: Chosen = { nodes: new Set(), cables: new Set() };

/** One node, by its name. */
export const onlyNode = (name: string): Chosen => ({ nodes: new Set([name]), cables: new Set() });

/** One cable, by its place. */
export const onlyCable = (place: number): Chosen => ({ nodes: new Set(), cables: new Set([place]) });
