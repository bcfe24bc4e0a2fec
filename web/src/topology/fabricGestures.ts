import { followFingers, type Hold } from "../charts/time/fingers.ts";
import { turnOf } from "../charts/time/wheel.ts";
import type { Magnified } from "../charts/types.ts";
import { panned, pinched, WHOLE, zoomed } from "./magnified.ts";

/** How far a mouse slips while it clicks. */
const SLIP = 4;
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

/** What is shown of a fabric, and how to show something else. */
export interface Zoom {
  readonly shown: Magnified;
  readonly show: (magnified: Magnified) => void;
}

/**
 * Zooms around the pointer by the wheel with Ctrl or Command, which is also what a touchpad sends for a pinch, as in charts. Magnified, it
 * is moved by the mouse and by the wheel sideways or with Shift. Two fingers zoom, one moves it then. Keys do the same: + and −, 0 for
 * all of it, arrows. All else is for the page.
 */
export function listen(element: HTMLElement, latest: () => Zoom, signal: AbortSignal): void {
  const shares = (x: number, y: number) =>
    [x / Math.max(1, element.clientWidth), y / Math.max(1, element.clientHeight)] as const;

  const turned = (event: WheelEvent) => {
    const { shown, show } = latest();
    const turn = turnOf(event);
    if (turn.zooms) {
      const { left, top } = element.getBoundingClientRect();
      show(zoomed(shown, 1 / turn.widening, ...shares(event.clientX - left, event.clientY - top)));
    } else if (turn.pans && shown.scale > 1) {
      show(panned(shown, ...shares(turn.sideways, 0)));
    } else return;
    event.preventDefault();
  };

  const pressed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // With Shift an arrow is for the run; some keyboards have + there.
    if (event.shiftKey && event.key in ARROWS) return;
    const { shown, show } = latest();
    const next = byKey(event.key, shown);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    show(next);
  };

  const held = (fingers: number) => {
    const { shown, show } = latest();
    if (fingers === 1 && shown.scale === 1) return null;
    const frame = { width: element.clientWidth, height: element.clientHeight };
    return (now: Hold, before: Hold) => show(pinched(shown, before, now, frame));
  };

  element.addEventListener("wheel", turned, { passive: false, signal });
  element.addEventListener("keydown", pressed, { signal });
  element.addEventListener("pointerdown", (event) => drag(element, event, latest, shares), { signal });
  followFingers(element, held, signal);
}

function byKey(key: string, shown: Magnified): Magnified | null {
  if (key === "+" || key === "=") return zoomed(shown, ZOOM_STEP, 0.5, 0.5);
  if (key === "-") return zoomed(shown, 1 / ZOOM_STEP, 0.5, 0.5);
  if (key === "0") return WHOLE;
  const step = shown.scale > 1 ? ARROWS[key] : undefined;
  return step ? panned(shown, ...step) : null;
}

/** Moves a magnified fabric with the mouse; a click that ends this is none. */
function drag(
  element: HTMLElement,
  { pointerType, pointerId, button, clientX, clientY }: PointerEvent,
  latest: () => Zoom,
  shares: (x: number, y: number) => readonly [number, number],
): void {
  const { shown: start } = latest();
  if (pointerType === "touch" || button !== 0 || start.scale === 1) return;
  const over = new AbortController();
  let slipped = false;
  const moved = (event: PointerEvent) => {
    const [x, y] = [clientX - event.clientX, clientY - event.clientY];
    if (!slipped) {
      if (Math.hypot(x, y) <= SLIP) return;
      slipped = true;
      element.setPointerCapture(pointerId);
    }
    latest().show(panned(start, ...shares(x, y)));
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
