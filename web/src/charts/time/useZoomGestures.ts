import { type RefObject, useEffect, useRef } from "react";
import { listen, type Zooming } from "../gestures/zoomGestures.ts";
import type { TimeChartProps } from "../types.ts";
import { isZoomed, type Stretch, type TimeZoom } from "./timeRange.ts";
import { middleOf, PAN_STEP, panned, ZOOM_STEP, zoomed } from "./zooming.ts";

/** Has a chart zoomed by wheel, fingers and keys. */
export function useZoomGestures(box: RefObject<HTMLElement | null>, props: TimeChartProps): void {
  const latest = useRef(props);
  latest.current = props;
  const isFixed = props.zoom === undefined;
  useEffect(() => {
    const element = box.current;
    if (!element || isFixed) return;
    const over = new AbortController();
    listen(element, () => zoomingOf(element, latest.current), over.signal);
    return () => over.abort();
  }, [box, isFixed]);
}

/** The time of a chart under gestures: null is the whole run. */
function zoomingOf(element: HTMLElement, props: TimeChartProps): Zooming<Stretch | null> | null {
  const { domainUs, gutters, zoom, cursor } = props;
  if (!zoom) return null;
  const width = Math.max(1, element.clientWidth - gutters.left - gutters.right);
  return {
    shown: domainUs,
    show: zoom.show,
    zoomed(from, factor, { x }) {
      const [first, last] = from ?? [0, zoom.wholeUs];
      const at = Math.max(0, Math.min(1, (x - gutters.left) / width));
      return zoomed([first, last], 1 / factor, first + at * (last - first), zoom);
    },
    moved: (from, { x }) => from && panned(from, (x / width) * (from[1] - from[0]), zoom.wholeUs),
    isMovable: isZoomed(domainUs, zoom),
    byKey: ({ key }) => byKey(key, props, zoom),
    onPinch: () => cursor.set(null),
  };
}

/** Zooms and goes on by keys: around the cursor, or the playhead. */
function byKey(
  key: string,
  { run, cursor, domainUs }: TimeChartProps,
  zoom: TimeZoom,
): Stretch | null | undefined {
  const length = domainUs[1] - domainUs[0];
  const sample = cursor.get();
  const around = middleOf(domainUs, sample === null ? run.nowUs : (run.timeUs[sample] as number));
  if (key === "+" || key === "=") return zoomed(domainUs, 1 / ZOOM_STEP, around, zoom);
  if (key === "-") return zoomed(domainUs, ZOOM_STEP, around, zoom);
  if (key === "0") return null;
  if (!isZoomed(domainUs, zoom)) return undefined;
  if (key === "PageUp") return panned(domainUs, -length * PAN_STEP, zoom.wholeUs);
  if (key === "PageDown") return panned(domainUs, length * PAN_STEP, zoom.wholeUs);
  return undefined;
}
