import type { Magnified } from "../charts/types.ts";
import type { FabricLayout } from "./layout.ts";

/** All of the fabric is in the frame. */
export const WHOLE: Magnified = { scale: 1, left: 0, top: 0 };

export const MAX_SCALE = 8;

export interface Size {
  readonly width: number;
  readonly height: number;
}

const within = (value: number, most: number): number => Math.max(0, Math.min(most, value));

/** A magnified fabric that fills its frame, as near as may be to what is asked for. */
export function magnified(scale: number, left: number, top: number): Magnified {
  const larger = Math.max(1, Math.min(MAX_SCALE, scale));
  return { scale: larger, left: within(left, larger - 1), top: within(top, larger - 1) };
}

/** Larger by a factor; a point stays where it is, given in widths and heights of the frame. */
export function zoomed({ scale, left, top }: Magnified, factor: number, x: number, y: number): Magnified {
  const by = Math.max(1, Math.min(MAX_SCALE, scale * factor)) / scale;
  return magnified(scale * by, (left + x) * by - x, (top + y) * by - y);
}

/** Another part of it, farther right and down by widths and heights of the frame. */
export const panned = ({ scale, left, top }: Magnified, right: number, down: number): Magnified =>
  magnified(scale, left + right, top + down);

/** A layout of its size as it stands in the frame. */
export function shifted(
  layout: FabricLayout,
  { left, top }: Magnified,
  { width, height }: Size,
): FabricLayout {
  if (left === 0 && top === 0) return layout;
  const [right, down] = [left * width, top * height];
  return {
    ...layout,
    nodes: layout.nodes.map((node) => ({ ...node, x: node.x - right, y: node.y - down })),
    pods: layout.pods.map((pod) => ({
      ...pod,
      left: pod.left - right,
      right: pod.right - right,
      top: pod.top - down,
      bottom: pod.bottom - down,
    })),
  };
}

/** A magnified fabric as a link has it: few digits, in the order scale, left, top. */
export const toNumbers = ({ scale, left, top }: Magnified): readonly number[] =>
  [scale, left, top].map((value) => Math.round(value * 1e4) / 1e4);

/** What a link has, as it can be shown. */
export const fromNumbers = ([scale = 1, left = 0, top = 0]: readonly number[]): Magnified =>
  magnified(scale, left, top);
