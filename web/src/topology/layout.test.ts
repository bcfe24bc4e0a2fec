import { describe, expect, it } from "vitest";
import type { FabricKind } from "../charts/types.ts";
import type { Graph } from "../run/types.ts";
import { cablesOf } from "./cables.ts";
import { dumbbellHeight, type FabricLayout, layoutFabric } from "./layout.ts";
import { pick } from "./pick.ts";
import { circle, dumbbell, fatTree, leafSpine, ring } from "./testGraphs.ts";

function overlaps({ nodes }: FabricLayout): [number, number][] {
  const found: [number, number][] = [];
  const order = nodes.map((_, i) => i).sort((a, b) => (nodes[a]?.x ?? 0) - (nodes[b]?.x ?? 0));
  for (const [position, i] of order.entries()) {
    for (let next = position + 1; next < order.length; next++) {
      const j = order[next] as number;
      const a = nodes[i];
      const b = nodes[j];
      if (!a || !b || b.x - a.x > 50) break;
      const apart =
        Math.abs(a.x - b.x) >= (a.width + b.width) / 2 || Math.abs(a.y - b.y) >= (a.height + b.height) / 2;
      if (!apart) found.push([i, j]);
    }
  }
  return found;
}

const cases: [string, FabricKind, Graph][] = [
  ...[2, 4, 6, 8, 10, 12, 16, 20].map((k): [string, FabricKind, Graph] => [
    `fat-tree k=${k}`,
    "fat-tree",
    fatTree(k),
  ]),
  ["leaf-spine 4x2x4", "leaf-spine", leafSpine(4, 2, 4)],
  ["leaf-spine 1x1x1", "leaf-spine", leafSpine(1, 1, 1)],
  ["leaf-spine 32x8x16", "leaf-spine", leafSpine(32, 8, 16)],
  ["dumbbell 3 to 1", "dumbbell", dumbbell(3, 1)],
  ["dumbbell on one switch", "dumbbell", dumbbell(4, 4, 1)],
  ["dumbbell 200 to 10", "dumbbell", dumbbell(200, 10)],
  ["ring as custom graph", "custom", ring(7)],
  ["circle of 3", "custom", circle(3)],
  ["circle of 5 with two hosts each", "custom", circle(5, 2)],
  ["circle of 10", "custom", circle(10)],
  ["circle of 40", "custom", circle(40)],
];

describe.each(cases)("%s", (_, kind, graph) => {
  it.each([
    [744, 292],
    [584, 212],
    [390, 148],
  ])("places every node inside %i x %i without overlap", (width, height) => {
    const layout = layoutFabric(graph, kind, width, height);
    expect(layout.nodes).toHaveLength(graph.nodes.length);
    for (const node of layout.nodes) {
      expect(node.x - node.width / 2).toBeGreaterThanOrEqual(0);
      expect(node.x + node.width / 2).toBeLessThanOrEqual(width);
      expect(node.y - node.height / 2).toBeGreaterThanOrEqual(0);
      expect(node.y + node.height / 2).toBeLessThanOrEqual(height);
    }
    expect(overlaps(layout)).toEqual([]);
  });
});

