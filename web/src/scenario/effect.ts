import { classWorkloads } from "./classes.ts";
import { getPath } from "./path.ts";
import { fieldAt } from "./schema.ts";
import {
  aimsAtLatency,
  anyClass,
  firstOf,
  followsMarks,
  followsQuality,
  isRateBased,
  isShared,
  transportName,
  transportOf,
} from "./transports.ts";
import type { Scenario, TransportKind } from "./types.ts";

/** Why a control has no effect, and the change that would give it one. */
export interface Inert {
  readonly reason: string;
  readonly action?: { readonly label: string; readonly path: string; readonly value: unknown };
}

interface Rule {
  /** Fields the rule speaks of; `[]` stands for any index. A name that ends in a dot stands for all fields below it. */
  readonly fields: readonly string[];
  inert(document: Scenario, index: number): Inert | null;
}

const marking = (document: Scenario) => document.switch?.marking ?? "step";
const buffering = (document: Scenario) => document.switch?.buffering ?? "per-port";
const threshold = (document: Scenario) => document.switch?.threshold ?? "dynamic";
const nameOf = (document: Scenario, index: number) => document.classes[index]?.name ?? "";

const MARK = { label: "Mark at K", path: "switch.marking", value: "step" };
const PAUSE = { label: "Send pause frames", path: "switch.buffering", value: "pfc" };
const SHARE = { label: "Share the memory", path: "switch.buffering", value: "shared" };
const SEPARATE = { label: "Give every port its own", path: "switch.buffering", value: "per-port" };

/** When each field has an effect: the first rule that objects is shown. */
const RULES: readonly Rule[] = [
  {
    fields: ["switch.ecnThresholdPackets"],
    inert(document) {
      if (marking(document) === "off") return { reason: "No effect: marking is off.", action: MARK };
      if (!anyClass(document, followsMarks)) {
        return { reason: "No effect: TIMELY follows the round trip, and no class follows marks." };
      }
      const full =
        buffering(document) === "per-port" &&
        (document.switch?.ecnThresholdPackets ?? 140) >= (document.switch?.bufferPackets ?? 4000);
      return full ? { reason: "No effect: the port buffer is full before the queue reaches K." } : null;
    },
  },
  {
    fields: ["switch.redMaximumPackets", "switch.redMaximumProbability"],
    inert: (document) =>
      marking(document) === "red"
        ? null
        : {
            reason: "No effect: only RED marking uses it.",
            action: { label: "Mark by RED", path: "switch.marking", value: "red" },
          },
  },
  {
    fields: ["switch.markingPoint"],
    inert: (document) =>
      marking(document) === "off" ? { reason: "No effect: marking is off.", action: MARK } : null,
  },
  {
    fields: ["switch.bufferPackets", "switch.bufferBytes"],
    inert: (document) =>
      buffering(document) === "per-port"
        ? null
        : { reason: "No effect: the ports of a switch share its memory.", action: SEPARATE },
  },
  {
    fields: ["switch.urgentReservePackets"],
    inert: (document) =>
      document.classes.some((item) => (item.priority ?? 0) > 0)
        ? null
        : {
            reason: "No effect: no class has a priority above 0.",
            action: { label: `Make ${nameOf(document, 0)} urgent`, path: "classes[0].priority", value: 1 },
          },
  },
  {
    fields: ["switch.xonOffsetBytes", "switch.headroomBytes"],
    inert: (document) =>
      buffering(document) === "pfc"
        ? null
        : { reason: "No effect: switches send no pause frames.", action: PAUSE },
  },
  {
    fields: [
      "switch.sharedBufferBytes",
      "switch.threshold",
      "switch.thresholdAlpha",
      "switch.xoffBytes",
      "switch.guaranteedBytes",
    ],
    inert: (document) =>
      buffering(document) === "per-port"
        ? { reason: "No effect: every port has a buffer of its own.", action: SHARE }
        : null,
  },
  {
    fields: ["switch.thresholdAlpha"],
    inert: (document) =>
      threshold(document) === "dynamic"
        ? null
        : {
            reason: "No effect: the threshold is a number of bytes.",
            action: { label: "Follow the free memory", path: "switch.threshold", value: "dynamic" },
          },
  },
  {
    fields: ["switch.xoffBytes"],
    inert: (document) =>
      threshold(document) === "static"
        ? null
        : {
            reason: "No effect: the threshold follows the free memory.",
            action: { label: "Fix it in bytes", path: "switch.threshold", value: "static" },
          },
  },
  {
    fields: ["classes[].ratio"],
    inert(document, index) {
      const transport = transportOf(document, index);
      if (!followsQuality(transport)) {
        return { reason: `No effect: ${nameOf(document, index)} runs ${blindness(transport)}` };
      }
      return aimsAtLatency(document, index)
        ? {
            reason: `No effect: ${nameOf(document, index)} aims at its tail latency.`,
            action: { label: "Aim at its share", path: `classes[${index}].goal`, value: "throughput" },
          }
        : null;
    },
  },
  {
    fields: ["classes[].percentile"],
    inert: (document, index) =>
      followsQuality(transportOf(document, index)) && !aimsAtLatency(document, index)
        ? {
            reason: `No effect: ${nameOf(document, index)} aims at its share, not at a latency.`,
            ...(document.classes[index]?.latencyTargetUs !== undefined && {
              action: { label: "Aim at its tail latency", path: `classes[${index}].goal`, value: "latency" },
            }),
          }
        : null,
  },
  {
    fields: ["classes[].gain", "classes[].dcqcn."],
    inert: (document) =>
      marking(document) === "off"
        ? { reason: "No effect: nothing is marked, so there is no share to follow.", action: MARK }
        : null,
  },
  {
    fields: ["classes[].dirs."],
    inert(document, index) {
      const workloads = classWorkloads(document, index);
      if (workloads.some(({ workload }) => workload.flows === "per-request")) return null;
      const first = workloads.find(({ workload }) => workload.traffic.kind !== "backlogged");
      return {
        reason: `No effect: no flow of ${nameOf(document, index)} begins anew; its connections last.`,
        ...(first && {
          action: {
            label: "Begin a flow per request",
            path: `workloads[${first.index}].flows`,
            value: "per-request",
          },
        }),
      };
    },
  },
  {
    fields: [
      "classes[].dirs.lateIntervalUs",
      "classes[].dirs.recoveryUs",
      "classes[].dirs.resetUs",
      "classes[].dirs.periodUs",
    ],
    inert: (document, index) =>
      document.classes[index]?.dirs?.enabled
        ? null
        : {
            reason: "No effect: initial rates are those of the link.",
            action: { label: "Turn DIRS on", path: `classes[${index}].dirs.enabled`, value: true },
          },
  },
  {
    fields: [
      "qos.capacityGbps",
      "qos.adaptToInterference",
      "qos.interferenceTolerance",
      "qos.interferenceIntervalRtts",
    ],
    inert: (document) =>
      anyClass(document, followsQuality)
        ? null
        : { reason: "No effect: no class follows a quality factor, as QTCP and QRDMA do." },
  },
  {
    fields: ["qos.interferenceTolerance", "qos.interferenceIntervalRtts"],
    inert: (document) =>
      document.qos?.adaptToInterference
        ? null
        : {
            reason: "No effect: classes do not look for interference.",
            action: { label: "Adapt to it", path: "qos.adaptToInterference", value: true },
          },
  },
  {
    fields: ["host.initialWindowPackets", "host.maximumWindowPackets", "host.minimumWindowPackets"],
    inert: (document) =>
      anyClass(document, (transport) => !isRateBased(transport))
        ? null
        : { reason: "No effect: every class is paced at a rate and has no window." },
  },
  {
    fields: ["seed"],
    inert: (document) =>
      drawsNothing(document) ? { reason: "No effect: nothing in this scenario is random." } : null,
  },
];

