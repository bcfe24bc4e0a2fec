import type { Graph, GraphNode } from "../run/types.ts";
import type { Size } from "./magnified.ts";

/** A place on the sheet that a network is drawn on, in the units of the document. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Places along one side of a frame: the share of it at the place 0, and how much of it a unit is. */
interface Side {
  readonly from: number;
  readonly unit: number;
}

/** How the sheet lies in the frame of the whole fabric. */
export interface Sheet {
  readonly x: Side;
  readonly y: Side;
}

/** Room between the outermost nodes and the frame, in pixels. */
const MARGIN = { x: 40, y: 32 };
/** Units of a sheet to a pixel of the frame, where a layout gave the places: they are whole, and nothing may be seen to move. */
const FINE = 4;

type Placed = GraphNode & Place;
const isPlaced = (node: GraphNode): node is Placed =>
  Number.isFinite(node.x ?? Number.NaN) && Number.isFinite(node.y ?? Number.NaN);

/** The nodes of a graph that brings a place along for each; null for any other. */
export const placedNodes = ({ nodes }: Graph): readonly Placed[] | null =>
  nodes.every(isPlaced) ? nodes : null;

/** The sheet of a network that is laid out by rule. */
export const ruledSheet = ({ width, height }: Size): Sheet => ({
  x: { from: 0, unit: 1 / (FINE * width) },
  y: { from: 0, unit: 1 / (FINE * height) },
});

/** The sheet as it lies where its nodes fill the frame. */
export function fittedSheet(nodes: readonly Place[], size: Size): Sheet {
  const side = (values: readonly number[], room: number, margin: number): Side => {
    const low = Math.min(...values);
    const span = Math.max(...values) - low;
    const unit = span === 0 ? 1 / room : (1 - (2 * margin) / room) / span;
    return { from: span === 0 ? 0.5 - low * unit : margin / room - low * unit, unit };
  };
  return {
    x: side(
      nodes.map(({ x }) => x),
      size.width,
      MARGIN.x,
    ),
    y: side(
      nodes.map(({ y }) => y),
      size.height,
      MARGIN.y,
    ),
  };
}

/** Where a place of the sheet is in the frame, in shares of that. */
export const shareAt = ({ x, y }: Sheet, place: Place): Place => ({
  x: x.from + x.unit * place.x,
  y: y.from + y.unit * place.y,
});

/** The place of the sheet at a point of the frame, given in shares of that. */
export const placeAt = ({ x, y }: Sheet, share: Place): Place => ({
  x: (share.x - x.from) / x.unit,
  y: (share.y - y.from) / y.unit,
});

/** How far apart a place of before and one of now may lie for nobody to see it, in shares of the frame. */
const UNSEEN = 2e-3;

/**
 * Whether a network is the one before, edited: what of it is known stands where it stood, for the most part, and all of it is within
 * the frame. Then the sheet lies as it lay, and nothing moves but what was moved.
 */
export function goesOn(sheet: Sheet, nodes: readonly Placed[], before: ReadonlyMap<string, Place>): boolean {
  const isIn = (share: number) => share >= 0 && share <= 1;
  let standing = 0;
  for (const node of nodes) {
    const { x, y } = shareAt(sheet, node);
    if (!isIn(x) || !isIn(y)) return false;
    const known = before.get(node.name);
    const was = known && shareAt(sheet, known);
    if (was && Math.abs(was.x - x) < UNSEEN && Math.abs(was.y - y) < UNSEEN) standing++;
  }
  return 2 * standing >= Math.min(nodes.length, before.size);
}
