import type * as answers from "../generated/answers.d.ts";
import catalogue from "../generated/catalogue.json";
import type { TransportKind } from "./types.ts";

/** What the page has of a part of the catalogue (`scripts/lib/catalogue.mjs`). */
type Kept<T> = T extends readonly (infer E)[]
  ? readonly Kept<E>[]
  : T extends object
    ? { [K in keyof T as Exclude<K, "path" | "required" | "sentence" | "source">]: Kept<T[K]> }
    : T;

export type CatalogueField = Kept<answers.CatalogueField>;
export type Choice = Kept<answers.Choice>;
export type Transport = Pick<answers.CatalogueTransport, "title" | "paces" | "follows"> & {
  readonly value: TransportKind;
};
export type Arbitration = Pick<answers.CatalogueArbitration, "value" | "weighs" | "limitsDevice">;
export type TenantScheduler = Pick<
  answers.CatalogueScheduler,
  "value" | "title" | "usesLadder" | "suggested"
>;

/** The document as one field without a name. */
export const DOCUMENT = catalogue.document as unknown as CatalogueField;

const TRANSPORTS = catalogue.transports as unknown as readonly Transport[];

const ARBITRATIONS: readonly Arbitration[] = catalogue.arbitrations;

/** The description of an arbitration. */
export function arbitration(value: unknown): Arbitration {
  const found = ARBITRATIONS.find((arbitration) => arbitration.value === value);
  if (!found) throw new Error(`the engine has no arbitration ${value}`);
  return found;
}

/** The schedulers that a storage server may have, in the order of the screen. */
export const TENANT_SCHEDULERS = catalogue.tenantSchedulers as unknown as readonly TenantScheduler[];

/** The first scheduler that is as asked. */
export function schedulerThat(is: (scheduler: TenantScheduler) => boolean): TenantScheduler {
  const found = TENANT_SCHEDULERS.find(is);
  if (!found) throw new Error("the engine has no such scheduler");
  return found;
}

/** The description of a transport. */
export function transport(kind: TransportKind): Transport {
  const found = TRANSPORTS.find(({ value }) => value === kind);
  if (!found) throw new Error(`the engine has no transport ${kind}`);
  return found;
}
