import { followFingers, type Hold } from "./fingers.ts";
import { turnOf } from "./wheel.ts";

/** A point of an element from its top left corner, or a way across it, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Something of which gestures over an element show another part, larger or smaller. */
export interface Zooming<T> {
  readonly shown: T;
  readonly show: (next: T) => void;
  /** As much larger as the factor says; what lies at a point stays there. */
  readonly zoomed: (from: T, factor: number, at: Point) => T;
  /** The part that lies so far to the right and below. */
  readonly moved: (from: T, by: Point) => T;
  /** There is more than is shown: one finger, the wheel sideways and the mouse, where it may, move it. */
  readonly isMovable: boolean;
  readonly movesByMouse?: boolean;
  /** What a key makes of it; undefined where it is for something else. */
  readonly byKey: (event: KeyboardEvent) => T | undefined;
  /** One finger, or the mouse, that comes down at a point is for something else. */
  readonly isTaken?: (at: Point) => boolean;
  /** A second finger came down: what the first began is over. */
  readonly onPinch?: () => void;
}

/** How far a mouse slips while it clicks. */
const SLIP = 4;

/**
 * Zooms around the pointer by the wheel with Ctrl or Command, which is also what a touchpad sends for a pinch; moves what is zoomed by
 * the wheel sideways or with Shift. Two fingers zoom around the point between them, one moves it then, as the mouse may. Keys do the
 * same. All else is for the page to scroll by.
 */
export function listen<T>(element: HTMLElement, latest: () => Zooming<T> | null, signal: AbortSignal): void {
  const turned = (event: WheelEvent) => {
    const zooming = latest();
    if (!zooming) return;
    const turn = turnOf(event);
    if (turn.zooms) {
      zooming.show(zooming.zoomed(zooming.shown, 1 / turn.widening, pointOf(element, event)));
    } else if (turn.pans && zooming.isMovable) {
      zooming.show(zooming.moved(zooming.shown, { x: turn.sideways, y: 0 }));
    } else return;
    event.preventDefault();
  };
  const pressed = (event: KeyboardEvent) => {
    const zooming = latest();
    if (!zooming || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = zooming.byKey(event);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    zooming.show(next);
  };
  const held = (fingers: number, at: Hold) => {
    const zooming = latest();
    if (!zooming || (fingers === 1 && (!zooming.isMovable || zooming.isTaken?.(at)))) return null;
    if (fingers > 1) zooming.onPinch?.();
    return (now: Hold, before: Hold) => zooming.show(pinched(zooming, before, now));
  };
  followFingers(element, held, signal);
  element.addEventListener("wheel", turned, { passive: false, signal });
  element.addEventListener("keydown", pressed, { signal });
  element.addEventListener("pointerdown", (event) => drag(element, event, latest), { signal });
}

/** What fingers make of what is shown: what was between them stays there, as far as there is more to see. */
export function pinched<T>({ shown, zoomed, moved }: Zooming<T>, before: Hold, now: Hold): T {
  const near = zoomed(shown, now.apart / before.apart, before);
  return moved(near, { x: before.x - now.x, y: before.y - now.y });
}

function pointOf(element: HTMLElement, { clientX, clientY }: MouseEvent): Point {
  const { left, top } = element.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

/** Moves what is zoomed with the mouse; a click that ends this is none. */
function drag<T>(element: HTMLElement, press: PointerEvent, latest: () => Zooming<T> | null): void {
  const start = latest();
  if (!start?.isMovable || !start.movesByMouse || press.pointerType === "touch" || press.button !== 0) return;
  if (start.isTaken?.(pointOf(element, press))) return;
  const over = new AbortController();
  let slipped = false;
  const moved = (event: PointerEvent) => {
    const by = { x: press.clientX - event.clientX, y: press.clientY - event.clientY };
    if (!slipped) {
      if (Math.hypot(by.x, by.y) <= SLIP) return;
      slipped = true;
      element.setPointerCapture(press.pointerId);
    }
    start.show(start.moved(start.shown, by));
  };
  const released = () => {
    over.abort();
    if (!slipped) return;
    const click = new AbortController();
    const swallow = (event: MouseEvent) => event.stopPropagation();
    element.addEventListener("click", swallow, { capture: true, once: true, signal: click.signal });
    setTimeout(() => click.abort());
  };
  element.addEventListener("pointermove", moved, { signal: over.signal });
  for (const type of ["pointerup", "pointercancel"] as const)
    element.addEventListener(type, released, { signal: over.signal });
}
