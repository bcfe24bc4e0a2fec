import type { FabricKind } from "../charts/types.ts";
import type { Graph, GraphNode } from "../run/types.ts";
import { fittedSheet, type Place, placedNodes, type Sheet, shareAt } from "./sheet.ts";

/**
 * Pure layout of fabrics: graph and size in, positions out. A fat-tree or leaf-spine stands with its hosts below, a
 * dumbbell lies with its senders on the left, switches in a circle stand in one, any other graph is layered by distance
 * from the hosts.
 */

export interface PlacedNode {
  /** Centre. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Where the name stands: in the box, below, beside, or nowhere for want of room. */
  readonly name: "inside" | "below" | "left" | "right" | "none";
}

/** Hosts and switches that share a name under the picture, with an outline where they are too small to tell apart. */
export interface PlacedPod {
  readonly name: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface FabricLayout {
  readonly nodes: readonly PlacedNode[];
  readonly pods: readonly PlacedPod[];
  /** Pods are drawn as outlines: eight or more, each narrower than 96 px; or nodes that somebody placed are a crowd. */
  readonly collapsed: boolean;
  /** 1 at full size; smaller where strokes must be thinner. */
  readonly scale: number;
}

/** Nodes that are being moved: which, and how far, in pixels. */
export interface Moved {
  readonly names: ReadonlySet<string>;
  readonly x: number;
  readonly y: number;
}

/** A layout as it stands while nodes are being moved. */
export const displaced = (layout: FabricLayout, { nodes }: Graph, { names, x, y }: Moved): FabricLayout => ({
  ...layout,
  nodes: layout.nodes.map((node, i) =>
    names.has(nodes[i]?.name ?? "") ? { ...node, x: node.x + x, y: node.y + y } : node,
  ),
});

/** Ends of a line between two placed nodes. */
export function ends(layout: FabricLayout, a: number, b: number): [PlacedNode, PlacedNode] | null {
  const from = layout.nodes[a];
  const to = layout.nodes[b];
  return from && to ? [from, to] : null;
}

/** Distance from a node's centre to its edge in a direction of length 1. */
export const leave = (node: PlacedNode, ux: number, uy: number): number =>
  Math.min(node.width / 2 / Math.max(Math.abs(ux), 0.01), node.height / 2 / Math.max(Math.abs(uy), 0.01));

/** A pod narrower than this becomes a glyph when there are eight or more. */
const POD_ROOM = 96;

const MARGIN = 12;
const HOST = 15;
const SWITCH_WIDTH = 30;
const SWITCH_HEIGHT = 16;

/** Distance of hosts in a block of several rows. */
const BLOCK_PITCH = 3.5;

/** Distance of the hosts of a dumbbell where there is room, and of its middle to the edge: a queue above it, tags below. */
const DUMBBELL_PITCH = 64;
const DUMBBELL_MIDDLE = 106;
/** A dumbbell smaller than this has neither names nor room between its parts. */
const ROOMY = { width: 420, height: 200 };

/** Height that the picture of a dumbbell fills, with so many hosts on the side that has more. */
export const dumbbellHeight = (hosts: number): number =>
  Math.max(2 * DUMBBELL_MIDDLE, 2 * MARGIN + hosts * DUMBBELL_PITCH);

/** Room a name of so many digits needs beside its neighbour, at 11 px and 10 px type. */
const HOST_NAME_PITCH = 27;
const SWITCH_NAME_PITCH = 33;

/** Where everything stands in a picture of a size. A sheet says how places that the graph brings along lie in it; else they fill it. */
export function layoutFabric(
  graph: Graph,
  kind: FabricKind,
  width: number,
  height: number,
  sheet?: Sheet,
): FabricLayout {
  if (graph.nodes.length === 0) return { nodes: [], pods: [], collapsed: false, scale: 1 };
  const own = placedNodes(graph);
  if (own) return placed(own, sheet ?? fittedSheet(own, { width, height }), width, height);
  if (kind === "fat-tree" || kind === "leaf-spine") {
    const tree = tiered(graph, width, height);
    if (tree) return tree;
  }
  if (kind === "dumbbell") {
    const lying = dumbbell(graph, width, height);
    if (lying) return lying;
  }
  return circular(graph, width, height) ?? layered(graph, width, height);
}

/** Neighbours of every node, each once. */
function neighbours(graph: Graph): number[][] {
  const sets = graph.nodes.map(() => new Set<number>());
  for (const link of graph.links) sets[link.from]?.add(link.to);
  return sets.map((set) => [...set]);
}

const indicesOf = (graph: Graph, want: (node: GraphNode) => boolean): number[] =>
  graph.nodes.flatMap((node, i) => (want(node) ? [i] : []));

/** Box of a switch in a row of a pitch: full size with its name, else as large as fits with a gap. */
function switchBox(pitch: number, rowPitch: number): Pick<PlacedNode, "width" | "height" | "name"> {
  if (pitch >= SWITCH_NAME_PITCH && rowPitch >= 40) {
    return { width: SWITCH_WIDTH, height: SWITCH_HEIGHT, name: "inside" };
  }
  const width = Math.min(14, Math.max(1.5, pitch * 0.66), pitch * 0.9);
  return { width, height: Math.max(2.5, Math.min(8, width * 0.8)), name: "none" };
}

function hostBox(pitch: number, rowPitch: number): Pick<PlacedNode, "width" | "height" | "name"> {
  const size = Math.min(rowPitch >= 40 ? HOST : 10, pitch * 0.7);
  return { width: size, height: size, name: pitch >= HOST_NAME_PITCH && rowPitch >= 40 ? "below" : "none" };
}

/** Groups of hosts under their switch: pods of a fat-tree, leaves of a leaf-spine. Null if the graph is not such a tree. */
function tiered(graph: Graph, width: number, height: number): FabricLayout | null {
  const near = neighbours(graph);
  const tierOf = (i: number) => graph.nodes[i]?.tier ?? 0;
  const podOf = (i: number) => graph.nodes[i]?.pod ?? -1;
  const top = Math.max(...graph.nodes.map((node) => node.tier));
  if (top < 2) return null;
  const tiers = Array.from({ length: top + 1 }, (_, tier) => indicesOf(graph, (node) => node.tier === tier));
  // A leaf-spine may have no pods: each leaf then makes one with its hosts.
  const leaves = tiers[1] as number[];
  const group = new Map<number, number>();
  for (const [i, leaf] of leaves.entries()) group.set(leaf, podOf(leaf) >= 0 ? podOf(leaf) : i);
  for (const host of tiers[0] as number[]) {
    const leaf = near[host]?.find((other) => tierOf(other) === 1);
    if (leaf === undefined) return null;
    group.set(host, group.get(leaf) as number);
  }
  const podCount = Math.max(...group.values()) + 1;
  const hostsIn: number[][] = Array.from({ length: podCount }, () => []);
  const leavesIn: number[][] = Array.from({ length: podCount }, () => []);
  for (const leaf of leaves) leavesIn[group.get(leaf) as number]?.push(leaf);
  for (const leaf of leaves) {
    for (const host of near[leaf] as number[]) {
      if (tierOf(host) === 0) hostsIn[group.get(host) as number]?.push(host);
    }
  }
  const maxHosts = Math.max(1, ...hostsIn.map((hosts) => hosts.length));
  const maxLeaves = Math.max(1, ...leavesIn.map((items) => items.length));

  const slot = (width - 2 * MARGIN) / podCount;
  const inner = slot * (podCount > 1 ? 0.9 : 0.98);
  const hostPitch = inner / maxHosts;
  const leafPitch = inner / maxLeaves;
  const collapsed = podCount >= 8 && slot < POD_ROOM && top === 3;
  const small = height < 200;
  // Rows from the top: half a box of air, switches, hosts, their names, the pods' names.
  const topY = small ? 14 : 22;
  const named = hostPitch >= HOST_NAME_PITCH && !small;
  const bottomY = height - (small ? 34 : named ? 51 : 38);
  const rowPitch = (bottomY - topY) / top;
  const rowY = (tier: number) => bottomY - tier * rowPitch + (tier === 1 && top === 3 ? rowPitch * 0.03 : 0);

  const nodes = new Array<PlacedNode>(graph.nodes.length);
  const usedPitch = small ? 0 : rowPitch;
  // Hosts closer than 3.5 px stand in several rows, column by column, so that each stays a visible dot.
  const hostRows = Math.max(
    1,
    Math.min(Math.ceil(BLOCK_PITCH / hostPitch), Math.floor((rowPitch * 0.4) / BLOCK_PITCH)),
  );
  const columnPitch = inner / Math.ceil(maxHosts / hostRows);
  const hostSize = hostBox(hostRows > 1 ? Math.min(columnPitch, BLOCK_PITCH) : hostPitch, usedPitch);
  const leafSize = switchBox(leafPitch, usedPitch);
  for (let pod = 0; pod < podCount; pod++) {
    const left = MARGIN + slot * pod + (slot - inner) / 2;
    const spread = (items: readonly number[], y: number, size: typeof hostSize) => {
      const pitch = inner / Math.max(items.length, 1);
      items.forEach((node, i) => {
        nodes[node] = { x: left + pitch * (i + 0.5), y, ...size };
      });
    };
    if (hostRows === 1) spread(hostsIn[pod] as number[], rowY(0), hostSize);
    else {
      for (const [i, host] of (hostsIn[pod] as number[]).entries()) {
        const x = left + columnPitch * (Math.floor(i / hostRows) + 0.5);
        nodes[host] = { x, y: rowY(0) - (hostRows - 1 - (i % hostRows)) * BLOCK_PITCH, ...hostSize };
      }
    }
    spread(leavesIn[pod] as number[], rowY(1), leafSize);
    if (top === 3) {
      const middle = (tiers[2] as number[]).filter((node) => podOf(node) === pod);
      spread(middle, rowY(2), switchBox(inner / Math.max(middle.length, 1), usedPitch));
    }
  }
  const roots = tiers[top] as number[];
  const pitch = (width - 2 * MARGIN) / roots.length;
  roots.forEach((node, i) => {
    nodes[node] = { x: MARGIN + pitch * (i + 0.5), y: rowY(top), ...switchBox(pitch, usedPitch) };
  });
  if (nodes.includes(undefined as unknown as PlacedNode) || Object.keys(nodes).length < nodes.length)
    return null;

  const pods = hostsIn.map((hosts, pod): PlacedPod => {
    const storage = hosts.length > 0 && hosts.every((host) => graph.nodes[host]?.storage);
    const word = top === 3 ? "pod" : "leaf";
    const long = `${word} ${pod} · ${storage ? "storage" : "compute"}`;
    const name = slot >= 110 ? long : slot >= 40 ? `${word} ${pod}` : slot >= 16 ? String(pod) : "";
    const left = MARGIN + slot * pod + (slot - inner) / 2;
    return {
      name,
      left: left - 2,
      right: left + inner + 2,
      top: rowY(top === 3 ? 2 : 1) - 9,
      bottom: rowY(0) + hostSize.height / 2 + 4,
    };
  });
  return { nodes, pods, collapsed, scale: Math.max(0.3, Math.min(1, leafPitch / 26)) };
}

/** Senders left, receivers right, one or two switches between. */
function dumbbell(graph: Graph, width: number, height: number): FabricLayout | null {
  const switches = indicesOf(graph, (node) => node.kind === "switch");
  const [first, second] = switches;
  if (first === undefined || switches.length > 2) return null;
  const near = neighbours(graph);
  const hosts = indicesOf(graph, (node) => node.kind === "host");
  const isRight = (host: number) =>
    second !== undefined ? (near[host]?.includes(second) ?? false) : (graph.nodes[host]?.pod ?? 0) > 0;
  const sides = [hosts.filter((host) => !isRight(host)), hosts.filter(isRight)];
  const nodes = new Array<PlacedNode>(graph.nodes.length);
  const small = width < ROOMY.width;
  const roomy = !small && height >= ROOMY.height;
  const middle = height / 2;
  const room = height - 2 * MARGIN;
  sides.forEach((side, s) => {
    // Many hosts stand in several columns so that each stays visible.
    const columns = Math.max(1, Math.min(8, Math.ceil(side.length / Math.max(1, Math.floor(room / 9)))));
    const rows = Math.ceil(side.length / columns);
    const pitch = Math.min(Math.max(DUMBBELL_PITCH, height / 8), room / Math.max(rows, 1));
    const size = Math.min(roomy ? 20 : HOST, pitch * 0.7, (width * 0.2) / columns);
    const outer = small ? 20 : width * (columns > 1 ? 0.06 : 0.1);
    side.forEach((host, i) => {
      const column = Math.floor(i / rows);
      const inColumn = Math.min(rows, side.length - column * rows);
      const inset = outer + column * Math.max(size * 1.3, 4);
      nodes[host] = {
        x: s === 0 ? inset : width - inset,
        y: middle + ((i % rows) - (inColumn - 1) / 2) * pitch,
        width: size,
        height: size,
        name: columns === 1 && pitch >= 14 && !small ? (s === 0 ? "left" : "right") : "none",
      };
    });
  });
  const box = { width: roomy ? 60 : 40, height: roomy ? 30 : 20, name: "inside" as const };
  nodes[first] = { x: width * (second === undefined ? 0.42 : 0.3), y: middle, ...box };
  if (second !== undefined) nodes[second] = { x: width * 0.7, y: middle, ...box };
  return { nodes, pods: [], collapsed: false, scale: 1 };
}

/** Most switches of a circle that has room for them in any picture. */
const CIRCLE = 10;

/** The switches of a graph in the order in which their links close a circle; null if they do not, or not only. */
function circleOf(graph: Graph): number[] | null {
  const near = neighbours(graph);
  const switches = indicesOf(graph, (node) => node.kind === "switch");
  const next = (i: number) => (near[i] ?? []).filter((other) => graph.nodes[other]?.kind === "switch");
  const [first] = switches;
  if (first === undefined || switches.length < 3 || switches.some((i) => next(i).length !== 2)) return null;
  const order = [first];
  for (let at: number | undefined = Math.min(...next(first)); at !== undefined && at !== first; ) {
    order.push(at);
    at = next(at).find((other) => other !== order.at(-2));
  }
  return order.length === switches.length ? order : null;
}

/** Switches that stand in a circle, and their hosts around it. Null for other graphs, and for more than have room. */
function circular(graph: Graph, width: number, height: number): FabricLayout | null {
  const order = circleOf(graph);
  if (!order || order.length > CIRCLE) return null;
  const near = neighbours(graph);
  const hosts = order.map((i) => (near[i] ?? []).filter((other) => graph.nodes[other]?.kind === "host"));
  const alone = indicesOf(graph, ({ kind }) => kind === "host").some((host) => near[host]?.length !== 1);
  if (alone || hosts.some((list) => list.length > 2)) return null;
  const small = height < 200;
  const outer = { x: Math.min(width / 2 - (small ? 24 : 40), 0.95 * height), y: height / 2 - MARGIN };
  const inner = { x: outer.x - (small ? 44 : 80), y: outer.y - (small ? 28 : 48) };
  const at = (radius: typeof outer, angle: number) => ({
    x: width / 2 + radius.x * Math.sin(angle),
    y: height / 2 - radius.y * Math.cos(angle),
  });
  const turn = (2 * Math.PI) / order.length;
  const nodes = new Array<PlacedNode>(graph.nodes.length);
  order.forEach((node, i) => {
    nodes[node] = { ...at(inner, i * turn), ...switchBox(small ? 20 : 40, 60) };
    const list = hosts[i] ?? [];
    list.forEach((host, k) => {
      const place = at(outer, (i + 0.5 * (k - (list.length - 1) / 2)) * turn);
      const name = small ? "none" : place.x < width / 2 - 1 ? "left" : "right";
      nodes[host] = { ...place, ...hostBox(40, small ? 0 : 60), name };
    });
  });
  return { nodes, pods: [], collapsed: false, scale: 1 };
}

/** Hosts at the bottom, each switch a row above for every hop to its nearest host; rows ordered by barycentre. */
function layered(graph: Graph, width: number, height: number): FabricLayout {
  const near = neighbours(graph);
  const layer = new Array<number>(graph.nodes.length).fill(-1);
  let front = indicesOf(graph, (node) => node.kind === "host");
  if (front.length === 0) front = [0];
  for (const node of front) layer[node] = 0;
  for (let depth = 1; front.length > 0; depth++) {
    const next: number[] = [];
    for (const node of front) {
      for (const other of near[node] as number[]) {
        if (layer[other] !== -1) continue;
        layer[other] = depth;
        next.push(other);
      }
    }
    front = next;
  }
  const deepest = Math.max(1, ...layer);
  const rows: number[][] = Array.from({ length: deepest + 1 }, () => []);
  layer.forEach((depth, node) => {
    rows[depth < 0 ? deepest : depth]?.push(node);
  });

  // Sweeps down and up (Sugiyama, Tagawa, Toda 1981): each row sorted by the mean position of its neighbours.
  const position = new Array<number>(graph.nodes.length).fill(0);
  const number = (row: readonly number[]) => {
    row.forEach((node, i) => {
      position[node] = (i + 0.5) / row.length;
    });
  };
  rows.forEach(number);
  for (let sweep = 0; sweep < 6; sweep++) {
    const order = sweep % 2 === 0 ? [...rows.keys()] : [...rows.keys()].reverse();
    for (const r of order) {
      const row = rows[r] as number[];
      const wish = new Map(
        row.map((node) => {
          const others = (near[node] as number[]).filter((other) => layer[other] !== layer[node]);
          const sum = others.reduce((total, other) => total + (position[other] as number), 0);
          return [node, others.length > 0 ? sum / others.length : (position[node] as number)] as const;
        }),
      );
      row.sort((a, b) => (wish.get(a) as number) - (wish.get(b) as number));
      number(row);
    }
  }

  const small = height < 200;
  const topY = small ? 14 : 22;
  const bottomY = height - (small ? 16 : 36);
  const rowPitch = (bottomY - topY) / deepest;
  const nodes = new Array<PlacedNode>(graph.nodes.length);
  for (const [r, row] of rows.entries()) {
    const pitch = Math.min(160, (width - 2 * MARGIN) / Math.max(row.length, 1));
    row.forEach((node, i) => {
      const isHost = graph.nodes[node]?.kind === "host";
      nodes[node] = {
        x: width / 2 + (i - (row.length - 1) / 2) * pitch,
        y: bottomY - r * rowPitch,
        ...(isHost ? hostBox(pitch, small ? 0 : rowPitch) : switchBox(pitch, small ? 0 : rowPitch)),
      };
    });
  }
  return { nodes, pods: [], collapsed: false, scale: 1 };
}

/** Positions that the graph brings along; where nodes stand close together, they are small. */
function placed(
  nodes: readonly (GraphNode & Place)[],
  sheet: Sheet,
  width: number,
  height: number,
): FabricLayout {
  const places = nodes.map((node) => {
    const { x, y } = shareAt(sheet, node);
    return { x: x * width, y: y * height };
  });
  const pitches = pitchesOf(nodes, places);
  const boxes = nodes.map(({ kind }, i): PlacedNode => {
    const pitch = Math.max(PLACED_LEAST, pitches[i] as number);
    const box = kind === "host" ? hostBox(pitch, PLACED_ROWS) : switchBox(pitch, PLACED_ROWS);
    return { ...(places[i] as Place), ...box };
  });
  const unnamed = boxes.filter(({ name }) => name === "none").length;
  return { nodes: boxes, pods: [], collapsed: 2 * unnamed > boxes.length && unnamed > CROWD, scale: 1 };
}

/** So many nodes without room for their names are a crowd. */
const CROWD = 64;
/** Room that a node has at the most, and between rows, where none are laid out. */
const PLACED_PITCH = 40;
const PLACED_ROWS = 60;
/** What is no smaller can still be seen. */
const PLACED_LEAST = BLOCK_PITCH;
/** What stands above another needs less room than what stands beside it. */
const ABOVE = 1.5;

/** For each node how near the nearest of its kind is. */
function pitchesOf(nodes: readonly GraphNode[], places: readonly Place[]): Float64Array {
  const pitches = new Float64Array(nodes.length).fill(PLACED_PITCH);
  const order = [...nodes.keys()].sort((a, b) => (places[a] as Place).x - (places[b] as Place).x);
  for (const [nth, a] of order.entries()) {
    const from = places[a] as Place;
    for (let next = nth + 1; next < order.length; next++) {
      const b = order[next] as number;
      const to = places[b] as Place;
      if (to.x - from.x >= PLACED_PITCH) break;
      if (nodes[a]?.kind !== nodes[b]?.kind) continue;
      const pitch = Math.max(to.x - from.x, ABOVE * Math.abs(to.y - from.y));
      pitches[a] = Math.min(pitches[a] as number, pitch);
      pitches[b] = Math.min(pitches[b] as number, pitch);
    }
  }
  return pitches;
}
