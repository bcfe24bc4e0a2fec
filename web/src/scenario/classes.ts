import { hostNames, roles } from "./topology.ts";
import type { Scenario, TrafficClass, Workload } from "./types.ts";
import { movedChanges, withTimeline } from "./workloads.ts";

/** Workloads of a class with their places in the scenario. */
export function classWorkloads(
  scenario: Scenario,
  classIndex: number,
): { readonly index: number; readonly workload: Workload }[] {
  const name = scenario.classes[classIndex]?.name;
  return scenario.workloads.flatMap((workload, index) =>
    workload.class === name ? [{ index, workload }] : [],
  );
}

/** Offered load of a class in Gb/s over its open-loop workloads; null where it has none. */
export function offeredGbps(scenario: Scenario, classIndex: number): number | null {
  const loads = classWorkloads(scenario, classIndex).flatMap(({ workload }) =>
    workload.traffic.kind === "open-loop" ? [workload.traffic.offeredGbps] : [],
  );
  return loads.length === 0 ? null : loads.reduce((sum, load) => sum + load, 0);
}

/** Why the offered load of classes cannot be set, one sentence for each reason. */
export function offeredNotes(scenario: Scenario): string[] {
  const classes = scenario.classes.map((item, i) => ({
    name: item.name,
    traffic: classWorkloads(scenario, i).map(({ workload }) => workload.traffic.kind),
  }));
  const names = (only: (kinds: readonly string[]) => boolean) =>
    classes.filter(({ traffic }) => only(traffic)).map(({ name }) => name);
  const all = (kind: string) => (kinds: readonly string[]) =>
    kinds.length > 0 && kinds.every((item) => item === kind);
  const [idle, backlogged, closed] = [
    names((kinds) => kinds.length === 0),
    names(all("backlogged")),
    names(all("closed-loop")),
  ];
  return [
    ...(idle.length > 0 ? [`No traffic: ${idle.join(", ")}.`] : []),
    ...(backlogged.length > 0
      ? [`Backlogged (${backlogged.join(", ")}): there is always more to send.`]
      : []),
    ...(closed.length > 0
      ? [`Closed loop (${closed.join(", ")}): a request is issued when an earlier one completes.`]
      : []),
  ];
}

/** Changes that give a class a total offered load, its workloads keeping their shares. */
export function offeredChanges(
  scenario: Scenario,
  classIndex: number,
  gbps: number,
): { readonly path: string; readonly value: number }[] {
  const total = offeredGbps(scenario, classIndex);
  if (total === null) return [];
  return classWorkloads(scenario, classIndex).flatMap(({ index, workload }) =>
    workload.traffic.kind === "open-loop"
      ? [
          {
            path: `workloads[${index}].traffic.offeredGbps`,
            value: Number(((workload.traffic.offeredGbps / total) * gbps).toPrecision(9)),
          },
        ]
      : [],
  );
}

/** Latency targets of the classes that have one. */
export const deadlinesOf = (
  scenario: Scenario,
): { readonly classIndex: number; readonly latencyUs: number }[] =>
  scenario.classes.flatMap(({ latencyTargetUs }, classIndex) =>
    typeof latencyTargetUs === "number" ? [{ classIndex, latencyUs: latencyTargetUs }] : [],
  );

const NAMES = ["High", "Medium", "Low"];

/** The scenario with one more class, sending like the last one from a host that does not send yet. */
export function withClass(scenario: Scenario): Scenario {
  const taken = new Set(scenario.classes.map((item) => item.name));
  let name = NAMES.find((candidate) => !taken.has(candidate));
  for (let number = scenario.classes.length + 1; name === undefined || taken.has(name); number++) {
    name = `Class ${number}`;
  }
  const template = scenario.classes.at(-1);
  const added: TrafficClass = { ...template, name, ratio: 1 };
  const like =
    scenario.workloads.findLast((workload) => workload.class === template?.name) ?? scenario.workloads.at(-1);
  if (!like) return scenario;
  const workload: Workload = { ...like, class: name, endpoints: movedSource(scenario, like.endpoints) };
  return { ...scenario, classes: [...scenario.classes, added], workloads: [...scenario.workloads, workload] };
}

/** Endpoints from a host that is in no other endpoints yet, one of the same role if there is any. */
function movedSource(scenario: Scenario, endpoints: Workload["endpoints"]): Workload["endpoints"] {
  if (endpoints.kind !== "pairs") return endpoints;
  const busy = new Set(
    scenario.workloads.flatMap(({ endpoints: other }) =>
      other.kind === "pairs" ? [...other.initiators, ...other.targets] : [],
    ),
  );
  const own = roles(scenario);
  const hosts = hostNames(scenario.topology.shape).map((name, number) => ({ name, role: own[number] }));
  const [first = ""] = endpoints.initiators;
  const role = hosts.find(({ name }) => name === first)?.role;
  const free = hosts.filter(({ name }) => !busy.has(name));
  const initiator = (free.find((host) => host.role === role) ?? free[0])?.name ?? first;
  return { ...endpoints, initiators: [initiator], targets: endpoints.targets.slice(0, 1) };
}

/** The scenario without a class, its workloads and the recorded changes that speak of either. */
export function withoutClass(scenario: Scenario, classIndex: number): Scenario {
  const name = scenario.classes[classIndex]?.name;
  const kept = scenario.workloads.flatMap((workload, index) => (workload.class === name ? [] : [index]));
  const ofClasses = movedChanges(scenario.timeline ?? [], "classes", (at) =>
    at === classIndex ? -1 : at - Number(at > classIndex),
  );
  const timeline = movedChanges(ofClasses, "workloads", (at) => kept.indexOf(at));
  return withTimeline(
    {
      ...scenario,
      classes: scenario.classes.filter((_item, index) => index !== classIndex),
      workloads: scenario.workloads.filter((workload) => workload.class !== name),
      ...(scenario.story?.claims && {
        story: { ...scenario.story, claims: scenario.story.claims.filter((claim) => claim.class !== name) },
      }),
    },
    timeline,
  );
}

/** The scenario with a class renamed, its workloads and what its story claims of it following. */
export function withClassName(scenario: Scenario, classIndex: number, name: string): Scenario {
  const old = scenario.classes[classIndex]?.name;
  return {
    ...scenario,
    classes: scenario.classes.map((item, index) => (index === classIndex ? { ...item, name } : item)),
    workloads: scenario.workloads.map((workload) =>
      workload.class === old ? { ...workload, class: name } : workload,
    ),
    ...(scenario.story?.claims && {
      story: {
        ...scenario.story,
        claims: scenario.story.claims.map((claim) =>
          claim.class === old ? { ...claim, class: name } : claim,
        ),
      },
    }),
  };
}
