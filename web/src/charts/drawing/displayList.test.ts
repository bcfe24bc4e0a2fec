import { describe, expect, it } from "vitest";
import { PathRecorder, replay } from "./displayList.ts";

/** A context that notes what it is told. */
function notebook() {
  const told: unknown[] = [];
  const note =
    (name: string) =>
    (...values: unknown[]) =>
      told.push([name, ...values]);
  const context = {
    canvas: { width: 0, height: 0 },
    ...Object.fromEntries(
      [
        "setTransform",
        "clearRect",
        "beginPath",
        "moveTo",
        "lineTo",
        "rect",
        "roundRect",
        "arc",
        "ellipse",
        "closePath",
        "setLineDash",
        "stroke",
        "fill",
        "save",
        "clip",
        "restore",
      ].map((name) => [name, note(name)]),
    ),
  };
  return { told, context: context as unknown as CanvasRenderingContext2D };
}

describe("display lists", () => {
  it("replay what was recorded, in order, at the size and ratio of the screen", () => {
    const { told, context } = notebook();
    const recorder = new PathRecorder();
    recorder.clipped(1, 2, 30, 40, () => {
      recorder.begin();
      recorder.moveTo(1, 2);
      recorder.lineTo(3, 4.5);
      recorder.stroke({ colour: "#0072b2", width: 1.75, dash: [7, 2.5] });
    });
    recorder.begin();
    recorder.rect(0, 0, 5, 6);
    recorder.fill("#fff", 0.5);
    replay(recorder.take(), context, 100, 50, 2);
    expect(context.canvas).toEqual({ width: 200, height: 100 });
    expect(told).toEqual([
      ["setTransform", 2, 0, 0, 2, 0, 0],
      ["clearRect", 0, 0, 100, 50],
      ["save"],
      ["beginPath"],
      ["rect", 1, 2, 30, 40],
      ["clip"],
      ["beginPath"],
      ["moveTo", 1, 2],
      ["lineTo", 3, 4.5],
      ["setLineDash", [7, 2.5]],
      ["stroke"],
      ["restore"],
      ["beginPath"],
      ["rect", 0, 0, 5, 6],
      ["fill"],
    ]);
    expect(context.strokeStyle).toBe("#0072b2");
    expect(context.fillStyle).toBe("#fff");
  });

  it("hold any number of points, and are empty again once taken", () => {
    const recorder = new PathRecorder();
    recorder.begin();
    for (let i = 0; i < 10_000; i++) recorder.lineTo(i, i);
    expect(recorder.take().commands).toHaveLength(1 + 3 * 10_000);
    expect(recorder.take().commands).toHaveLength(0);
  });
});
