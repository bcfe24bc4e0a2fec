import { hostNames, roles, sites } from "./topology.ts";
import type { Change, Scenario, Shape, Workload } from "./types.ts";

export type Endpoints = Workload["endpoints"];
export type Traffic = Workload["traffic"];
export type Size = Extract<Traffic, { kind: "open-loop" }>["size"];

/** What a workload starts with where nothing says otherwise. */
const START = {
  bytes: 65_536,
  offeredGbps: 10,
  outstanding: 16,
  pairs: 4,
  trace: "trace.csv",
  timeScale: 100,
} as const;

/** The recorded changes with the entries of a list moved: those of an entry that goes (-1) go with it. */
export function movedChanges(
  timeline: readonly Change[],
  list: "classes" | "workloads",
  to: (index: number) => number,
): Change[] {
  return timeline.flatMap((change) => {
    const [, name, at] = /^(classes|workloads)\[(\d+)\]/.exec(change.path) ?? [];
    if (name !== list) return [change];
    const index = to(Number(at));
    return index < 0 ? [] : [{ ...change, path: change.path.replace(/\[\d+\]/, `[${index}]`) }];
  });
}

/** The scenario with other recorded changes; without the section where there are none. */
export function withTimeline({ timeline: _, ...scenario }: Scenario, timeline: readonly Change[]): Scenario {
  return timeline.length > 0 ? { ...scenario, timeline } : scenario;
}

/** The scenario with a workload once more, below itself. */
export function withDuplicate(scenario: Scenario, index: number): Scenario {
  const { workloads, timeline = [] } = scenario;
  const copied = workloads.flatMap((workload, at) => (at === index ? [workload, workload] : [workload]));
  const moved = movedChanges(timeline, "workloads", (at) => (at > index ? at + 1 : at));
  return withTimeline({ ...scenario, workloads: copied }, moved);
}

/** The scenario without a workload and the recorded changes that speak of it. */
export function withoutWorkload(scenario: Scenario, index: number): Scenario {
  const { workloads, timeline = [] } = scenario;
  const moved = movedChanges(timeline, "workloads", (at) => (at === index ? -1 : at - Number(at > index)));
  return withTimeline({ ...scenario, workloads: workloads.filter((_, at) => at !== index) }, moved);
}

/** The scenario with one more workload: the first class, from the first compute host to the first storage server. */
export function withWorkload(scenario: Scenario): Scenario {
  const workload: Workload = {
    class: scenario.classes[0]?.name ?? "",
    endpoints: endpointsOf("pairs", scenario),
    traffic: trafficOf("closed-loop"),
  };
  return { ...scenario, workloads: [...scenario.workloads, workload] };
}

/** The scenario with another part of a workload. Recorded changes of what is replaced go with it. */
export function withPart(
  scenario: Scenario,
  index: number,
  part: Partial<Pick<Workload, "endpoints" | "traffic">>,
): Scenario {
  const replaced = Object.keys(part).map((name) => `workloads[${index}].${name}.`);
  const kept = (scenario.timeline ?? []).filter(
    ({ path }) => !replaced.some((beginning) => path.startsWith(beginning)),
  );
  const workloads = scenario.workloads.map((workload, at) =>
    at === index ? { ...workload, ...part } : workload,
  );
  return withTimeline({ ...scenario, workloads }, kept);
}

/** Endpoints of a kind, as much like those before as the kind allows. */
export function endpointsOf(kind: Endpoints["kind"], scenario: Scenario, before?: Endpoints): Endpoints {
  const own = roles(scenario);
  const hosts = hostNames(scenario.topology.shape);
  const storage = hosts.filter((_, number) => own[number] === "storage");
  const target =
    (before?.kind === "pairs" ? before.targets[0] : before?.kind === "incast" ? before.target : undefined) ??
    storage[0] ??
    hosts.at(-1) ??
    "";
  const compute = hosts.filter((name, number) => own[number] === "compute" && name !== target);
  const others = compute.length > 0 ? compute : hosts.filter((name) => name !== target);
  const wanted =
    before?.kind === "pairs"
      ? before.initiators.length
      : before?.kind === "incast"
        ? before.initiators
        : before
          ? START.pairs
          : 1;
  const count = Math.max(1, Math.min(wanted, hosts.length - 1));
  switch (kind) {
    case "pairs":
      return { kind, initiators: others.slice(0, count), targets: [target] };
    case "incast":
      return { kind, target, initiators: count };
    case "random":
      return { kind, pairs: count };
    case "permutation":
      return { kind };
  }
}

