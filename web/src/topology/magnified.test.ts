import { describe, expect, it } from "vitest";
import { layoutFabric } from "./layout.ts";
import { pinched, shifted, WHOLE } from "./magnified.ts";
import { fatTree } from "./testGraphs.ts";

const frame = { width: 400, height: 200 };
const hold = (x: number, y: number, apart = 50) => ({ x, y, apart });

describe("a fabric under fingers", () => {
  it("keeps what was between them there", () => {
    const near = pinched(WHOLE, hold(100, 50), hold(100, 50, 100), frame);
    expect(near).toEqual({ scale: 2, left: 100, top: 50 });
    expect(pinched(near, hold(200, 100), hold(150, 80), frame)).toEqual({ scale: 2, left: 150, top: 70 });
  });

  it("always fills its frame, and is no larger than eight times that", () => {
    const near = { scale: 2, left: 100, top: 50 };
    expect(pinched(near, hold(0, 0), hold(900, 900), frame)).toEqual({ scale: 2, left: 0, top: 0 });
    expect(pinched(near, hold(0, 0), hold(-900, -900), frame)).toEqual({ scale: 2, left: 400, top: 200 });
    expect(pinched(near, hold(10, 10, 100), hold(10, 10, 25), frame)).toEqual(WHOLE);
    expect(pinched(near, hold(10, 10), hold(10, 10, 5000), frame).scale).toBe(8);
  });

  it("is laid out as it stands in its frame", () => {
    const layout = layoutFabric(fatTree(4), "fat-tree", 800, 400);
    const moved = shifted(layout, { scale: 2, left: 100, top: 50 });
    const [node, there] = [layout.nodes[3], moved.nodes[3]];
    expect(there).toEqual({ ...node, x: (node?.x ?? 0) - 100, y: (node?.y ?? 0) - 50 });
    expect(moved.pods.map(({ left, bottom }) => [left + 100, bottom + 50])).toEqual(
      layout.pods.map(({ left, bottom }) => [left, bottom]),
    );
  });
});
