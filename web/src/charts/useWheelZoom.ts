import { type RefObject, useEffect, useRef } from "react";
import { panned, zoomed } from "./timeRange.ts";
import type { TimeChartProps } from "./types.ts";

type Zoomable = Pick<TimeChartProps, "domainUs" | "gutters" | "zoom">;

/** Height of a line, in which some browsers count. */
const LINE = 16;
/** Pixels of one event that count: a wheel with notches must not leap. */
const NOTCH = 40;

/**
 * Zooms around the pointer by the wheel with Ctrl or Command, which is also what a touchpad sends for a pinch, and goes on and
 * back by the wheel sideways or with Shift. All else is for the page to scroll by.
 */
export function useWheelZoom(box: RefObject<HTMLElement | null>, props: Zoomable): void {
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const element = box.current;
    const turned = (event: WheelEvent) => {
      const { domainUs, gutters, zoom } = latest.current;
      if (!zoom || !element) return;
      const { left, width } = element.getBoundingClientRect();
      const usPerPixel = (domainUs[1] - domainUs[0]) / Math.max(1, width - gutters.left - gutters.right);
      const scale = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1;
      const [across, down] = [event.deltaX * scale, event.deltaY * scale];
      if (event.ctrlKey || event.metaKey) {
        const at = domainUs[0] + (event.clientX - left - gutters.left) * usPerPixel;
        const around = Math.max(domainUs[0], Math.min(domainUs[1], at));
        zoom.show(zoomed(domainUs, Math.exp(Math.max(-NOTCH, Math.min(NOTCH, down)) / 100), around, zoom));
      } else if (event.shiftKey || Math.abs(across) > Math.abs(down)) {
        if (domainUs[1] - domainUs[0] >= zoom.wholeUs) return;
        zoom.show(panned(domainUs, (across || down) * usPerPixel, zoom.wholeUs));
      } else return;
      event.preventDefault();
    };
    element?.addEventListener("wheel", turned, { passive: false });
    return () => element?.removeEventListener("wheel", turned);
  }, [box]);
}
