import { TENANT_SCHEDULERS, type TenantScheduler } from "./catalogue.ts";
import { fieldAt, valueAt } from "./schema.ts";
import type { Scenario, TrafficClass } from "./types.ts";

/** A nested class of a contract: σ, ρ and δ. */
export type NestedClass = NonNullable<TrafficClass["contract"]>[number];

/** The contract of a class, the innermost nested class first; empty where nothing is promised. */
export type Contract = readonly NestedClass[];

export const contractPath = (index: number): string => `classes[${index}].contract`;

export const contractOf = (scenario: Scenario, index: number): Contract =>
  scenario.classes[index]?.contract ?? [];

/** Capacity of the scenario's servers of constant capacity, used or not. */
export const CAPACITY = "storage.constant.capacityIops";

/** What the first class of a contract is where nothing says otherwise, and by how much each goes beyond the one before. */
const FIRST: NestedClass = { burst: 16, rateIops: 320, responseUs: 50_000 };
const GROWTH: NestedClass = { burst: 2, rateIops: 1, responseUs: 10 };

/** Decimals of a number that somebody draws. */
const DIGITS = 3;

const PARTS = ["burst", "rateIops", "responseUs"] as const satisfies readonly (keyof NestedClass)[];

/** A value within what the format allows, as exact as it needs to be: bursts whole, rates to hundredths. */
function legal(part: keyof NestedClass, value: number): number {
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY } = limits()[part];
  const within = Math.min(maximum, Math.max(minimum, value));
  if (part === "burst") return Math.round(within);
  if (part === "rateIops") return Math.round(100 * within) / 100;
  return Number(within.toPrecision(6));
}

const limits = () => {
  const scenario = { classes: [{ contract: [FIRST] }] };
  const of = (part: string) => fieldAt(`${contractPath(0)}[0].${part}`, scenario);
  return { burst: of("burst"), rateIops: of("rateIops"), responseUs: of("responseUs") };
};

/** A number that a picture gave: no more digits than anybody means. */
export const drawn = (value: number): number => Number(value.toPrecision(DIGITS));

/**
 * The contract with parts of one nested class changed. Classes stay nested: those further in shrink with it where they must, and
 * those further out grow.
 */
export function withPromise(contract: Contract, at: number, change: Partial<NestedClass>): Contract {
  const wanted = Object.fromEntries(
    PARTS.flatMap((part) => {
      const value = change[part];
      return value === undefined ? [] : [[part, legal(part, value)]];
    }),
  ) as Partial<NestedClass>;
  return contract.map((item, place) => {
    const bound = place < at ? Math.min : Math.max;
    const parts = Object.entries(wanted).map(([part, value]) => {
      const own = item[part as keyof NestedClass];
      return [part, place === at ? value : bound(own, value)];
    });
    return { ...item, ...Object.fromEntries(parts) };
  });
}

/** The contract with one more class, beyond the outermost. */
export function withOuterClass(contract: Contract): Contract {
  const last = contract.at(-1);
  if (!last) return [FIRST];
  const grown = PARTS.map((part) => [part, legal(part, last[part] * GROWTH[part])]);
  return [...contract, Object.fromEntries(grown) as unknown as NestedClass];
}

export const withoutClass = (contract: Contract, at: number): Contract =>
  contract.filter((_, place) => place !== at);

/** The contract with all response times in proportion, so that the first is as given. */
export function withFirstResponse(contract: Contract, responseUs: number): Contract {
  const factor = responseUs / (contract[0]?.responseUs ?? responseUs);
  return contract.map((item) => ({ ...item, responseUs: legal("responseUs", item.responseUs * factor) }));
}

/** Most nested classes of a contract. */
export const maxClasses = (scenario: Scenario): number => fieldAt(contractPath(0), scenario).longest ?? 1;

/** What the field of the capacity must say for a server of `servedIops` to have `iops` instead, rounded up to a tenth. */
export function capacityFor(scenario: Scenario, servedIops: number, iops: number): number {
  const factor = Number(valueAt(scenario, CAPACITY)) / servedIops;
  return Math.ceil(10 * iops * factor - 1e-6) / 10;
}

/** The scheduler of the scenario's servers. */
export const SCHEDULER = "storage.tenants.scheduler";

/** The scheduler in force; none where requests go straight to the devices. */
export const schedulerOf = (scenario: Scenario): TenantScheduler | undefined =>
  TENANT_SCHEDULERS.find(({ value }) => value === valueAt(scenario, SCHEDULER));

/** The workloads of a class that replay a trace or could: their places. */
export const workloadsOf = (scenario: Scenario, index: number): readonly number[] =>
  scenario.workloads.flatMap((workload, place) =>
    workload.class === scenario.classes[index]?.name ? [place] : [],
  );

/** Where the requests of a class come from, in a few words. */
export function sourceText(scenario: Scenario, index: number): string {
  const [first, ...others] = workloadsOf(scenario, index);
  if (first === undefined) return "no workload";
  const path = `workloads[${first}].traffic`;
  const { traffic } = scenario.workloads[first] ?? {};
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  switch (traffic?.kind) {
    case "stand-in": {
      const { options = [] } = fieldAt(`${path}.of`, scenario);
      const title = options.find(({ value }) => value === traffic.of)?.title ?? traffic.of;
      return `${title}, stand-in${more}`;
    }
    case "trace":
      return `trace ${traffic.file}${more}`;
    case "open-loop":
      return `open loop${more}`;
    case "closed-loop":
      return `closed loop${more}`;
    default:
      return `always something to send${more}`;
  }
}
