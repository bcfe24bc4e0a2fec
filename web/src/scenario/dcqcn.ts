import { valueAt } from "./schema.ts";
import type { TrafficClass } from "./types.ts";

export type DcqcnSet = NonNullable<NonNullable<TrafficClass["dcqcn"]>["set"]>;

type Values = Readonly<Record<string, number | boolean>>;

/** A byte counter that never counts to its end: the timer alone leads from phase to phase. */
export const NO_BYTE_COUNTER = 1e12;

/**
 * The published sets of parameters, in the units of the scenario document, as `transport/dcqcn.rs` of the engine has them
 * with their sources. The page shows them in fields that are left empty; the engine alone decides what runs.
 */
const SETS: Readonly<Record<DcqcnSet, (linkGbps: number) => Values>> = {
  sigcomm15: () => ({
    gain: 1 / 256,
    cnpIntervalUs: 50,
    alphaTimerUs: 55,
    increaseTimerUs: 55,
    byteCounterBytes: 10_000_000,
    fastRecoverySteps: 5,
    additiveIncreaseMbps: 40,
    hyperIncreaseMbps: 400,
    leastRateMbps: 10,
    clampTarget: true,
  }),
  vendor: () => ({
    gain: 5 / 1024,
    cnpIntervalUs: 4,
    alphaTimerUs: 1,
    increaseTimerUs: 300,
    byteCounterBytes: NO_BYTE_COUNTER,
    fastRecoverySteps: 1,
    additiveIncreaseMbps: 5,
    hyperIncreaseMbps: 50,
    leastRateMbps: 1,
    clampTarget: false,
  }),
  hpcc: (linkGbps) => ({
    gain: 1 / 256,
    cnpIntervalUs: 4,
    alphaTimerUs: 1,
    increaseTimerUs: 300,
    byteCounterBytes: NO_BYTE_COUNTER,
    fastRecoverySteps: 1,
    additiveIncreaseMbps: (5 * linkGbps) / 25,
    hyperIncreaseMbps: (50 * linkGbps) / 25,
    leastRateMbps: 1000,
    clampTarget: false,
  }),
};

/** The set in force at a path. */
export const dcqcnSetOf = (document: unknown, path: string): DcqcnSet => valueAt(document, path) as DcqcnSet;

/** What a set gives a parameter at a link rate; undefined for a name that no set speaks of. */
export const dcqcnValue = (set: DcqcnSet, name: string, linkGbps: number): number | boolean | undefined =>
  SETS[set](linkGbps)[name];