/** Traffic of a kind, with the sizes of the traffic before. */
export function trafficOf(kind: Traffic["kind"], before?: Traffic): Traffic {
  const size = before && "size" in before ? before.size : sizeOf("fixed");
  switch (kind) {
    case "open-loop":
      return { kind, offeredGbps: START.offeredGbps, size };
    case "closed-loop":
      return { kind, outstanding: START.outstanding, size };
    case "backlogged":
      return { kind };
    case "trace":
      return { kind, file: START.trace };
    case "stand-in":
      return { kind, of: "web-search-2", timeScale: START.timeScale };
  }
}

/** Names of the traces that a scenario replays. */
export const tracesOf = ({ workloads }: Scenario): string[] => [
  ...new Set(workloads.flatMap(({ traffic }) => (traffic.kind === "trace" ? [traffic.file] : []))),
];

/** The scenario with another trace replayed by a workload, and by all that named the same one. */
export function withTrace(scenario: Scenario, index: number, file: string): Scenario {
  const before = scenario.workloads[index]?.traffic;
  if (before?.kind !== "trace") return withPart(scenario, index, { traffic: { kind: "trace", file } });
  if (before.file === file) return scenario;
  const workloads = scenario.workloads.map((workload) => {
    const { traffic } = workload;
    if (traffic.kind !== "trace" || traffic.file !== before.file) return workload;
    // A volume of one trace is none of another.
    const { volume: _, ...rest } = traffic;
    return { ...workload, traffic: { ...rest, file } };
  });
  return { ...scenario, workloads };
}

/** A law of sizes of a kind, around a request of 64 KiB. */
export function sizeOf(kind: Size["kind"]): Size {
  switch (kind) {
    case "fixed":
      return { kind, bytes: START.bytes };
    case "uniform":
      return { kind, minimumBlocks: 1, maximumBlocks: 31 };
    case "published":
      return { kind, distribution: "web-search" };
    case "exponential":
      return { kind, meanBytes: START.bytes };
    case "choice":
      return { kind, bytes: [4096, START.bytes] };
    case "empirical":
      return {
        kind,
        points: [
          [4096, 0],
          [START.bytes, 100],
        ],
      };
  }
}

/** A pattern of addresses of a kind; of hot and cold ones four fifths of the requests go to a fifth of the range. */
export const patternOf = (kind: string): { readonly kind: string } =>
  kind === "hot-cold" ? { kind, ...HOT } : { kind };

const HOT = { hotPart: 0.2, hotRequests: 0.8 } as const;

/** Names of a list that are shown before the rest is counted. */
const SHOWN = 2;

/** "h0, h2 and 5 more". */
function brief(names: readonly string[]): string {
  const rest = names.length - SHOWN;
  return rest > 1 ? `${names.slice(0, SHOWN).join(", ")} and ${rest} more` : names.join(", ");
}

/** Who uses whom, in a few words. */
export function endpointsText(endpoints: Endpoints): string {
  switch (endpoints.kind) {
    case "pairs":
      return `${brief(endpoints.initiators)} → ${brief(endpoints.targets)}`;
    case "incast":
      return `${endpoints.initiators} hosts → ${endpoints.target}`;
    case "random":
      return `${endpoints.pairs} random pairs`;
    case "permutation":
      return "every host → another";
  }
}

/** Hosts that stand together, under the name of what they share. */
export interface HostGroup {
  readonly name: string;
  readonly hosts: readonly string[];
}

/** Hosts by rack; by side in a dumbbell, which has none. */
export function hostGroups(shape: Shape): HostGroup[] {
  const places = sites(shape);
  const groups = new Map<string, string[]>();
  for (const [number, host] of hostNames(shape).entries()) {
    const rack = places[number]?.rack ?? 0;
    const name = groupName(shape, number, rack);
    groups.set(name, [...(groups.get(name) ?? []), host]);
  }
  return [...groups].map(([name, hosts]) => ({ name, hosts }));
}

function groupName(shape: Shape, host: number, rack: number): string {
  if (shape.kind === "dumbbell") return host < shape.senders ? "Senders" : "Receivers";
  if (shape.kind === "custom") return shape.nodes[rack]?.name ?? "Hosts";
  return `Rack ${rack}`;
}

/** The names in a text, between commas; a name may hold blanks. */
export const namesIn = (text: string): string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
