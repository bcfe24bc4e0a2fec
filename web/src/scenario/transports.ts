import { transport } from "./catalogue.ts";
import { fieldAt, fieldsAt, valueAt } from "./schema.ts";
import type { Scenario, TransportKind } from "./types.ts";

/** The transport of a class in force. */
export const transportOf = (scenario: Scenario, classIndex: number): TransportKind =>
  valueAt(scenario, `classes[${classIndex}].transport`) as TransportKind;

/** Names of transports as the papers write them. */
export const transportName = (kind: TransportKind): string => transport(kind).title;

/** Packets are paced at a rate, over RDMA, instead of being let out by a window. */
export const isRateBased = (kind: TransportKind): boolean => transport(kind).paces === "rate";

/** The class follows its quality factor, and so a ratio or a latency target. */
export const followsQuality = (kind: TransportKind): boolean => transport(kind).follows === "quality";

/** The class follows the deadlines of its requests. */
export const followsDeadlines = (kind: TransportKind): boolean => transport(kind).follows === "deadlines";

/** The class aims at a tail latency, not at a share. */
export const aimsAtLatency = (scenario: Scenario, classIndex: number): boolean =>
  scenario.classes[classIndex]?.goal === "latency" && followsQuality(transportOf(scenario, classIndex));

/** `transport.gain` stands for the gain of every class; this prefix marks such a path. */
const SHARED = "transport.";

const isShared = (path: string): boolean => path.startsWith(SHARED);

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

/** The parameters of some transports, in the order of the catalogue; names are relative to a class. */
export function parameterGroups(
  scenario: Scenario,
  transports: readonly TransportKind[],
): readonly ParameterGroup[] {
  const used = fieldsAt("classes[0]", scenario).filter(
    ({ transports: users, group }) =>
      group === undefined && users?.some((user) => transports.includes(user as TransportKind)),
  );
  return used.map(({ name, title, fields }): ParameterGroup => {
    if (!fields) return { kind: "field", name };
    const lead = fields.find((inner) => inner.lead);
    const rest = fields.filter((inner) => inner !== lead);
    return {
      kind: "object",
      title,
      lead: lead ? `${name}.${lead.name}` : null,
      rest: rest.map((inner) => `${name}.${inner.name}`),
    };
  });
}
