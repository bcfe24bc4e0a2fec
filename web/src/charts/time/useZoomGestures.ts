import { type RefObject, useEffect, useRef } from "react";
import type { TimeChartProps } from "../types.ts";
import { followFingers, type Hold } from "./fingers.ts";
import { isZoomed, type TimeZoom } from "./timeRange.ts";
import { turnOf } from "./wheel.ts";
import { middleOf, PAN_STEP, panned, pinched, ZOOM_STEP, zoomed } from "./zooming.ts";

/** Has a chart zoomed by wheel, fingers and keys. */
export function useZoomGestures(box: RefObject<HTMLElement | null>, props: TimeChartProps): void {
  const latest = useRef(props);
  latest.current = props;
  const isFixed = props.zoom === undefined;
  useEffect(() => {
    const element = box.current;
    if (!element || isFixed) return;
    const over = new AbortController();
    listen(element, () => latest.current, over.signal);
    return () => over.abort();
  }, [box, isFixed]);
}

/**
 * Zooms around the pointer by the wheel with Ctrl or Command, which is also what a touchpad sends for a pinch, and goes on and
 * back by the wheel sideways or with Shift. Two fingers zoom around the point between them, and one goes on and back where there is
 * more to see. All else is for the page to scroll by. Keys do the same.
 */
function listen(element: HTMLElement, latest: () => TimeChartProps, signal: AbortSignal): void {
  const turned = (event: WheelEvent) => {
    const { domainUs, gutters, zoom } = latest();
    if (!zoom) return;
    const { left, width } = element.getBoundingClientRect();
    const usPerPixel = (domainUs[1] - domainUs[0]) / Math.max(1, width - gutters.left - gutters.right);
    const turn = turnOf(event);
    if (turn.zooms) {
      const at = domainUs[0] + (event.clientX - left - gutters.left) * usPerPixel;
      const around = Math.max(domainUs[0], Math.min(domainUs[1], at));
      zoom.show(zoomed(domainUs, turn.widening, around, zoom));
    } else if (turn.pans) {
      if (domainUs[1] - domainUs[0] >= zoom.wholeUs) return;
      zoom.show(panned(domainUs, turn.sideways * usPerPixel, zoom.wholeUs));
    } else return;
    event.preventDefault();
  };
  const pressed = (event: KeyboardEvent) => {
    const { zoom } = latest();
    if (!zoom || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!zoomKey(event.key, latest(), zoom)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const held = (fingers: number) => {
    const { domainUs, gutters, zoom, cursor } = latest();
    if (!zoom || (fingers === 1 && !isZoomed(domainUs, zoom))) return null;
    if (fingers > 1) cursor.set(null);
    const width = Math.max(1, element.clientWidth - gutters.left - gutters.right);
    const onPlot = ({ x, apart }: Hold) => ({ at: (x - gutters.left) / width, apart });
    return (now: Hold, before: Hold) => zoom.show(pinched(domainUs, onPlot(before), onPlot(now), zoom));
  };
  followFingers(element, held, signal);
  element.addEventListener("wheel", turned, { passive: false, signal });
  element.addEventListener("keydown", pressed, { signal });
}

/** Zooms and goes on by keys: around the cursor, or the playhead. Returns whether the key is one of them. */
function zoomKey(key: string, { run, cursor, domainUs }: TimeChartProps, zoom: TimeZoom): boolean {
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
