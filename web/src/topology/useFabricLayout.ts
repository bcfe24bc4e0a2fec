import { useCallback, useRef } from "react";
import type { FabricKind, Magnified } from "../charts/types.ts";
import type { Graph } from "../run/types.ts";
import { type FabricLayout, layoutFabric } from "./layout.ts";
import { type Size, shifted } from "./magnified.ts";
import { fittedSheet, goesOn, type Place, placeAt, placedNodes, ruledSheet, type Sheet } from "./sheet.ts";

/** A network as it stands in its frame. */
export interface Laid {
  readonly layout: FabricLayout;
  readonly sheet: Sheet;
  /** Where the nodes stand on the sheet, by their names. */
  readonly places: ReadonlyMap<string, Place>;
  /** The place of the sheet at a point of the frame. */
  readonly placeAt: (x: number, y: number) => Place;
}

interface Kept extends Laid, Size {
  readonly graph: Graph;
  readonly given: ReadonlyMap<string, Place> | null;
  readonly shown: Magnified;
  readonly kind: FabricKind;
  /** The sheet fills the frame, and so does with another size. */
  readonly isFitted: boolean;
}

/** Lays out a fabric, as it is magnified, for any size of its frame. */
export interface Layouts {
  (width: number, height: number): Laid;
  /** Where the nodes stand on the sheet, as it was last laid out. */
  places(): ReadonlyMap<string, Place>;
  /** All of it, in a frame of a size. */
  whole(width: number, height: number): FabricLayout;
  /** Has a drawn network fill its frame again, when it is next laid out. */
  refit(): void;
}

/**
 * The layout of a fabric, made anew only when something of it changes. `given` are places that somebody chose for nodes; they go before
 * those of the graph. A network that goes on from the one before, edited, keeps standing where it stood.
 */
export function useFabricLayout(
  graph: Graph,
  kind: FabricKind,
  shown: Magnified,
  given: ReadonlyMap<string, Place> | null,
): Layouts {
  const kept = useRef<Kept | null>(null);
  const places = useCallback(() => kept.current?.places ?? new Map(), []);
  const whole = (width: number, height: number) => {
    const placed = given ? withPlaces(graph, given, kept.current?.places) : graph;
    return layoutFabric(placed, kind, width, height, kept.current?.sheet);
  };
  const at = (width: number, height: number): Laid => {
    const last = kept.current;
    const isSame = last?.graph === graph && last.given === given && last.kind === kind;
    const isSameSize = last?.width === width && last.height === height;
    if (isSame && isSameSize && isSamePart(last.shown, shown)) return last;
    const placed = given ? withPlaces(graph, given, last?.places) : graph;
    const nodes = placedNodes(placed);
    const isKept = nodes && last && !(isSame && last.isFitted) && goesOn(last.sheet, nodes, last.places);
    const sheet = !nodes
      ? ruledSheet({ width, height })
      : isKept
        ? last.sheet
        : fittedSheet(nodes, { width, height });
    const { scale, left, top } = shown;
    const full = layoutFabric(placed, kind, width * scale, height * scale, sheet);
    const layout = shifted(full, shown, { width, height });
    const onSheet = (x: number, y: number) =>
      placeAt(sheet, { x: (x / width + left) / scale, y: (y / height + top) / scale });
    const places = new Map(
      placed.nodes.map(({ name }, i) => {
        const node = layout.nodes[i];
        return [name, nodes?.[i] ?? onSheet(node?.x ?? 0, node?.y ?? 0)] as const;
      }),
    );
    const isFitted = nodes !== null && !isKept;
    kept.current = {
      graph,
      given,
      kind,
      shown,
      width,
      height,
      layout,
      sheet,
      places,
      placeAt: onSheet,
      isFitted,
    };
    return kept.current;
  };
  const refit = () => {
    kept.current = null;
  };
  return Object.assign(at, { refit, whole, places });
}

const isSamePart = (one: Magnified, other: Magnified): boolean =>
  one.scale === other.scale && one.left === other.left && one.top === other.top;

/** A graph with the places that somebody chose for its nodes; what has gone meanwhile stays where it was until the run has noticed. */
const withPlaces = (
  graph: Graph,
  given: ReadonlyMap<string, Place>,
  before: ReadonlyMap<string, Place> | undefined,
): Graph => ({
  ...graph,
  nodes: graph.nodes.map((node) => {
    const place = given.get(node.name) ?? (node.x == null ? before?.get(node.name) : undefined);
    return place ? { ...node, x: place.x, y: place.y } : node;
  }),
});
