import { describe, expect, it } from "vitest";
import type { Magnified } from "../charts/types.ts";
import { layoutFabric } from "./layout.ts";
import { fromNumbers, magnified, panned, shifted, toNumbers, WHOLE, zoomed } from "./magnified.ts";
import { fatTree } from "./testGraphs.ts";

const frame = { width: 400, height: 200 };
describe("a magnified fabric", () => {
  it("keeps the point that it is zoomed around", () => {
    const near = zoomed(zoomed(WHOLE, 2, 0.75, 0.5), 1.5, 0.25, 1);
    const shown = ({ scale, left, top }: Magnified, x: number, y: number) => [
      (left + x) / scale,
      (top + y) / scale,
    ];
    expect(shown(near, 0.25, 1)).toEqual(shown(zoomed(WHOLE, 2, 0.75, 0.5), 0.25, 1));
    expect(zoomed(near, 0.01, 0.5, 0.5)).toEqual(WHOLE);
  });

  it("always fills its frame, and is no larger than eight times that", () => {
    const near = magnified(2, 0.25, 0.25);
    expect(panned(near, -3, -3)).toEqual({ scale: 2, left: 0, top: 0 });
    expect(panned(near, 3, 3)).toEqual({ scale: 2, left: 1, top: 1 });
    expect(zoomed(near, 0.25, 0.1, 0.1)).toEqual(WHOLE);
    expect(zoomed(near, 100, 0.1, 0.1).scale).toBe(8);
  });

  it("is the same from a link, and one that fills its frame from any numbers", () => {
    const near = magnified(2.5, 0.25, 1.125);
    expect(fromNumbers(toNumbers(near))).toEqual(near);
    expect(fromNumbers([0.2, 5, 5])).toEqual(WHOLE);
  });

  it("is laid out as it stands in its frame", () => {
    const layout = layoutFabric(fatTree(4), "fat-tree", 800, 400);
    const moved = shifted(layout, magnified(2, 0.25, 0.25), frame);
    const [node, there] = [layout.nodes[3], moved.nodes[3]];
    expect(there).toEqual({ ...node, x: (node?.x ?? 0) - 100, y: (node?.y ?? 0) - 50 });
    expect(moved.pods.map(({ left, bottom }) => [left + 100, bottom + 50])).toEqual(
      layout.pods.map(({ left, bottom }) => [left, bottom]),
    );
  });
});
