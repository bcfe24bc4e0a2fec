import type { NoteMark } from "../charts/types.ts";
import type { Graph } from "../run/types.ts";
import type { PlacedNode } from "./layout.ts";

/** The notes of a fabric's nodes, by the places of the nodes. */
export function notesByNode(graph: Graph, notes: readonly NoteMark[]): ReadonlyMap<number, NoteMark[]> {
  const places = new Map(graph.nodes.map(({ name }, place) => [name, place]));
  const found = new Map<number, NoteMark[]>();
  for (const note of notes) {
    const place = note.node === null ? undefined : places.get(note.node);
    if (place !== undefined) found.set(place, [...(found.get(place) ?? []), note]);
  }
  return found;
}

/** Where the mark of a node's notes stands: at its upper right corner. */
export const cornerOf = ({ x, y, width, height }: PlacedNode) => ({
  x: x + width / 2 + 2,
  y: y - height / 2,
});
