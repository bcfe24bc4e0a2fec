/** How fingers rest on an element: the point between them from its top left corner, and how far they are apart, in pixels. */
export interface Hold {
  readonly x: number;
  readonly y: number;
  /** Not below that of two fingers that touch; the same always for one. */
  readonly apart: number;
}

/** What follows from a movement: where the fingers are, and where they were when their number last changed. */
type Follow = (now: Hold, before: Hold) => void;

/** Two fingers are no closer. */
const TOUCHING = 24;
/** How far a finger slips while it taps. */
const SLIP = 6;

/**
 * Follows the fingers on an element, first two of them at most. Whenever their number changes `held` says what follows from their
 * movements, null for nothing. While it is two, nobody else hears of them, and the page does not scroll.
 */
export function followFingers(
  element: HTMLElement,
  held: (fingers: number, now: Hold) => Follow | null,
  signal: AbortSignal,
): void {
  const fingers = new Map<number, PointerEvent>();
  let before = holdOf(element, fingers);
  let follow: Follow | null = null;
  let slipped = false;

  const changed = () => {
    before = holdOf(element, fingers);
    follow = fingers.size > 0 ? held(Math.min(2, fingers.size), before) : null;
    slipped = false;
  };
  const keep = (event: PointerEvent) => {
    if (follow && fingers.size > 1) event.stopPropagation();
  };
  const pressed = (event: PointerEvent) => {
    if (event.pointerType !== "touch") return;
    fingers.set(event.pointerId, event);
    changed();
    keep(event);
  };
  const moved = (event: PointerEvent) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, event);
    if (!follow) return;
    const now = holdOf(element, fingers);
    slipped ||= fingers.size > 1 || Math.hypot(now.x - before.x, now.y - before.y) > SLIP;
    if (slipped) follow(now, before);
    keep(event);
  };
  const lifted = ({ pointerId }: PointerEvent) => {
    if (fingers.delete(pointerId)) changed();
  };
  const scrolled = (event: TouchEvent) => {
    if (follow && fingers.size > 1 && event.cancelable) event.preventDefault();
  };
  element.addEventListener("touchmove", scrolled, { passive: false, signal });
  element.addEventListener("pointerdown", pressed, { signal });
  element.addEventListener("pointermove", moved, { signal });
  element.addEventListener("pointerup", lifted, { signal });
  element.addEventListener("pointercancel", lifted, { signal });
}

function holdOf(element: HTMLElement, fingers: ReadonlyMap<number, PointerEvent>): Hold {
  const { left, top } = element.getBoundingClientRect();
  const [one, other = one] = fingers.values();
  if (!one || !other) return { x: 0, y: 0, apart: TOUCHING };
  return {
    x: (one.clientX + other.clientX) / 2 - left,
    y: (one.clientY + other.clientY) / 2 - top,
    apart: Math.max(TOUCHING, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)),
  };
}
