// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listen, type Zooming } from "./zoomGestures.ts";

/** A drawing by its scale and the point of it that stands at the corner. */
interface Shown {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

let box: HTMLElement;
let over: AbortController;
let shown: Shown;
let more: Partial<Zooming<Shown>>;
let clicks: number;

beforeEach(() => {
  box = document.createElement("div");
  box.getBoundingClientRect = () => new DOMRect(10, 20, 300, 200);
  box.setPointerCapture = () => {};
  document.body.append(box);
  over = new AbortController();
  shown = { scale: 1, x: 0, y: 0 };
  more = {};
  clicks = 0;
  document.body.addEventListener("click", () => clicks++, over);
  const zooming = (): Zooming<Shown> => ({
    shown,
    show: (next) => {
      shown = next;
    },
    zoomed: ({ scale, x, y }, factor, at) => {
      const apart = 1 / scale - 1 / (scale * factor);
      return { scale: scale * factor, x: x + at.x * apart, y: y + at.y * apart };
    },
    moved: ({ scale, x, y }, by) => ({ scale, x: x + by.x / scale, y: y + by.y / scale }),
    isMovable: shown.scale > 1,
    movesByMouse: true,
    byKey: ({ key }) => (key === "0" ? { scale: 1, x: 0, y: 0 } : undefined),
    ...more,
  });
  listen(box, zooming, over.signal);
});

afterEach(() => {
  over.abort();
  box.remove();
});

function pointer(type: string, pointerId: number, clientX: number, clientY: number, pointerType = "touch") {
  box.dispatchEvent(new PointerEvent(type, { pointerId, clientX, clientY, pointerType, bubbles: true }));
}
function wheel(init: WheelEventInit): boolean {
  const event = new WheelEvent("wheel", { cancelable: true, ...init });
  // happy-dom leaves these out of the event.
  for (const [key, value] of Object.entries({ ctrlKey: init.ctrlKey ?? false, clientX: 110, clientY: 70 }))
    Object.defineProperty(event, key, { value });
  box.dispatchEvent(event);
  return event.defaultPrevented;
}

describe("gestures over what can be zoomed", () => {
  it("zoom around the pointer by the wheel with Ctrl, and leave the wheel without it to the page", () => {
    expect(wheel({ deltaY: -40 })).toBe(false);
    expect(shown.scale).toBe(1);
    expect(wheel({ deltaY: -40, ctrlKey: true })).toBe(true);
    expect(shown.scale).toBeCloseTo(Math.exp(0.4));
    expect(shown.x + 100 / shown.scale).toBeCloseTo(100);
    expect(shown.y + 50 / shown.scale).toBeCloseTo(50);
  });

  it("move by the wheel sideways what is zoomed, and nothing else", () => {
    expect(wheel({ deltaX: 30 })).toBe(false);
    shown = { scale: 2, x: 0, y: 0 };
    expect(wheel({ deltaX: 30 })).toBe(true);
    expect(shown).toEqual({ scale: 2, x: 15, y: 0 });
  });

  it("keep what was between two fingers there, and move by one what is zoomed", () => {
    pointer("pointerdown", 1, 60, 70);
    pointer("pointermove", 1, 90, 70);
    expect(shown.scale).toBe(1);
    pointer("pointerdown", 2, 190, 70);
    pointer("pointermove", 1, 30, 70);
    pointer("pointermove", 2, 230, 70);
    expect(shown).toEqual({ scale: 2, x: 70, y: 25 });
    pointer("pointerup", 2, 230, 70);
    pointer("pointermove", 1, 50, 70);
    expect(shown).toEqual({ scale: 2, x: 60, y: 25 });
  });

  it("leave one finger to what it comes down on, and tell when another joins it", () => {
    let pinches = 0;
    more = { isTaken: ({ x }) => x < 100, onPinch: () => pinches++ };
    shown = { scale: 2, x: 10, y: 10 };
    pointer("pointerdown", 1, 60, 70);
    pointer("pointermove", 1, 90, 70);
    expect(shown).toEqual({ scale: 2, x: 10, y: 10 });
    pointer("pointerdown", 2, 190, 70);
    expect(pinches).toBe(1);
    pointer("pointermove", 2, 290, 70);
    expect(shown.scale).toBe(4);
  });

  it("move by the mouse what is zoomed; the click that ends this is none", () => {
    shown = { scale: 2, x: 0, y: 0 };
    pointer("pointerdown", 1, 100, 100, "mouse");
    pointer("pointermove", 1, 80, 90, "mouse");
    pointer("pointerup", 1, 80, 90, "mouse");
    box.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    expect(shown).toEqual({ scale: 2, x: 10, y: 5 });
    expect(clicks).toBe(0);
    more = { isTaken: () => true };
    pointer("pointerdown", 1, 100, 100, "mouse");
    pointer("pointermove", 1, 80, 90, "mouse");
    expect(shown).toEqual({ scale: 2, x: 10, y: 5 });
  });

  it("take the keys that are theirs, but for those with Ctrl", () => {
    shown = { scale: 3, x: 5, y: 5 };
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "0", ctrlKey: true }));
    expect(shown.scale).toBe(3);
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "0" }));
    expect(shown).toEqual({ scale: 1, x: 0, y: 0 });
  });
});
