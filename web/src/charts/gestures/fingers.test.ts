// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followFingers, type Hold } from "./fingers.ts";

let box: HTMLElement;
let over: AbortController;
let heard: string[];
let calls: [fingers: number, now: Hold, before: Hold][];

beforeEach(() => {
  box = document.createElement("div");
  box.getBoundingClientRect = () => new DOMRect(10, 20, 300, 200);
  document.body.append(box);
  over = new AbortController();
  heard = [];
  calls = [];
  for (const type of ["pointerdown", "pointermove"])
    document.body.addEventListener(type, () => heard.push(type), over);
});

afterEach(() => {
  over.abort();
  box.remove();
});

/** Follows any number of fingers from `least` on. */
const follow = (least: number) =>
  followFingers(
    box,
    (fingers) => (fingers < least ? null : (now, before) => calls.push([fingers, now, before])),
    over.signal,
  );

function finger(type: string, pointerId: number, clientX: number, clientY: number, pointerType = "touch") {
  box.dispatchEvent(new PointerEvent(type, { pointerId, clientX, clientY, pointerType, bubbles: true }));
}

describe("fingers on an element", () => {
  it("are followed by the point between them and their distance, and nobody else hears of two", () => {
    follow(2);
    finger("pointerdown", 1, 110, 120);
    finger("pointerdown", 2, 170, 200);
    finger("pointermove", 2, 230, 280);
    expect(calls).toEqual([[2, { x: 160, y: 180, apart: 200 }, { x: 130, y: 140, apart: 100 }]]);
    expect(heard).toEqual(["pointerdown"]);
  });

  it("are left to others where nothing follows from their number, and where it is no finger", () => {
    follow(2);
    finger("pointerdown", 1, 110, 120);
    finger("pointermove", 1, 200, 120);
    finger("pointerdown", 2, 170, 200, "mouse");
    finger("pointermove", 2, 230, 280, "mouse");
    expect(calls).toEqual([]);
    expect(heard).toHaveLength(4);
  });

  it("may slip a little in a tap; a drag begins beyond that and then follows every step", () => {
    follow(1);
    finger("pointerdown", 1, 100, 100);
    finger("pointermove", 1, 104, 104);
    expect(calls).toEqual([]);
    finger("pointermove", 1, 120, 100);
    finger("pointermove", 1, 101, 100);
    expect(calls.map(([, now]) => now.x)).toEqual([110, 91]);
    expect(heard).toHaveLength(4);
  });

  it("start anew when one comes or goes, so that nothing leaps", () => {
    follow(1);
    finger("pointerdown", 1, 100, 100);
    finger("pointerdown", 2, 200, 100);
    finger("pointermove", 2, 210, 100);
    finger("pointerup", 1, 100, 100);
    finger("pointermove", 2, 230, 100);
    expect(calls.map(([fingers, , before]) => [fingers, before.x])).toEqual([
      [2, 140],
      [1, 200],
    ]);
    finger("pointercancel", 2, 230, 100);
    finger("pointermove", 2, 260, 100);
    expect(calls).toHaveLength(2);
  });
});
