import { describe, expect, it } from "vitest";
import { SvgSurface } from "../charts/drawing/surface.ts";
import { THEME } from "../charts/drawing/testTheme.ts";
import { testRun } from "../run/testRun.ts";
import type { Graph } from "../run/types.ts";
import { cablesOf } from "./cables.ts";
import { drawFabric, fabricPicture } from "./drawFabric.ts";
import { layoutFabric } from "./layout.ts";
import { fittedSheet, goesOn, type Place, placeAt, placedNodes, ruledSheet, shareAt } from "./sheet.ts";
import { dumbbell, fatTree } from "./testGraphs.ts";

const size = { width: 744, height: 292 };

/** The graph with every node where a layout has it, in whole units of the sheet, as the first stroke writes them. */
function drawn(graph: Graph, kind: "fat-tree" | "dumbbell"): Graph {
  const { nodes } = layoutFabric(graph, kind, size.width, size.height);
  const sheet = ruledSheet(size);
  return {
    ...graph,
    nodes: graph.nodes.map((node, i) => {
      const at = nodes[i] ?? { x: 0, y: 0 };
      const place = placeAt(sheet, { x: at.x / size.width, y: at.y / size.height });
      return { ...node, x: Math.round(place.x), y: Math.round(place.y) };
    }),
  };
}
const byName = (graph: Graph): ReadonlyMap<string, Place> =>
  new Map((placedNodes(graph) ?? []).map(({ name, x, y }) => [name, { x, y }]));

describe("the sheet of a network", () => {
  it.each([4, 16])(
    "has the nodes of a fat-tree with k = %i stand where its layout has them, as large",
    (k) => {
      const graph = fatTree(k);
      const before = layoutFabric(graph, "fat-tree", size.width, size.height).nodes;
      const now = layoutFabric(
        drawn(graph, "fat-tree"),
        "custom",
        size.width,
        size.height,
        ruledSheet(size),
      ).nodes;
      for (const [i, node] of now.entries()) {
        expect(Math.hypot(node.x - (before[i]?.x ?? 0), node.y - (before[i]?.y ?? 0))).toBeLessThan(0.2);
        expect(Math.abs(node.width - (before[i]?.width ?? 0))).toBeLessThan(3);
      }
    },
  );

  it("fills the frame but for a margin, and has a place of its own for one node", () => {
    const places = [
      { x: -100, y: 5 },
      { x: 300, y: 25 },
    ];
    const sheet = fittedSheet(places, size);
    expect(shareAt(sheet, { x: -100, y: 5 })).toEqual({
      x: expect.closeTo(40 / 744),
      y: expect.closeTo(32 / 292),
    });
    expect(shareAt(sheet, { x: 300, y: 25 }).x).toBeCloseTo(1 - 40 / 744);
    expect(placeAt(sheet, shareAt(sheet, { x: 7, y: 9 })).x).toBeCloseTo(7);
    expect(shareAt(fittedSheet([{ x: 50, y: 50 }], size), { x: 50, y: 50 })).toEqual({ x: 0.5, y: 0.5 });
  });

  it("lies as it lay while the network goes on, and not for another one or for nodes out of the frame", () => {
    const graph = drawn(dumbbell(4, 1), "dumbbell");
    const [sheet, before] = [ruledSheet(size), byName(graph)];
    const nodes = placedNodes(graph) ?? [];
    const first = { ...(nodes[0] as (typeof nodes)[number]) };
    expect(goesOn(sheet, [{ ...first, x: first.x + 200 }, ...nodes.slice(1)], before)).toBe(true);
    expect(goesOn(sheet, nodes.slice(0, 3), before)).toBe(true);
    expect(goesOn(sheet, [...nodes, { ...first, name: "new", x: 40, y: 40 }], before)).toBe(true);
    expect(goesOn(sheet, [{ ...first, x: -50 }, ...nodes.slice(1)], before)).toBe(false);
    const elsewhere = nodes.map((node, i) => ({ ...node, x: 100 * i, y: 50 }));
    expect(goesOn(sheet, elsewhere, before)).toBe(false);
  });
});

describe("the senders of a host", () => {
  it("are told by markers, and by a number where there are more than it has room for", () => {
    const graph = dumbbell(1, 1);
    const flow = { source: 0, destination: 1, path: [] };
    const drawnWith = (classes: number) => {
      const flows = Array.from({ length: classes }, (_, index) => ({ ...flow, class: index }));
      const run = testRun({ ...graph, flows });
      const surface = new SvgSurface({ font: "", symbolFont: "" });
      const layout = layoutFabric(graph, "dumbbell", size.width, size.height);
      const picture = fabricPicture({ ...graph, flows }, layout, cablesOf(graph));
      const props = { run, kind: "dumbbell", height: size.height } as const;
      drawFabric(surface, THEME, size.width, size.height, props, picture);
      return surface.document(size.width, size.height, "#fff", "t", "d");
    };
    const markers = (document: string) => THEME.classes.filter(({ mark }) => document.includes(mark)).length;
    expect(markers(drawnWith(1))).toBe(1);
    expect(markers(drawnWith(2))).toBe(2);
    expect(drawnWith(3)).not.toContain("+");
    expect(drawnWith(5)).toContain("+2");
  });
});
