import { classWorkloads } from "./classes.ts";
import type { Scenario } from "./types.ts";

/** Why a control has no effect, and the change that would give it one. */
export interface Inert {
  readonly reason: string;
  readonly action?: { readonly label: string; readonly path: string; readonly value: unknown };
}

interface Rule {
  /** Fields the rule speaks of; `[]` stands for any index. */
  readonly fields: readonly string[];
  inert(document: Scenario, index: number): Inert | null;
}

const uses = (document: Scenario, transport: string) =>
  document.classes.some((item) => (item.transport ?? "qtcp") === transport);

const marking = (document: Scenario) => document.switch?.marking ?? "step";

/** When each field has an effect: the first rule that objects is shown. */
const RULES: readonly Rule[] = [
  {
    fields: ["switch.ecnThresholdPackets"],
    inert: (document) =>
      marking(document) === "off"
        ? {
            reason: "No effect: marking is off.",
            action: { label: "Mark at K", path: "switch.marking", value: "step" },
          }
        : (document.switch?.ecnThresholdPackets ?? 140) >= (document.switch?.bufferPackets ?? 4000)
          ? { reason: "No effect: the port buffer is full before the queue reaches K." }
          : null,
  },
  {
    fields: ["switch.redMaximumPackets", "switch.redMaximumProbability"],
    inert: (document) =>
      marking(document) === "red" ? null : { reason: "No effect: only RED marking uses it." },
  },
  {
    fields: ["classes[].ratio", "classes[].rateSmoothing", "classes[].updateIntervalRtts"],
    inert: (document, index) => {
      const item = document.classes[index];
      if (!item || (item.transport ?? "qtcp") === "qtcp") return null;
      return { reason: `No effect: ${item.name} runs DCTCP, which is blind to classes.` };
    },
  },
  {
    fields: ["transport.rateSmoothing", "transport.updateIntervalRtts"],
    inert: (document) => (uses(document, "qtcp") ? null : { reason: "No effect: no class uses QTCP." }),
  },
  {
    fields: ["classes[].gain", "transport.gain"],
    inert: (document) =>
      marking(document) === "off"
        ? { reason: "No effect: nothing is marked, so there is no share to follow." }
        : null,
  },
  {
    fields: ["seed"],
    inert: (document) =>
      drawsNothing(document) ? { reason: "No effect: nothing in this scenario is random." } : null,
  },
];

/** Nothing is drawn from the seed: no random gaps or sizes, endpoints, paths or marks. */
function drawsNothing(document: Scenario): boolean {
  const randomTraffic = document.workloads.some((workload) => {
    if (workload.endpoints.kind === "permutation") return true;
    if (workload.traffic.kind === "backlogged") return false;
    if (workload.traffic.size.kind !== "fixed") return true;
    return workload.traffic.kind === "open-loop" && (workload.traffic.gaps ?? "exponential") !== "constant";
  });
  const oneWay = document.topology.shape.kind === "dumbbell" || document.topology.routing === "d-mod-k";
  return !randomTraffic && oneWay && marking(document) !== "red";
}

/** Why the field at a path has no effect in a scenario; null where it has. */
export function inertReason(document: Scenario, path: string): Inert | null {
  const index = Number(/\[(\d+)\]/.exec(path)?.[1] ?? -1);
  const field = path.replace(/\[\d+\]/, "[]");
  for (const rule of RULES) {
    const found = rule.fields.includes(field) ? rule.inert(document, index) : null;
    if (found) return found;
  }
  return null;
}

/** Why the offered load of a class cannot be set; null where it can. */
export function offeredReason(document: Scenario, classIndex: number): string | null {
  const workloads = classWorkloads(document, classIndex);
  const name = document.classes[classIndex]?.name ?? "";
  if (workloads.length === 0) return `${name} has no traffic.`;
  if (workloads.every(({ workload }) => workload.traffic.kind === "backlogged")) {
    return `${name} is backlogged: it always has more to send.`;
  }
  if (workloads.every(({ workload }) => workload.traffic.kind === "closed-loop")) {
    return `${name} is a closed loop: its load follows from its answers.`;
  }
  return null;
}
