import catalogue from "../generated/catalogue.json";
import type { TransportKind } from "./types.ts";

/** One of the words that a field may hold, or of the kinds of object. */
export interface Choice {
  readonly value: string;
  readonly title: string;
}

/** A field of the document, as the engine describes it (`scenario/fields.rs`). */
export interface CatalogueField {
  readonly name: string;
  readonly title: string;
  readonly form: "number" | "integer" | "boolean" | "string" | "object" | "array" | "any";
  readonly optional?: boolean;
  readonly unit?: string;
  readonly symbol?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Most elements of the list, or letters of the text. */
  readonly longest?: number;
  readonly default?: unknown;
  readonly live?: boolean;
  readonly slider?: { readonly low: number; readonly high: number; readonly scale: "log" | "linear" };
  /** Transports that use a field of a class, or of an object in it; all of them where it is absent. */
  readonly transports?: readonly string[];
  /** Fields that stand together, where they are not simply those of one object. */
  readonly group?: string;
  /** Few scenarios need it: it stands folded away. */
  readonly detail?: boolean;
  /** It leads the object around it, and stays in sight when the others are folded away. */
  readonly lead?: boolean;
  /** It tells readers something, and no result depends on it. */
  readonly annotation?: boolean;
  readonly options?: readonly Choice[];
  /** In the order of the screen. */
  readonly fields?: readonly CatalogueField[];
  /** The kinds of object that the field may hold. */
  readonly variants?: readonly (Choice & { readonly fields: readonly CatalogueField[] })[];
  /** An element of the list that it holds. */
  readonly items?: CatalogueField;
}

/** What a transport can do. */
export interface Transport {
  readonly value: TransportKind;
  readonly title: string;
  /** Packets are let out by a window, or paced at a rate, over RDMA. */
  readonly paces: "window" | "rate";
  readonly follows: "quality" | "deadlines" | "nothing";
}

/** What an arbitration of NVMe controllers looks at. */
export interface Arbitration {
  readonly value: string;
  /** It goes by the weights of high, medium and low priority. */
  readonly weighs: boolean;
  /** The limit on commands in the device applies. */
  readonly limitsDevice: boolean;
}

/** What a scheduler of tenants goes by. */
export interface TenantScheduler extends Choice {
  /** It goes by the burst ladder. */
  readonly usesLadder: boolean;
  /** It is the one offered where a scenario has none. */
  readonly suggested: boolean;
}

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