/** What a transport does instead of following shares. */
function blindness(transport: TransportKind): string {
  return transport === "d2tcp"
    ? "D2TCP, which follows deadlines, not shares."
    : `${transportName(transport)}, which is blind to classes.`;
}

/** Nothing is drawn from the seed: no random gaps or sizes, endpoints, paths or marks. */
function drawsNothing(document: Scenario): boolean {
  const randomTraffic = document.workloads.some((workload) => {
    if (workload.endpoints.kind !== "pairs") return true;
    if (workload.traffic.kind === "backlogged") return false;
    if (workload.traffic.size.kind !== "fixed") return true;
    return workload.traffic.kind === "open-loop" && (workload.traffic.gaps ?? "exponential") !== "constant";
  });
  const oneWay = document.topology.shape.kind === "dumbbell" || document.topology.routing === "d-mod-k";
  return !randomTraffic && oneWay && marking(document) !== "red";
}

/** The transport of a class does not know the field at all. */
function unused(document: Scenario, path: string): Inert | null {
  const index = Number(/^classes\[(\d+)\]/.exec(path)?.[1] ?? Number.NaN);
  if (Number.isNaN(index) || document.classes[index] === undefined) return null;
  const { transports } = fieldAt(path, document);
  const transport = transportOf(document, index);
  if (!transports || transports.includes(transport)) return null;
  return { reason: `No effect: ${nameOf(document, index)} runs ${transportName(transport)}.` };
}

/** No class uses a field that is set for all of them at once. */
function unusedByAll(document: Scenario, path: string): Inert | null {
  const { transports } = fieldAt(firstOf(path), document);
  if (!transports || anyClass(document, (transport) => transports.includes(transport))) return null;
  const names = transports.map((transport) => transportName(transport as TransportKind));
  const last = names.pop() ?? "";
  return {
    reason: `No effect: no class uses ${names.length > 0 ? `${names.join(", ")} or ${last}` : last}.`,
  };
}

const speaksOf = (rule: Rule, field: string): boolean =>
  rule.fields.some((name) => (name.endsWith(".") ? field.startsWith(name) : field === name));

/**
 * Why the field at a path has no effect in a scenario; null where it has. A path `transport.x`, which stands for the
 * field of every class, has none where it has none in any class that uses it; what is said is said of the first.
 */
export function inertReason(document: Scenario, path: string): Inert | null {
  if (isShared(path)) {
    const missing = unusedByAll(document, path);
    if (missing) return missing;
    const { transports } = fieldAt(firstOf(path), document);
    const reasons = document.classes.flatMap((_, index) =>
      !transports || transports.includes(transportOf(document, index))
        ? [inertReason(document, path.replace("transport.", `classes[${index}].`))]
        : [],
    );
    return reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null;
  }
  const foreign = unused(document, path);
  if (foreign && !path.endsWith(".ratio")) return foreign;
  const index = Number(/\[(\d+)\]/.exec(path)?.[1] ?? -1);
  const field = path.replace(/\[\d+\]/, "[]");
  for (const rule of RULES) {
    const found = speaksOf(rule, field) ? rule.inert(document, index) : null;
    if (found) return found;
  }
  return null;
}

/** What a class of D2TCP does without a deadline, or what a goal still lacks; null where nothing is missing. */
export function missingTarget(document: Scenario, classIndex: number): string | null {
  const item = document.classes[classIndex];
  if (!item || getPath(item, "latencyTargetUs") !== undefined) return null;
  return transportOf(document, classIndex) === "d2tcp"
    ? "Without a latency target its transfers have no deadline, and D2TCP does what DCTCP does."
    : null;
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
