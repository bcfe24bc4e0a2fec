import { interpolateNumber } from "d3-interpolate";
import { column, samplesUntilNow } from "../run/read.ts";
import type { RunView } from "../run/types.ts";
import type { FabricLayout } from "./layout.ts";

/**
 * Dots along the paths of the flows. They show share and direction, not single packets: the denser, the more a class
 * carries; they advance with simulated time and stand still when it does.
 */

/** Most dots at once. */
const MAX_PACKETS = 400;
/** Pixels per simulated us. */
const PACE = 0.12;
/** Pixels between dots of a flow that fills its link. */
const DENSEST = 9;

export type Dot = (x: number, y: number, classIndex: number) => void;

/** Calls `dot` for every dot at the playhead; `frozen` leaves out the movement. */
export function forEachPacket(run: RunView, layout: FabricLayout, frozen: boolean, dot: Dot): void {
  const { graph } = run.layout;
  const last = samplesUntilNow(run) - 1;
  if (last < 0) return;
  const flowsOf = run.classes.map(() => 0);
  for (const flow of run.flows) flowsOf[flow.class] = (flowsOf[flow.class] ?? 0) + 1;
  const plans = run.flows.map((flow) => {
    const gbps = (column(run, "goodputGbps", flow.class)?.[last] ?? 0) / (flowsOf[flow.class] || 1);
    const rate = graph.links[flow.path[0] ?? -1]?.gbps ?? 0;
    const share = rate > 0 && gbps > 0 ? Math.min(1, gbps / rate) : 0;
    return {
      flow,
      spacing: share > 0 ? Math.min(160, DENSEST / share) : 0,
      length: lengthOf(run, layout, flow.path),
    };
  });
  const wanted = plans.reduce((sum, plan) => sum + (plan.spacing > 0 ? plan.length / plan.spacing : 0), 0);
  const thinning = Math.max(1, wanted / MAX_PACKETS);
  for (const [i, { flow, spacing, length }] of plans.entries()) {
    if (spacing === 0 || length === 0) continue;
    const pitch = spacing * thinning;
    const start = (i * 0.618 * pitch + (frozen ? 0 : run.nowUs * PACE)) % pitch;
    let travelled = 0;
    let next = start;
    for (const index of flow.path) {
      const link = graph.links[index];
      const from = link && layout.nodes[link.from];
      const to = link && layout.nodes[link.to];
      if (!from || !to) break;
      const [x, y] = [interpolateNumber(from.x, to.x), interpolateNumber(from.y, to.y)];
      const span = Math.hypot(to.x - from.x, to.y - from.y);
      for (; next <= travelled + span; next += pitch) {
        const part = (next - travelled) / span;
        dot(x(part), y(part), flow.class);
      }
      travelled += span;
    }
  }
}

function lengthOf(run: RunView, layout: FabricLayout, path: readonly number[]): number {
  let length = 0;
  for (const index of path) {
    const link = run.layout.graph.links[index];
    const from = link && layout.nodes[link.from];
    const to = link && layout.nodes[link.to];
    if (from && to) length += Math.hypot(to.x - from.x, to.y - from.y);
  }
  return length;
}
