import { type RefObject, useEffect, useRef } from "react";
import { listen, type Zooming } from "../charts/gestures/zoomGestures.ts";
import type { Magnified } from "../charts/types.ts";
import { panned, WHOLE, zoomed } from "./magnified.ts";

/** What a key makes of it. */
const ZOOM_STEP = 1.5;
/** How far a key moves it, in widths and heights of the frame. */
const PAN_STEP = 0.15;

const ARROWS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-PAN_STEP, 0],
  ArrowRight: [PAN_STEP, 0],
  ArrowUp: [0, -PAN_STEP],
  ArrowDown: [0, PAN_STEP],
};

/** What is shown of a fabric, how to show something else, and what of gestures is for something else than that. */
export interface Zoom extends Pick<Zooming<Magnified>, "shown" | "show" | "isTaken" | "onPinch"> {
  /** Arrows do not move it. */
  readonly leavesArrows?: boolean;
}

/** Wheel, mouse, fingers and keys over an element choose what is shown of a fabric; none do where nothing can be. */
export function useFabricGestures(box: RefObject<HTMLElement | null>, zoom: Zoom | null): void {
  const latest = useRef(zoom);
  latest.current = zoom;
  const isZoomable = zoom !== null;
  useEffect(() => {
    const element = box.current;
    if (!element || !isZoomable) return;
    const over = new AbortController();
    listen(element, () => latest.current && zoomingOf(element, latest.current), over.signal);
    return () => over.abort();
  }, [box, isZoomable]);
}

function zoomingOf(element: HTMLElement, zoom: Zoom): Zooming<Magnified> {
  const { shown, leavesArrows = false } = zoom;
  const [width, height] = [Math.max(1, element.clientWidth), Math.max(1, element.clientHeight)];
  return {
    ...zoom,
    zoomed: (from, factor, { x, y }) => zoomed(from, factor, x / width, y / height),
    moved: (from, { x, y }) => panned(from, x / width, y / height),
    isMovable: shown.scale > 1,
    movesByMouse: true,
    byKey({ key, shiftKey }) {
      if (key === "+" || key === "=") return zoomed(shown, ZOOM_STEP, 0.5, 0.5);
      if (key === "-") return zoomed(shown, 1 / ZOOM_STEP, 0.5, 0.5);
      if (key === "0") return WHOLE;
      // With Shift an arrow is for the run; some keyboards have + there.
      const step = shown.scale > 1 && !shiftKey && !leavesArrows ? ARROWS[key] : undefined;
      return step && panned(shown, ...step);
    },
  };
}
