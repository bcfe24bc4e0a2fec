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
export interface NoEffect {
  readonly reason: string;
  readonly action?: { readonly label: string; readonly path: string; readonly value: unknown };
}

interface Rule {
  /** Fields the rule speaks of; `[]` stands for any index. A name that ends in a dot stands for all fields below it. */
  readonly fields: readonly string[];
  noEffect(scenario: Scenario, index: number): NoEffect | null;
}

const marking = (scenario: Scenario) => scenario.switch?.marking ?? "step";
const buffering = (scenario: Scenario) => scenario.switch?.buffering ?? "per-port";
const threshold = (scenario: Scenario) => scenario.switch?.threshold ?? "dynamic";
const nameOf = (scenario: Scenario, index: number) => scenario.classes[index]?.name ?? "";

const MARK = { label: "Mark at K", path: "switch.marking", value: "step" };
const PAUSE = { label: "Send pause frames", path: "switch.buffering", value: "pfc" };
const SHARE = { label: "Share the memory", path: "switch.buffering", value: "shared" };
const SEPARATE = { label: "Give every port its own", path: "switch.buffering", value: "per-port" };

/** When each field has an effect: the first rule that objects is shown. */
const RULES: readonly Rule[] = [
  {
    fields: ["switch.ecnThresholdPackets"],
    noEffect(scenario) {
      if (marking(scenario) === "off") return { reason: "No effect: marking is off.", action: MARK };
      if (!anyClass(scenario, followsMarks)) {
        return { reason: "No effect: TIMELY follows the RTT, and no class follows ECN marks." };
      }
      const full =
        buffering(scenario) === "per-port" &&
        (scenario.switch?.ecnThresholdPackets ?? 140) >= (scenario.switch?.bufferPackets ?? 4000);
      return full ? { reason: "No effect: the port buffer is full before the queue reaches K." } : null;
    },
  },
  {
    fields: ["switch.redMaximumPackets", "switch.redMaximumProbability"],
    noEffect: (scenario) =>
      marking(scenario) === "red"
        ? null
        : {
            reason: "No effect: only RED marking uses it.",
            action: { label: "Mark by RED", path: "switch.marking", value: "red" },
          },
  },
  {
    fields: ["switch.markingPoint"],
    noEffect: (scenario) =>
      marking(scenario) === "off" ? { reason: "No effect: marking is off.", action: MARK } : null,
  },
  {
    fields: ["switch.bufferPackets", "switch.bufferBytes"],
    noEffect: (scenario) =>
      buffering(scenario) === "per-port"
        ? null
        : { reason: "No effect: the ports of a switch share its memory.", action: SEPARATE },
  },
  {
    fields: ["switch.urgentReservePackets"],
    noEffect: (scenario) =>
      scenario.classes.some((item) => (item.priority ?? 0) > 0)
        ? null
        : {
            reason: "No effect: no class has a priority above 0.",
            action: { label: `Make ${nameOf(scenario, 0)} urgent`, path: "classes[0].priority", value: 1 },
          },
  },
  {
    fields: ["switch.xonOffsetBytes", "switch.headroomBytes"],
    noEffect: (scenario) =>
      buffering(scenario) === "pfc"
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
    noEffect: (scenario) =>
      buffering(scenario) === "per-port"
        ? { reason: "No effect: every port has a buffer of its own.", action: SHARE }
        : null,
  },
  {
    fields: ["switch.thresholdAlpha"],
    noEffect: (scenario) =>
      threshold(scenario) === "dynamic"
        ? null
        : {
            reason: "No effect: the threshold is a number of bytes.",
            action: { label: "Follow the free memory", path: "switch.threshold", value: "dynamic" },
          },
  },
  {
    fields: ["switch.xoffBytes"],
    noEffect: (scenario) =>
      threshold(scenario) === "static"
        ? null
        : {
            reason: "No effect: the threshold follows the free memory.",
            action: { label: "Fix it in bytes", path: "switch.threshold", value: "static" },
          },
  },
  {
    fields: ["classes[].ratio"],
    noEffect(scenario, index) {
      const transport = transportOf(scenario, index);
      if (!followsQuality(transport)) {
        return { reason: `No effect: ${nameOf(scenario, index)} runs ${insteadOfRatios(transport)}` };
      }
      return aimsAtLatency(scenario, index)
        ? {
            reason: `No effect: ${nameOf(scenario, index)} aims at its tail latency.`,
            action: {
              label: "Aim at its throughput share",
              path: `classes[${index}].goal`,
              value: "throughput",
            },
          }
        : null;
    },
  },
  {
    fields: ["classes[].percentile"],
    noEffect: (scenario, index) =>
      followsQuality(transportOf(scenario, index)) && !aimsAtLatency(scenario, index)
        ? {
            reason: `No effect: ${nameOf(scenario, index)} aims at its throughput share, not at a latency.`,
            ...(scenario.classes[index]?.latencyTargetUs !== undefined && {
              action: { label: "Aim at its tail latency", path: `classes[${index}].goal`, value: "latency" },
            }),
          }
        : null,
  },
  {
    fields: ["classes[].gain", "classes[].dcqcn."],
    noEffect: (scenario) =>
      marking(scenario) === "off"
        ? { reason: "No effect: nothing is marked, so there is no share to follow.", action: MARK }
        : null,
  },
  {
    fields: ["classes[].dirs."],
    noEffect(scenario, index) {
      const workloads = classWorkloads(scenario, index);
      if (workloads.some(({ workload }) => workload.flows === "per-request")) return null;
      const first = workloads.find(({ workload }) => workload.traffic.kind !== "backlogged");
      return {
        reason: `No effect: no flow of ${nameOf(scenario, index)} begins anew; its connections last.`,
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
    noEffect: (scenario, index) =>
      scenario.classes[index]?.dirs?.enabled
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
    noEffect: (scenario) =>
      anyClass(scenario, followsQuality)
        ? null
        : { reason: "No effect: no class follows a quality factor, as QTCP and QRDMA do." },
  },
  {
    fields: ["qos.interferenceTolerance", "qos.interferenceIntervalRtts"],
    noEffect: (scenario) =>
      scenario.qos?.adaptToInterference
        ? null
        : {
            reason: "No effect: classes do not look for interference.",
            action: { label: "Adapt to it", path: "qos.adaptToInterference", value: true },
          },
  },
  {
    fields: ["host.initialWindowPackets", "host.maximumWindowPackets", "host.minimumWindowPackets"],
    noEffect: (scenario) =>
      anyClass(scenario, (transport) => !isRateBased(transport))
        ? null
        : { reason: "No effect: every class is paced at a rate and has no window." },
  },
  {
    fields: ["seed"],
    noEffect: (scenario) =>
      drawsNothing(scenario) ? { reason: "No effect: nothing in this scenario is random." } : null,
  },
];

/** What a transport does instead of following shares. */
function insteadOfRatios(transport: TransportKind): string {
  return transport === "d2tcp"
    ? "D2TCP, which follows deadlines, not shares."
    : `${transportName(transport)}, which ignores class ratios.`;
}

/** Nothing is drawn from the seed: no random gaps or sizes, endpoints, paths or marks. */
function drawsNothing(scenario: Scenario): boolean {
  const randomTraffic = scenario.workloads.some((workload) => {
    if (workload.endpoints.kind !== "pairs") return true;
    if (workload.traffic.kind === "backlogged") return false;
    if (workload.traffic.size.kind !== "fixed") return true;
    return workload.traffic.kind === "open-loop" && (workload.traffic.gaps ?? "exponential") !== "constant";
  });
  const oneWay = scenario.topology.shape.kind === "dumbbell" || scenario.topology.routing === "d-mod-k";
  return !randomTraffic && oneWay && marking(scenario) !== "red";
}

/** The transport of a class does not know the field at all. */
function unused(scenario: Scenario, path: string): NoEffect | null {
  const index = Number(/^classes\[(\d+)\]/.exec(path)?.[1] ?? Number.NaN);
  if (Number.isNaN(index) || scenario.classes[index] === undefined) return null;
  const { transports } = fieldAt(path, scenario);
  const transport = transportOf(scenario, index);
  if (!transports || transports.includes(transport)) return null;
  return { reason: `No effect: ${nameOf(scenario, index)} runs ${transportName(transport)}.` };
}

/** No class uses a field that is set for all of them at once. */
function unusedByAll(scenario: Scenario, path: string): NoEffect | null {
  const { transports } = fieldAt(firstOf(path), scenario);
  if (!transports || anyClass(scenario, (transport) => transports.includes(transport))) return null;
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
export function noEffectReason(scenario: Scenario, path: string): NoEffect | null {
  if (isShared(path)) {
    const missing = unusedByAll(scenario, path);
    if (missing) return missing;
    const { transports } = fieldAt(firstOf(path), scenario);
    const reasons = scenario.classes.flatMap((_, index) =>
      !transports || transports.includes(transportOf(scenario, index))
        ? [noEffectReason(scenario, path.replace("transport.", `classes[${index}].`))]
        : [],
    );
    return reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null;
  }
  const foreign = unused(scenario, path);
  if (foreign && !path.endsWith(".ratio")) return foreign;
  const index = Number(/\[(\d+)\]/.exec(path)?.[1] ?? -1);
  const field = path.replace(/\[\d+\]/, "[]");
  for (const rule of RULES) {
    const found = speaksOf(rule, field) ? rule.noEffect(scenario, index) : null;
    if (found) return found;
  }
  return null;
}

/** What a class of D2TCP does without a deadline, or what a goal still lacks; null where nothing is missing. */
export function missingTarget(scenario: Scenario, classIndex: number): string | null {
  const item = scenario.classes[classIndex];
  if (!item || getPath(item, "latencyTargetUs") !== undefined) return null;
  return transportOf(scenario, classIndex) === "d2tcp"
    ? "Without a latency target its transfers have no deadline, and D2TCP does what DCTCP does."
    : null;
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
