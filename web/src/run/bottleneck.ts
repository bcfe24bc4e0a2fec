import type { RunView } from "./types.ts";

/** What holds requests back, as the engine finds it (`simulation/bottleneck.rs`). */
export interface Bottleneck {
  /** Share of its rate that the link carried that most of the traffic shares; as long as present figures are of. */
  readonly utilisation: number;
  /** It holds requests back. */
  readonly saturated: boolean;
  /** By device: whether it holds requests back, over the same time. */
  readonly backlogged: readonly boolean[];
  /** By device: commands that waited for it, before it and inside, the mean over the same time. */
  readonly waiting: readonly number[];
  /** The first device that holds requests back while the network would carry more; null where the network has that part. */
  readonly device: number | null;
  /** Why K has no effect now, or little, as a sentence; null while no device limits throughput. */
  readonly idleThreshold: string | null;
  /**
   * Why no class of the run has a target in Gb/s, and so no quality factor: what a class should have is a share of what is carried.
   * Null where the network decides what classes get.
   */
  readonly outOfReach: { readonly reason: string; readonly sinceUs: number | null } | null;
}

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
