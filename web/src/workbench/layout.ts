import type { Gutters } from "../charts/types.ts";
import type { Shape } from "../scenario/types.ts";
import { dumbbellHeight } from "../topology/index.ts";
import type { Frame } from "../ui/media.ts";

/** Space beside the plots of the stacked charts, and beside the scrubber under them. */
export const GUTTERS: Readonly<Record<Frame, Gutters>> = {
  desk: { left: 56, right: 120 },
  tablet: { left: 44, right: 124 },
  column: { left: 44, right: 124 },
  phone: { left: 44, right: 108 },
};

export interface MainPaneHeights {
  /** Header included. */
  readonly fabric: number;
  /** Of the stacked charts, from the top. */
  readonly charts: readonly number[];
}

/** Time axis and the space under it. */
export const AXIS_HEIGHT = 24;
export const AXIS_SPACE = 8;

/** Which of the two there are. */
interface MainPaneParts {
  readonly fabric: boolean;
  readonly charts: boolean;
}
const ALL: MainPaneParts = { fabric: true, charts: true };

const DRAWN: MainPaneHeights = { fabric: 324, charts: [160, 140, 124] };
const MIN_HEIGHTS: MainPaneHeights = { fabric: 244, charts: [124, 100, 92] };
const PHONE: MainPaneHeights = { fabric: 148, charts: [152, 132, 124] };

/** Height of the fabric's header: under a mouse, under a finger. */
export const FABRIC_HEADER = { fine: 32, coarse: 44 };

/** Height that the picture of a network fills, header included. */
export const fabricRoom = (shape: Shape): number =>
  shape.kind === "dumbbell"
    ? FABRIC_HEADER.coarse + dumbbellHeight(Math.max(shape.senders, shape.receivers))
    : Number.POSITIVE_INFINITY;

/**
 * Shares the height of the main pane: as drawn at 780 px; less takes from the fabric first, then from the charts; more
 * goes to all in proportion, and to the charts alone once the fabric has what its picture fills. Where one of the two is
 * not shown the other has all of it.
 */
export function mainPaneHeights(
  frame: Frame,
  height: number,
  fills = Number.POSITIVE_INFINITY,
  shown: MainPaneParts = ALL,
): MainPaneHeights {
  if (frame === "phone") return PHONE;
  if (frame === "column") return { ...DRAWN, fabric: Math.min(DRAWN.fabric, fills) };
  if (!shown.charts) return { ...DRAWN, fabric: Math.max(MIN_HEIGHTS.fabric, height) };
  const room = height - AXIS_HEIGHT - AXIS_SPACE;
  const drawn = sum(DRAWN.charts);
  if (!shown.fabric) return { fabric: 0, charts: atLeast(scaled(DRAWN.charts, room / drawn)) };
  const inProportion = (room * DRAWN.fabric) / (DRAWN.fabric + drawn);
  const fabric = Math.min(fills, Math.max(MIN_HEIGHTS.fabric, Math.min(room - drawn, inProportion)));
  const charts = atLeast(scaled(DRAWN.charts, (room - fabric) / drawn));
  return { fabric: Math.max(MIN_HEIGHTS.fabric, room - sum(charts)), charts };
}

const atLeast = (charts: readonly number[]): number[] =>
  charts.map((chart, i) => Math.max(MIN_HEIGHTS.charts[i] ?? 0, chart));

const sum = (heights: readonly number[]): number => heights.reduce((total, height) => total + height, 0);

const scaled = (heights: readonly number[], factor: number): number[] =>
  heights.map((height) => Math.floor(height * factor));
