import type { Shape } from "../scenario/types.ts";

/** Fastest speed at which single packets can still be followed by eye, in microseconds per second. */
export const PACKET_SPEED = 1000;

/** Describes the shape of a network in a few words. */
export function shapeText(shape: Shape): string {
  switch (shape.kind) {
    case "fat-tree":
      return `fat-tree, k = ${shape.k}`;
    case "leaf-spine":
      return `${shape.leaves} leaves, ${shape.spines} spines`;
    case "dumbbell":
      return `dumbbell, ${shape.senders} to ${shape.receivers}`;
    case "custom":
      return "custom";
  }
}
