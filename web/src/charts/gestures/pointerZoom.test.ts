// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { zoomByPointers } from "./pointerZoom.ts";
import type { Transform, Zoomable } from "./zoomable.ts";

let box: HTMLElement;
let over: AbortController;
let shown: Transform;
let more: Partial<Zoomable>;
let heard: string[];

const ALL: Transform = { k: 1, x: 0, y: 0 };

beforeEach(() => {
  box = document.createElement("div");
  box.getBoundingClientRect = () => new DOMRect(10, 20, 300, 200);
  document.body.append(box);
  over = new AbortController();
  shown = ALL;
  more = {};
  heard = [];
  for (const type of ["pointerdown", "pointermove", "click"])
    document.body.addEventListener(type, () => heard.push(type), over);
  const zoomable = (): Zoomable => ({
    extent: [
      [0, 0],
      [300, 200],
    ],
    transform: shown,
    maxScale: 8,
    show: ({ k, x, y }) => {
      shown = { k, x, y };
    },
    movesByMouse: true,
    byKey: () => false,
    ...more,
  });
  zoomByPointers(box, zoomable, over.signal);
});

afterEach(() => {
  over.abort();
  box.remove();
});

/** An event with properties that happy-dom leaves out. */
function fire(type: string, properties: object, on: EventTarget = box): boolean {
  const event = new Event(type, { bubbles: true, cancelable: true });
  for (const [key, value] of Object.entries({ view: window, button: 0, ...properties }))
    Object.defineProperty(event, key, { value });
  on.dispatchEvent(event);
  return event.defaultPrevented;
}

const wheel = (properties: object): boolean =>
  fire("wheel", { deltaX: 0, deltaY: 0, deltaMode: 0, clientX: 110, clientY: 70, ...properties });

const mouse = (type: string, clientX: number, clientY: number, on: EventTarget = box): boolean =>
  fire(type, { clientX, clientY }, on);

type Finger = readonly [identifier: number, clientX: number, clientY: number];

/** Fingers on the element, and those of them that this event is about. */
const touch = (type: string, on: readonly Finger[], changed: readonly Finger[] = on): boolean => {
  const touchOf = ([identifier, clientX, clientY]: Finger) => ({ identifier, clientX, clientY, target: box });
  return fire(type, { touches: on.map(touchOf), changedTouches: changed.map(touchOf) });
};

const finger = (type: string, pointerId: number) => fire(type, { pointerType: "touch", pointerId });

describe("gestures over what can be zoomed", () => {
  it("zoom around the pointer by the wheel with Ctrl, and leave the wheel without it to the page", () => {
    expect(wheel({ deltaY: -40 })).toBe(false);
    expect(shown).toEqual(ALL);
    expect(wheel({ deltaY: -40, ctrlKey: true })).toBe(true);
    expect(shown.k).toBeCloseTo(Math.exp(0.4));
    expect(shown.k * 100 + shown.x).toBeCloseTo(100);
    expect(shown.k * 50 + shown.y).toBeCloseTo(50);
  });

  it("never zoom the page, also at the end of the scale", () => {
    expect(wheel({ deltaY: 40, ctrlKey: true })).toBe(true);
    expect(shown).toEqual(ALL);
  });

  it("move by the wheel sideways what is zoomed, and nothing else", () => {
    expect(wheel({ deltaX: 30 })).toBe(false);
    shown = { k: 2, x: 0, y: 0 };
    expect(wheel({ deltaX: 30 })).toBe(true);
    expect(shown).toEqual({ k: 2, x: -30, y: 0 });
    expect(wheel({ deltaY: 20, shiftKey: true })).toBe(true);
    expect(shown.x).toBe(-50);
    wheel({ deltaX: 900 });
    expect(shown.x).toBe(-300);
  });

  it("zoom by two fingers, and move by one what is zoomed", () => {
    touch("touchstart", [[1, 60, 70]]);
    expect(touch("touchmove", [[1, 90, 70]])).toBe(false);
    touch(
      "touchstart",
      [
        [1, 60, 70],
        [2, 190, 70],
      ],
      [[2, 190, 70]],
    );
    const apart: Finger[] = [
      [1, 30, 70],
      [2, 290, 70],
    ];
    expect(touch("touchmove", apart)).toBe(true);
    expect(shown.k).toBeCloseTo(2);
    touch("touchend", [], apart);
    const { x } = shown;
    touch("touchstart", [[3, 150, 70]]);
    expect(touch("touchmove", [[3, 140, 70]])).toBe(true);
    expect(shown.x).toBeCloseTo(x - 10);
  });

  it("leave a finger that goes up or down to the page where that scrolls", () => {
    box.style.touchAction = "pan-y";
    shown = { k: 2, x: -50, y: 0 };
    touch("touchstart", [[1, 60, 70]]);
    expect(touch("touchmove", [[1, 62, 90]])).toBe(false);
    expect(touch("touchmove", [[1, 90, 95]])).toBe(false);
    expect(shown.x).toBe(-50);
    touch("touchend", [], [[1, 90, 95]]);
    touch("touchstart", [[2, 60, 70]]);
    expect(touch("touchmove", [[2, 80, 72]])).toBe(true);
    expect(shown.x).toBe(-30);
  });

  it("leave one finger to what it comes down on, and tell when another joins it", () => {
    let pinches = 0;
    more = { isTaken: ({ x }) => x < 100, onPinch: () => pinches++ };
    shown = { k: 2, x: -10, y: -10 };
    touch("touchstart", [[1, 60, 70]]);
    touch("touchmove", [[1, 90, 70]]);
    expect(shown).toEqual({ k: 2, x: -10, y: -10 });
    for (const id of [1, 2]) finger("pointerdown", id);
    expect(pinches).toBe(1);
  });

  it("let nobody else hear of two fingers", () => {
    finger("pointerdown", 1);
    finger("pointermove", 1);
    expect(heard).toEqual(["pointerdown", "pointermove"]);
    finger("pointerdown", 2);
    finger("pointermove", 1);
    finger("pointermove", 2);
    expect(heard).toHaveLength(2);
    finger("pointerup", 1);
    finger("pointermove", 2);
    expect(heard).toHaveLength(3);
  });

  it("move by the mouse what is zoomed; the click that ends this is none", () => {
    shown = { k: 2, x: -20, y: -20 };
    mouse("mousedown", 100, 100);
    mouse("mousemove", 80, 90, window);
    mouse("mouseup", 80, 90, window);
    mouse("click", 80, 90);
    expect(shown).toEqual({ k: 2, x: -40, y: -30 });
    expect(heard).toEqual([]);
    more = { isTaken: () => true };
    mouse("mousedown", 100, 100);
    mouse("mousemove", 80, 90, window);
    expect(shown).toEqual({ k: 2, x: -40, y: -30 });
  });

  it("begin with what is shown, whatever changed it", () => {
    wheel({ deltaY: -40, ctrlKey: true });
    shown = { k: 4, x: -100, y: -100 };
    touch("touchstart", [[1, 60, 70]]);
    touch("touchmove", [[1, 70, 70]]);
    expect(shown).toEqual({ k: 4, x: -90, y: -100 });
  });
});
