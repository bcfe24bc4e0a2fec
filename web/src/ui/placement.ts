import type { RefObject } from "react";

/** Distance of a popup from its anchor, and least distance from the edge of the window, in pixels. */
export const GAP = 6;
export const MARGIN = 8;

/** Where popups stand in the document: what is shown full screen covers everything outside of it. */
export const container = (): HTMLElement =>
  document.fullscreenElement instanceof HTMLElement ? document.fullscreenElement : document.body;

/** Whether an event came from the anchor of a popup, which opens and closes it itself. */
export const isFrom = (anchor: RefObject<HTMLElement | null>, { target }: Event): boolean =>
  target instanceof Node && anchor.current?.contains(target) === true;
