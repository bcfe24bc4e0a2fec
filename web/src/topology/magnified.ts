import type { Hold } from "../charts/fingers.ts";
import type { FabricLayout } from "./layout.ts";

/** How much larger than its frame a fabric is laid out, and which point of that the frame begins with, in pixels. */
export interface Magnified {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

/** All of the fabric is in the frame. */
export const WHOLE: Magnified = { scale: 1, left: 0, top: 0 };

const MOST = 8;

const within = (value: number, most: number): number => Math.max(0, Math.min(most, value));

/** What fingers make of a magnified fabric: what was between them stays there, as far as the fabric reaches. */
export function pinched(
  { scale, left, top }: Magnified,
  before: Hold,
  now: Hold,
  frame: { readonly width: number; readonly height: number },
): Magnified {
  const larger = Math.max(1, Math.min(MOST, (scale * now.apart) / before.apart));
  const by = larger / scale;
  return {
    scale: larger,
    left: within((left + before.x) * by - now.x, frame.width * (larger - 1)),
    top: within((top + before.y) * by - now.y, frame.height * (larger - 1)),
  };
}

/** A layout as it stands in the frame. */
export function shifted(layout: FabricLayout, { left, top }: Magnified): FabricLayout {
  if (left === 0 && top === 0) return layout;
  return {
    ...layout,
    nodes: layout.nodes.map((node) => ({ ...node, x: node.x - left, y: node.y - top })),
    pods: layout.pods.map((pod) => ({
      ...pod,
      left: pod.left - left,
      right: pod.right - left,
      top: pod.top - top,
      bottom: pod.bottom - top,
    })),
  };
}
