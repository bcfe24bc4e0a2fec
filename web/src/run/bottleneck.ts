import type { Bottleneck } from "../generated/answers.d.ts";
import type { RunView } from "./types.ts";

/** Before the engine has said anything. */
export const NO_BOTTLENECK: Bottleneck = {
  utilisation: 0,
  saturated: false,
  backlogged: [],
  waiting: [],
  device: null,
  idleThreshold: null,
  outOfReach: null,
};

/** Whether anything goes over the network; where initiators and targets share their hosts, nothing does. */
export const hasNetwork = ({ layout }: RunView): boolean =>
  layout.graph.flows.length > 0 || layout.devices.length === 0;

/** Why no class of a run has a target in Gb/s, as the end of a sentence; null where they have. */
export const outOfReach = ({ bottleneck }: RunView): string | null => bottleneck.outOfReach?.reason ?? null;
