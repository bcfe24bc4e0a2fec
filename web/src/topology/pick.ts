import type { Cable } from "./cables.ts";
import type { FabricLayout } from "./layout.ts";

/** What lies under the pointer. */
export type Picked = { readonly node: number } | { readonly cable: number } | null;

/** Nearest node within 10 px of its box, else the nearest cable within 7 px. */
export function pick(layout: FabricLayout, cables: readonly Cable[], x: number, y: number): Picked {
  let best = 10;
  let node = -1;
  for (const [i, place] of layout.nodes.entries()) {
    const dx = Math.max(0, Math.abs(x - place.x) - place.width / 2);
    const dy = Math.max(0, Math.abs(y - place.y) - place.height / 2);
    // The centre's distance breaks ties between crowded nodes.
    const distance = Math.hypot(dx, dy) + Math.hypot(x - place.x, y - place.y) * 0.01;
    if (distance < best) {
      best = distance;
      node = i;
    }
  }
  if (node >= 0) return { node };
  best = 7;
  let cable = -1;
  for (const [i, { a, b }] of cables.entries()) {
    const from = layout.nodes[a];
    const to = layout.nodes[b];
    if (!from || !to) continue;
    const dx = to.x - from.x;
    const dy = to.y - from.y;
    const along = ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1);
    if (along < 0 || along > 1) continue;
    const distance = Math.hypot(x - from.x - along * dx, y - from.y - along * dy);
    if (distance < best) {
      best = distance;
      cable = i;
    }
  }
  return cable >= 0 ? { cable } : null;
}
