import type { RefObject } from "react";
import { useZoom } from "../charts/gestures/useZoom.ts";
import type { Zoomable } from "../charts/gestures/zoomable.ts";
import type { Magnified } from "../charts/types.ts";
import { MAX_SCALE, magnified, panned, WHOLE, zoomed } from "./magnified.ts";

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
export interface Zoom extends Pick<Zoomable, "isTaken" | "onPinch"> {
  readonly shown: Magnified;
  readonly show: (next: Magnified) => void;
  /** Arrows do not move it. */
  readonly leavesArrows?: boolean;
}

/** Wheel, mouse, fingers and keys over an element choose what is shown of a fabric; none do where nothing can be. */
export const useFabricGestures = (box: RefObject<HTMLElement | null>, zoom: Zoom | null): void =>
  useZoom(box, zoom && ((element) => zoomableOf(element, zoom)));

function zoomableOf({ clientWidth, clientHeight }: HTMLElement, zoom: Zoom): Zoomable {
  const { shown, show, leavesArrows = false, ...more } = zoom;
  const [width, height] = [Math.max(1, clientWidth), Math.max(1, clientHeight)];
  return {
    ...more,
    extent: [
      [0, 0],
      [width, height],
    ],
    transform: { k: shown.scale, x: -shown.left * width, y: -shown.top * height },
    maxScale: MAX_SCALE,
    show: ({ k, x, y }) => show(magnified(k, -x / width, -y / height)),
    movesByMouse: true,
    byKey(event) {
      const next = byKey(event, shown, leavesArrows);
      if (next) show(next);
      return next !== undefined;
    },
  };
}

function byKey({ key, shiftKey }: KeyboardEvent, shown: Magnified, leavesArrows: boolean) {
  if (key === "+" || key === "=") return zoomed(shown, ZOOM_STEP, 0.5, 0.5);
  if (key === "-") return zoomed(shown, 1 / ZOOM_STEP, 0.5, 0.5);
  if (key === "0") return WHOLE;
  // With Shift an arrow is for the run; some keyboards have + there.
  const step = shown.scale > 1 && !shiftKey && !leavesArrows ? ARROWS[key] : undefined;
  return step && panned(shown, ...step);
}
