import { pointer, select } from "d3-selection";
import { type D3ZoomEvent, zoom, zoomIdentity } from "d3-zoom";
import type { Zoomable } from "./zoomable.ts";

/** Height of a line, in which some browsers count. */
const LINE = 16;
/** Pixels of one event that count: a wheel with notches must not leap. */
const NOTCH = 40;
/** How far a mouse slips while it clicks. */
const SLIP = 4;

/** Pixels that the wheel was turned by. */
function turnOf(event: WheelEvent): { readonly across: number; readonly down: number } {
  const scale = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1;
  return { across: event.deltaX * scale, down: event.deltaY * scale };
}

/**
 * Zooms around the pointer by the wheel with Ctrl or Command, which is also what a touchpad sends for a pinch, and by two fingers. What
 * is zoomed is moved by one finger, by the wheel sideways or with Shift, and by the mouse, where it may. All else is left to the page.
 */
export function zoomByPointers(
  element: HTMLElement,
  latest: () => Zoomable | null,
  signal: AbortSignal,
): void {
  const selection = select<HTMLElement, unknown>(element);
  let inGesture = false;

  /** What is shown may have changed since the last gesture, and so may the size of the element. */
  const synchronize = ({ transform: { k, x, y }, extent, maxScale }: Zoomable) => {
    if (inGesture) return;
    behavior
      .extent(() => extent)
      .translateExtent(extent)
      .scaleExtent([1, maxScale]);
    selection.property("__zoom", zoomIdentity.translate(x, y).scale(k));
  };
  const accepts = (event: WheelEvent | MouseEvent | TouchEvent): boolean => {
    const zoomable = latest();
    if (!zoomable || event.type === "wheel") return false;
    const isFree = (of: MouseEvent | Touch) => {
      const [x, y] = pointer(of, element);
      return zoomable.transform.k > 1 && !zoomable.isTaken?.({ x, y });
    };
    const accepted =
      "touches" in event
        ? event.touches.length > 1 || isFree(event.touches[0] as Touch)
        : event.button === 0 && zoomable.movesByMouse === true && isFree(event);
    if (accepted) synchronize(zoomable);
    return accepted;
  };
  const behavior = zoom<HTMLElement, unknown>()
    .filter(accepts)
    .touchable(() => true)
    .clickDistance(SLIP)
    .on("start", () => {
      inGesture = true;
    })
    .on("zoom", ({ transform }: D3ZoomEvent<HTMLElement, unknown>) => latest()?.show(transform))
    .on("end", () => {
      inGesture = false;
    });
  followDirection(element, signal);
  selection.call(behavior).on("dblclick.zoom", null);
  signal.addEventListener("abort", () => selection.on(".zoom", null));

  // D3 takes several turns of a wheel for one gesture, and has none for turns sideways.
  const turned = (event: WheelEvent) => {
    const zoomable = latest();
    if (!zoomable) return;
    const { k } = zoomable.transform;
    const { across, down } = turnOf(event);
    const zooms = event.ctrlKey || event.metaKey;
    const pans = !zooms && k > 1 && (event.shiftKey || Math.abs(across) > Math.abs(down));
    if (!zooms && !pans) return;
    event.preventDefault();
    synchronize(zoomable);
    const notch = Math.max(-NOTCH, Math.min(NOTCH, down));
    if (zooms) behavior.scaleBy(selection, Math.exp(-notch / 100), pointer(event, element));
    else behavior.translateBy(selection, -(across || down) / k, 0);
  };
  element.addEventListener("wheel", turned, { passive: false, signal });
  keepPinches(element, latest, signal);
}

/** A single finger that goes up or down where the page may scroll is for that. */
function followDirection(element: HTMLElement, signal: AbortSignal): void {
  let from: Touch | undefined;
  let isScrolling: boolean | null = null;
  const pressed = ({ touches }: TouchEvent) => {
    from = touches[0];
    isScrolling = touches.length > 1 ? false : null;
  };
  const moved = (event: TouchEvent) => {
    const now = event.touches[0];
    if (!from || !now) return;
    const scrolls = getComputedStyle(element).touchAction === "pan-y";
    isScrolling ??= scrolls && Math.abs(now.clientY - from.clientY) > Math.abs(now.clientX - from.clientX);
    if (isScrolling) event.stopImmediatePropagation();
  };
  element.addEventListener("touchstart", pressed, { capture: true, passive: true, signal });
  element.addEventListener("touchmove", moved, { capture: true, passive: true, signal });
}

/** While two fingers zoom, nobody else hears of them. */
function keepPinches(element: HTMLElement, latest: () => Zoomable | null, signal: AbortSignal): void {
  const fingers = new Set<number>();
  const pressed = (event: PointerEvent) => {
    if (event.pointerType !== "touch") return;
    fingers.add(event.pointerId);
    if (fingers.size < 2) return;
    latest()?.onPinch?.();
    event.stopPropagation();
  };
  const moved = (event: PointerEvent) => {
    if (fingers.has(event.pointerId) && fingers.size > 1) event.stopPropagation();
  };
  const lifted = ({ pointerId }: PointerEvent) => fingers.delete(pointerId);
  element.addEventListener("pointerdown", pressed, { signal });
  element.addEventListener("pointermove", moved, { signal });
  element.addEventListener("pointerup", lifted, { signal });
  element.addEventListener("pointercancel", lifted, { signal });
}
