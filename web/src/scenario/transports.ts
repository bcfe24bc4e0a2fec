import { fieldAt, fieldNames } from "./schema.ts";
import type { Scenario, TransportKind } from "./types.ts";

/** The transport of a class in force. */
export const transportOf = (scenario: Scenario, classIndex: number): TransportKind =>
  scenario.classes[classIndex]?.transport ?? "qtcp";

/** Names of transports as the papers write them. */
export const transportName = (transport: TransportKind): string => transport.toUpperCase();

/** Packets are paced at a rate, over RDMA, instead of being let out by a window. */
export const isRateBased = (transport: TransportKind): boolean =>
  transport === "dcqcn" || transport === "qrdma" || transport === "timely";

/** The class follows its quality factor, and so a ratio or a latency target. */
export const followsQuality = (transport: TransportKind): boolean =>
  transport === "qtcp" || transport === "qrdma";

/** The class aims at a tail latency, not at a share. */
export const aimsAtLatency = (scenario: Scenario, classIndex: number): boolean =>
  scenario.classes[classIndex]?.goal === "latency" && followsQuality(transportOf(scenario, classIndex));

/** Congestion is learnt from marks; TIMELY alone measures the round trip. */
export const followsMarks = (transport: TransportKind): boolean => transport !== "timely";

/** The class keeps an average of marks or notifications, which its cuts follow. */
export const hasAlpha = followsMarks;

/** Whether any class of a scenario runs a transport of some sort. */
export const anyClass = (scenario: Scenario, is: (transport: TransportKind) => boolean): boolean =>
  scenario.classes.some((_, index) => is(transportOf(scenario, index)));

/** `transport.gain` stands for the gain of every class; this prefix marks such a path. */
const SHARED = "transport.";

export const isShared = (path: string): boolean => path.startsWith(SHARED);

/** One of the fields that a path stands for: what the schema says is the same for all of them. */
export const firstOf = (path: string): string => path.replace(/^transport\./, "classes[0].");

/** A path as links and files write it. */
export const writtenPath = (path: string): string => path.replace(/^transport\./, "classes[].");

/**
 * The fields that a path stands for. A shared one stands for that field of every class whose transport uses it; where no
 * class does, for that of all classes, so that there is a value to show.
 */
export function pathsOf(path: string, scenario: Scenario): string[] {
  if (!isShared(path)) return [path];
  const { transports } = fieldAt(firstOf(path), scenario);
  const all = scenario.classes.map((_, index) => index);
  const using = all.filter((index) => !transports || transports.includes(transportOf(scenario, index)));
  return (using.length > 0 ? using : all).map((index) => path.replace(SHARED, `classes[${index}].`));
}

/** Parameters that belong together: one that stands for itself, or those of an object with the one that leads them. */
export type ParameterGroup =
  | { readonly kind: "field"; readonly name: string }
  | {
      readonly kind: "object";
      readonly title: string;
      /** Always in sight: the parameter set, the switch of an addition. */
      readonly lead: string | null;
      /** Folded away. */
      readonly rest: readonly string[];
    };

const LEADS: Readonly<Record<string, string>> = { dcqcn: "set", dirs: "enabled" };

/** Fields of a class that say what it aims at, shown apart from how its transport works. */
const AIMS = ["goal", "percentile"];

/** The schema keeps no order: what acts first stands first. A name that is not listed comes last. */
const ORDER: readonly string[] = [
  ...["gain", "rateSmoothing", "updateIntervalRtts", "dcqcn", "timely", "dirs"],
  ...["cnpIntervalUs", "alphaTimerUs", "increaseTimerUs", "byteCounterBytes", "fastRecoverySteps"],
  ...["beta", "lowUs", "highUs", "leastRttUs", "additiveIncreaseMbps", "hyperIncreaseMbps", "leastRateMbps"],
  ...["clampTarget", "patched", "lateIntervalUs", "recoveryUs", "resetUs", "periodUs"],
];

const rank = (name: string): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

const inOrder = (names: readonly string[]): string[] => names.toSorted((a, b) => rank(a) - rank(b));

/** The parameters that matter for some transports; names are relative to a class. */
export function parameterGroups(
  scenario: Scenario,
  transports: readonly TransportKind[],
): readonly ParameterGroup[] {
  return inOrder(fieldNames("classes[0]", scenario)).flatMap((name): ParameterGroup[] => {
    const field = fieldAt(`classes[0].${name}`, scenario);
    const used = field.transports?.some((transport) => transports.includes(transport as TransportKind));
    if (!used || AIMS.includes(name)) return [];
    if (field.type !== "object") return [{ kind: "field", name }];
    const lead = LEADS[name];
    const names = inOrder(fieldNames(`classes[0].${name}`, scenario));
    const rest = names.filter((inner) => inner !== lead);
    return [
      {
        kind: "object",
        title: field.title,
        lead: lead === undefined ? null : `${name}.${lead}`,
        rest: rest.map((inner) => `${name}.${inner}`),
      },
    ];
  });
}
