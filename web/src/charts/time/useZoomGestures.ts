import type { RefObject } from "react";
import { boxOf } from "../drawing/frame.ts";
import { useZoom } from "../gestures/useZoom.ts";
import type { Transform, Zoomable } from "../gestures/zoomable.ts";
import type { TimeChartProps } from "../types.ts";
import { isZoomed, placed, type Stretch, type TimeZoom } from "./timeRange.ts";
import { middleOf, PAN_STEP, panned, ZOOM_STEP, zoomed } from "./zooming.ts";

/** Has a chart zoomed by wheel, fingers and keys. */
export function useZoomGestures(box: RefObject<HTMLElement | null>, props: TimeChartProps): void {
  const { zoom } = props;
  useZoom(box, zoom ? (element) => zoomableOf(element, props, zoom) : null);
}

/** The plot of a chart under gestures: as much wider as the run is longer than the stretch that is shown. */
function zoomableOf(element: HTMLElement, props: TimeChartProps, zoom: TimeZoom): Zoomable {
  const { domainUs, gutters, cursor } = props;
  const { wholeUs, minUs, show } = zoom;
  const [from, to] = domainUs;
  const { clientWidth, clientHeight } = element;
  const { left, right } = boxOf(clientWidth, clientHeight, { ...gutters, top: 0, bottom: 0 });
  const perUs = (right - left) / wholeUs;
  const k = wholeUs / (to - from);
  return {
    extent: [
      [left, 0],
      [right, Math.max(1, clientHeight)],
    ],
    transform: { k, x: left - k * (left + from * perUs), y: 0 },
    maxScale: Math.max(1, wholeUs / minUs),
    show: (next) => show(stretchOf(next, left, perUs, wholeUs)),
    byKey: (event) => byKey(event.key, props, zoom),
    onPinch: () => cursor.set(null),
  };
}

/** The stretch that a transform of the plot shows; null is the whole run. */
const stretchOf = ({ k, x }: Transform, left: number, perUs: number, wholeUs: number): Stretch | null =>
  placed(((left - x) / k - left) / perUs, wholeUs / k, wholeUs);

/** Zooms and goes on by keys: around the cursor, or the playhead. */
function byKey(key: string, { run, cursor, domainUs }: TimeChartProps, zoom: TimeZoom): boolean {
  const length = domainUs[1] - domainUs[0];
  const sample = cursor.get();
  const around = middleOf(domainUs, sample === null ? run.nowUs : (run.timeUs[sample] as number));
  if (key === "+" || key === "=") zoom.show(zoomed(domainUs, 1 / ZOOM_STEP, around, zoom));
  else if (key === "-") zoom.show(zoomed(domainUs, ZOOM_STEP, around, zoom));
  else if (key === "0") zoom.show(null);
  else if (!isZoomed(domainUs, zoom)) return false;
  else if (key === "PageUp") zoom.show(panned(domainUs, -length * PAN_STEP, zoom.wholeUs));
  else if (key === "PageDown") zoom.show(panned(domainUs, length * PAN_STEP, zoom.wholeUs));
  else return false;
  return true;
}
