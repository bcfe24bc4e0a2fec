import { fixed, formatPackets, formatPercent } from "../charts/drawing/format.ts";
import type { NoteMark } from "../charts/types.ts";
import { hasNetwork } from "../run/bottleneck.ts";
import { deadlockCycle, deadlockedLinks, paused, queued, utilisation } from "../run/links.ts";
import type { RunView } from "../run/types.ts";
import { notesByNode } from "./notes.ts";

/** Rows of the fabric's text twin. */
export interface FabricTable {
  readonly name: "Nodes" | "Links" | "Paths";
  readonly headers: readonly string[];
  /** First cell is the row's name; `index` is the node, link or flow. */
  readonly rows: readonly { readonly index: number; readonly cells: readonly string[] }[];
}

const ROLES = ["host", "edge switch", "aggregation switch", "core switch"];

/** Nodes; with what is noted of them, where anything is. */
export function nodeTable(run: RunView, _pauses = false, notes: readonly NoteMark[] = []): FabricTable {
  const { nodes, links, flows } = run.layout.graph;
  const degree = new Array<number>(nodes.length).fill(0);
  for (const link of links) degree[link.from] = (degree[link.from] ?? 0) + 1;
  const sends = nodes.map(() => [] as string[]);
  const takes = nodes.map(() => [] as string[]);
  const add = (list: string[] | undefined, name: string) => {
    if (list && !list.includes(name)) list.push(name);
  };
  const noted = notesByNode(run.layout.graph, notes);
  const noteText = (node: number) =>
    noted
      .get(node)
      ?.map(({ number, text }) => `${number} ${text}`)
      .join("; ");
  for (const flow of flows) {
    const name = run.classes[flow.class]?.name ?? "";
    add(sends[flow.source], name);
    add(takes[flow.destination], name);
  }
  return {
    name: "Nodes",
    headers: ["node", "role", "pod", "links", "sends", "receives", ...(noted.size > 0 ? ["notes"] : [])],
    rows: nodes.map((node, index) => ({
      index,
      cells: [
        node.name,
        node.storage ? "storage server" : node.kind === "switch" ? (ROLES[node.tier] ?? "switch") : "host",
        node.pod < 0 ? "–" : String(node.pod),
        String(degree[index]),
        sends[index]?.join(", ") || "–",
        takes[index]?.join(", ") || "–",
        ...(noted.size > 0 ? [noteText(index) ?? "–"] : []),
      ],
    })),
  };
}

export function linkTable(run: RunView, pauses = false): FabricTable {
  const { nodes, links, bottleneck } = run.layout.graph;
  const stuck = new Set(deadlockedLinks(run));
  const cycle = new Set(deadlockCycle(run));
  const note = (link: number) => {
    const notes = [
      link === bottleneck && hasNetwork(run) && "bottleneck",
      stuck.has(link) && (cycle.has(link) ? "deadlocked" : "waits behind the deadlock"),
    ];
    return notes.filter((word) => word !== false).join(", ") || "–";
  };
  return {
    name: "Links",
    headers: [
      "link",
      "rate (Gb/s)",
      "utilisation",
      "queue (packets)",
      ...(pauses ? ["sender paused"] : []),
      "note",
    ],
    rows: links.map((link, index) => ({
      index,
      cells: [
        `${nodes[link.from]?.name} to ${nodes[link.to]?.name}`,
        fixed(link.gbps, Number.isInteger(link.gbps) ? 0 : 1),
        formatPercent(utilisation(run, index)),
        formatPackets(queued(run, index)),
        ...(pauses ? [formatPercent(paused(run, index))] : []),
        note(index),
      ],
    })),
  };
}

export function pathTable(run: RunView): FabricTable {
  const { nodes, links } = run.layout.graph;
  const { flows } = run;
  return {
    name: "Paths",
    headers: ["flow", "class", "hops", "path"],
    rows: flows.map((flow, index) => ({
      index,
      cells: [
        `${nodes[flow.source]?.name} to ${nodes[flow.destination]?.name}`,
        run.classes[flow.class]?.name ?? "",
        String(flow.path.length),
        [flow.source, ...flow.path.map((link) => links[link]?.to ?? -1)]
          .map((node) => nodes[node]?.name)
          .join(" "),
      ],
    })),
  };
}