describe("tiers", () => {
  it.each([
    ["fat-tree", fatTree(4)],
    ["leaf-spine", leafSpine(4, 2, 4)],
  ] as const)("a %s has one row per tier and links only between neighbouring rows", (kind, graph) => {
    const { nodes } = layoutFabric(graph, kind, 744, 292);
    const rows = new Map<number, Set<number>>();
    graph.nodes.forEach((node, i) => {
      const row = rows.get(node.tier) ?? new Set();
      rows.set(node.tier, row.add(Math.round(nodes[i]?.y ?? -1)));
    });
    for (const row of rows.values()) expect(row.size).toBe(1);
    const heights = [...rows].sort(([a], [b]) => a - b).map(([, row]) => [...row][0] as number);
    expect(heights).toEqual([...heights].sort((a, b) => b - a));
    for (const link of graph.links) {
      const tiers = [link.from, link.to].map((i) => graph.nodes[i]?.tier ?? -1) as [number, number];
      expect(Math.abs(tiers[0] - tiers[1])).toBe(1);
    }
  });

  it("keeps hosts under their own edge switch", () => {
    const graph = fatTree(4);
    const { nodes } = layoutFabric(graph, "fat-tree", 744, 292);
    for (const { a, b } of cablesOf(graph)) {
      if (graph.nodes[a]?.tier !== 0) continue;
      expect(Math.abs((nodes[a]?.x ?? 0) - (nodes[b]?.x ?? 1e9))).toBeLessThan(60);
    }
  });

  it("puts senders left and receivers right of a dumbbell's switches", () => {
    const graph = dumbbell(3, 2);
    const { nodes } = layoutFabric(graph, "dumbbell", 744, 292);
    const x = graph.nodes.map((_, i) => nodes[i]?.x ?? 0);
    expect(Math.max(...x.slice(0, 3))).toBeLessThan(x[5] as number);
    expect(x[5]).toBeLessThan(x[6] as number);
    expect(Math.min(...x.slice(3, 5))).toBeGreaterThan(x[6] as number);
  });

  it("spreads a dumbbell over the height that it asks for", () => {
    for (const senders of [3, 8]) {
      const height = dumbbellHeight(senders);
      const { nodes } = layoutFabric(dumbbell(senders, 1, 1), "dumbbell", 744, height);
      const ys = nodes.slice(0, senders).map(({ y }) => y);
      const pitch = (Math.max(...ys) - Math.min(...ys)) / (senders - 1);
      expect(pitch).toBeGreaterThanOrEqual(60);
      expect(height - Math.max(...ys)).toBeLessThan(pitch);
    }
  });

  it("layers a custom graph by distance from the hosts", () => {
    const graph = ring(5);
    const { nodes } = layoutFabric(graph, "custom", 744, 292);
    const y = (name: string) => nodes[graph.nodes.findIndex((node) => node.name === name)]?.y ?? Number.NaN;
    expect(y("h0")).toBeGreaterThan(y("s0"));
    expect(y("s0")).toBeGreaterThan(y("hub"));
  });

  it("uses the positions a graph brings along", () => {
    const graph = ring(3);
    const nodes = graph.nodes.map((node, i) => ({ ...node, x: i, y: i % 2 }));
    const layout = layoutFabric({ ...graph, nodes }, "custom", 400, 200);
    const xs = layout.nodes.map((node) => node.x);
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
  });
});

describe("names", () => {
  it("stand in k = 4 and give way where there is no room", () => {
    const named = (k: number, width: number, height: number) =>
      layoutFabric(fatTree(k), "fat-tree", width, height).nodes.filter((node) => node.name !== "none").length;
    expect(named(4, 744, 292)).toBe(36);
    expect(named(4, 390, 148)).toBe(0);
    expect(named(16, 744, 292)).toBe(0);
  });

  it("collapse pods to glyphs from k = 8 on, where a pod is narrower than 96 px", () => {
    expect(layoutFabric(fatTree(8), "fat-tree", 744, 292).collapsed).toBe(true);
    expect(layoutFabric(fatTree(8), "fat-tree", 1100, 292).collapsed).toBe(false);
    expect(layoutFabric(fatTree(4), "fat-tree", 358, 148).collapsed).toBe(false);
  });
});

describe("cables", () => {
  it("pair the two directions of every link", () => {
    const graph = fatTree(16);
    const cables = cablesOf(graph);
    expect(graph.links).toHaveLength(6144);
    expect(cables).toHaveLength(3072);
    for (const cable of cables) {
      expect(graph.links[cable.there]?.from).toBe(graph.links[cable.back]?.to);
      expect(graph.links[cable.there]?.to).toBe(graph.links[cable.back]?.from);
    }
  });

  it("are picked between nodes, nodes on themselves", () => {
    const graph = dumbbell(1, 1);
    const layout = layoutFabric(graph, "dumbbell", 744, 292);
    const cables = cablesOf(graph);
    const [left, right] = [layout.nodes[2], layout.nodes[3]];
    if (!left || !right) throw new Error("no switches");
    expect(pick(layout, cables, left.x, left.y)).toEqual({ node: 2 });
    expect(pick(layout, cables, (left.x + right.x) / 2, left.y + 2)).toEqual({ cable: 0 });
    expect(pick(layout, cables, 2, 2)).toBeNull();
  });
});

describe("a circle of switches", () => {
  it("closes: no link runs past another switch", () => {
    const graph = circle(5);
    const { nodes } = layoutFabric(graph, "custom", 744, 292);
    const lengths = graph.links
      .filter(({ from, to }) => from < 5 && to < 5)
      .map(({ from, to }) =>
        Math.hypot((nodes[from]?.x ?? 0) - (nodes[to]?.x ?? 0), (nodes[from]?.y ?? 0) - (nodes[to]?.y ?? 0)),
      );
    expect(Math.max(...lengths)).toBeLessThan(2 * Math.min(...lengths));
    // The hosts stand outside, nearer to their own switch than to any other.
    for (let host = 5; host < 10; host++) {
      const to = (i: number) =>
        Math.hypot((nodes[host]?.x ?? 0) - (nodes[i]?.x ?? 0), (nodes[host]?.y ?? 0) - (nodes[i]?.y ?? 0));
      expect(Math.min(...[0, 1, 2, 3, 4].map(to))).toBe(to(host - 5));
    }
  });
});
