import type { Gutters } from "../charts/types.ts";
import type { Frame } from "../ui/media.ts";

/** Space beside the plots of the stacked charts, and beside the scrubber under them. */
export const GUTTERS: Readonly<Record<Frame, Gutters>> = {
  desk: { left: 56, right: 120 },
  tablet: { left: 44, right: 112 },
  column: { left: 44, right: 112 },
  phone: { left: 44, right: 108 },
};

export interface MainPaneHeights {
  /** Header included. */
  readonly fabric: number;
  readonly throughput: number;
  readonly quality: number;
  readonly queue: number;
}

/** Time axis and the space under it. */
export const AXIS_HEIGHT = 24;
export const AXIS_SPACE = 8;

const DRAWN: MainPaneHeights = { fabric: 324, throughput: 160, quality: 140, queue: 124 };
const LEAST: MainPaneHeights = { fabric: 244, throughput: 124, quality: 100, queue: 92 };
const PHONE: MainPaneHeights = { fabric: 148, throughput: 152, quality: 132, queue: 124 };

/**
 * Shares the height of the main pane: as drawn at 780 px; less takes from the fabric first, then from the charts; more
 * goes to all in proportion.
 */
export function mainPaneHeights(frame: Frame, height: number): MainPaneHeights {
  if (frame === "phone") return PHONE;
  if (frame === "column") return DRAWN;
  const room = height - AXIS_HEIGHT - AXIS_SPACE;
  const charts = DRAWN.throughput + DRAWN.quality + DRAWN.queue;
  if (room >= DRAWN.fabric + charts) return scaled(DRAWN, room / (DRAWN.fabric + charts), room);
  const fabric = Math.max(LEAST.fabric, room - charts);
  const factor = Math.min(1, (room - fabric) / charts);
  return {
    fabric,
    throughput: Math.max(LEAST.throughput, Math.floor(DRAWN.throughput * factor)),
    quality: Math.max(LEAST.quality, Math.floor(DRAWN.quality * factor)),
    queue: Math.max(LEAST.queue, Math.floor(DRAWN.queue * factor)),
  };
}

function scaled(heights: MainPaneHeights, factor: number, room: number): MainPaneHeights {
  const throughput = Math.floor(heights.throughput * factor);
  const quality = Math.floor(heights.quality * factor);
  const queue = Math.floor(heights.queue * factor);
  return { fabric: room - throughput - quality - queue, throughput, quality, queue };
}
