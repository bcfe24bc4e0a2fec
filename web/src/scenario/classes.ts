import { hostCount } from "./topology.ts";
import type { Scenario, TrafficClass, Workload } from "./types.ts";

/** Workloads of a class with their places in the document. */
export function classWorkloads(
  document: Scenario,
  classIndex: number,
): { readonly index: number; readonly workload: Workload }[] {
  const name = document.classes[classIndex]?.name;
  return document.workloads.flatMap((workload, index) =>
    workload.class === name ? [{ index, workload }] : [],
  );
}

/** Offered load of a class in Gb/s over its open-loop workloads; null where it has none. */
export function offeredGbps(document: Scenario, classIndex: number): number | null {
  const loads = classWorkloads(document, classIndex).flatMap(({ workload }) =>
    workload.traffic.kind === "open-loop" ? [workload.traffic.offeredGbps] : [],
  );
  return loads.length === 0 ? null : loads.reduce((sum, load) => sum + load, 0);
}

/** Changes that give a class a total offered load, its workloads keeping their shares. */
export function offeredChanges(
  document: Scenario,
  classIndex: number,
  gbps: number,
): { readonly path: string; readonly value: number }[] {
  const total = offeredGbps(document, classIndex);
  if (total === null) return [];
  return classWorkloads(document, classIndex).flatMap(({ index, workload }) =>
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
  document: Scenario,
): { readonly classIndex: number; readonly latencyUs: number }[] =>
  document.classes.flatMap(({ latencyTargetUs }, classIndex) =>
    typeof latencyTargetUs === "number" ? [{ classIndex, latencyUs: latencyTargetUs }] : [],
  );

const NAMES = ["High", "Medium", "Low"];

/** The document with one more class, sending like the last one from a host that does not send yet. */
export function withClass(document: Scenario): Scenario {
  const taken = new Set(document.classes.map((item) => item.name));
  let name = NAMES.find((candidate) => !taken.has(candidate));
  for (let number = document.classes.length + 1; name === undefined || taken.has(name); number++) {
    name = `Class ${number}`;
  }
  const template = document.classes.at(-1);
  const added: TrafficClass = { ...template, name, ratio: 1 };
  const like =
    document.workloads.findLast((workload) => workload.class === template?.name) ?? document.workloads.at(-1);
  if (!like) return document;
  const workload: Workload = { ...like, class: name, endpoints: movedSource(document, like.endpoints) };
  return { ...document, classes: [...document.classes, added], workloads: [...document.workloads, workload] };
}

function movedSource(document: Scenario, endpoints: Workload["endpoints"]): Workload["endpoints"] {
  if (endpoints.kind !== "pairs") return endpoints;
  const busy = new Set(
    document.workloads.flatMap(({ endpoints: other }) =>
      other.kind === "pairs" ? [...other.sources, ...other.destinations] : [],
    ),
  );
  const hosts = hostCount(document.topology.shape);
  const source = Array.from({ length: hosts }, (_, host) => host).find((host) => !busy.has(host));
  const first = endpoints.sources[0] ?? 0;
  return { ...endpoints, sources: [source ?? first], destinations: endpoints.destinations.slice(0, 1) };
}

/** The document without a class, its workloads and the recorded changes that speak of either. */
export function withoutClass(document: Scenario, classIndex: number): Scenario {
  const name = document.classes[classIndex]?.name;
  const kept = document.workloads.flatMap((workload, index) => (workload.class === name ? [] : [index]));
  const timeline = (document.timeline ?? []).flatMap((change) => {
    const [, list, at] = /^(classes|workloads)\[(\d+)\]/.exec(change.path) ?? [];
    if (list === undefined) return [change];
    const old = Number(at);
    const moved =
      list === "classes" ? (old === classIndex ? -1 : old - Number(old > classIndex)) : kept.indexOf(old);
    return moved < 0 ? [] : [{ ...change, path: change.path.replace(/\[\d+\]/, `[${moved}]`) }];
  });
  const { timeline: _, ...rest } = document;
  return {
    ...rest,
    classes: document.classes.filter((_item, index) => index !== classIndex),
    workloads: document.workloads.filter((workload) => workload.class !== name),
    ...(timeline.length > 0 && { timeline }),
  };
}

/** The document with a class renamed, its workloads following. */
export function withClassName(document: Scenario, classIndex: number, name: string): Scenario {
  const old = document.classes[classIndex]?.name;
  return {
    ...document,
    classes: document.classes.map((item, index) => (index === classIndex ? { ...item, name } : item)),
    workloads: document.workloads.map((workload) =>
      workload.class === old ? { ...workload, class: name } : workload,
    ),
  };
}
