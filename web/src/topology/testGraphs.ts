import type { Graph, GraphLink, GraphNode } from "../run/types.ts";

/** Collects nodes and cables by name. */
class Builder {
  readonly nodes: GraphNode[] = [];
  readonly links: GraphLink[] = [];

  node(name: string, tier: number, pod = -1, storage = false): void {
    this.nodes.push({
      name,
      kind: tier === 0 ? "host" : "switch",
      tier,
      pod,
      index: this.nodes.length,
      storage,
    });
  }

  cable(a: string, b: string): void {
    const [from, to] = [a, b].map((name) => this.nodes.findIndex((node) => node.name === name)) as [
      number,
      number,
    ];
    this.links.push({ from, to, gbps: 100 }, { from: to, to: from, gbps: 100 });
  }

  graph(): Graph {
    return { nodes: this.nodes, links: this.links, flows: [], bottleneck: -1 };
  }
}

export function fatTree(k: number): Graph {
  const half = k / 2;
  const built = new Builder();
  for (let h = 0; h < k * half * half; h++)
    built.node(`h${h}`, 0, Math.floor(h / (half * half)), h >= (k * half * half) / 2);
  for (let s = 0; s < k * half; s++) built.node(`e${s}`, 1, Math.floor(s / half));
  for (let s = 0; s < k * half; s++) built.node(`a${s}`, 2, Math.floor(s / half));
  for (let c = 0; c < half * half; c++) built.node(`c${c}`, 3);
  for (let h = 0; h < k * half * half; h++) built.cable(`h${h}`, `e${Math.floor(h / half)}`);
  for (let s = 0; s < k * half; s++) {
    for (let other = 0; other < half; other++) {
      built.cable(`e${s}`, `a${Math.floor(s / half) * half + other}`);
      built.cable(`a${s}`, `c${(s % half) * half + other}`);
    }
  }
  return built.graph();
}

export function leafSpine(leaves: number, spines: number, hostsPerLeaf: number): Graph {
  const built = new Builder();
  for (let h = 0; h < leaves * hostsPerLeaf; h++) built.node(`h${h}`, 0);
  for (let l = 0; l < leaves; l++) built.node(`l${l}`, 1);
  for (let s = 0; s < spines; s++) built.node(`s${s}`, 2);
  for (let h = 0; h < leaves * hostsPerLeaf; h++) built.cable(`h${h}`, `l${Math.floor(h / hostsPerLeaf)}`);
  for (let l = 0; l < leaves; l++) for (let s = 0; s < spines; s++) built.cable(`l${l}`, `s${s}`);
  return built.graph();
}

export function dumbbell(senders: number, receivers: number, switches = 2): Graph {
  const built = new Builder();
  for (let h = 0; h < senders + receivers; h++) built.node(`h${h}`, 0, h < senders ? 0 : 1, h >= senders);
  built.node("left", 1, 0);
  if (switches === 2) {
    built.node("right", 1, 1);
    built.cable("left", "right");
  }
  for (let h = 0; h < senders + receivers; h++)
    built.cable(`h${h}`, h < senders || switches === 1 ? "left" : "right");
  return built.graph();
}

/** Switches in a circle with some hosts each. */
export function circle(size: number, hosts = 1): Graph {
  const built = new Builder();
  for (let i = 0; i < size; i++) built.node(`s${i}`, 1);
  for (let i = 0; i < size * hosts; i++) built.node(`h${i}`, 0);
  for (let i = 0; i < size; i++) built.cable(`s${i}`, `s${(i + 1) % size}`);
  for (let i = 0; i < size * hosts; i++) built.cable(`h${i}`, `s${i % size}`);
  return built.graph();
}

/** A ring of switches with a host each and one switch two hops from any host. */
export function ring(size: number): Graph {
  const built = new Builder();
  for (let i = 0; i < size; i++) built.node(`s${i}`, 1);
  for (let i = 0; i < size; i++) built.node(`h${i}`, 0);
  built.node("hub", 1);
  for (let i = 0; i < size; i++) {
    built.cable(`s${i}`, `s${(i + 1) % size}`);
    built.cable(`h${i}`, `s${i}`);
    built.cable(`s${i}`, "hub");
  }
  return built.graph();
}
