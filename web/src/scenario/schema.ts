import schema from "../generated/scenario.schema.json";
import { getPath, parsePath } from "./path.ts";

/** What the schema says about one field: all that a form, a hint and a range check need. */
export interface Field {
  readonly title: string;
  readonly description: string;
  readonly type: "number" | "integer" | "string" | "boolean" | "object" | "array";
  /** May be left empty. */
  readonly optional: boolean;
  readonly unit?: string;
  readonly symbol?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  /** May change while a run goes on. */
  readonly live: boolean;
  readonly slider?: Slider;
  /** Transports that use a field of a class, or of an object in it; all of them where it is absent. */
  readonly transports?: readonly string[];
  /** Choices of an enumeration, in the order of the schema. */
  readonly options?: readonly Option[];
}

export interface Slider {
  readonly low: number;
  readonly high: number;
  readonly scale: "log" | "linear";
}

export interface Option {
  readonly value: string;
  readonly title: string;
  readonly description: string;
}

type Node = Readonly<Record<string, unknown>>;

/** Follows a `$ref`; keys beside it win. */
function resolve(node: Node): Node {
  const reference = node.$ref;
  if (typeof reference !== "string") return node;
  const target = (schema.$defs as Record<string, Node>)[reference.replace("#/$defs/", "")] ?? {};
  return { ...resolve(target), ...node };
}

/** The variant of a tagged union that a value takes, or the node itself. */
function variant(node: Node, value: unknown): Node {
  const variants = node.oneOf as readonly Node[] | undefined;
  const kind = (value as Node | undefined)?.kind;
  if (!variants || kind === undefined) return node;
  const found = variants.find((item) => {
    const properties = item.properties as Record<string, Node> | undefined;
    return properties?.kind?.const === kind;
  });
  return found ?? node;
}

/** The schema of the field at a path of a scenario. Throws for a path the format does not know: a programming error. */
export function fieldAt(path: string, scenario: unknown): Field {
  const { node, transports } = nodeAt(path, scenario);
  return { ...toField(node), ...(transports && { transports }) };
}

/** Names of the fields of the object at a path, in alphabetical order, as the schema has them. */
export function fieldNames(path: string, scenario: unknown): string[] {
  return Object.keys((nodeAt(path, scenario).node.properties as Record<string, Node> | undefined) ?? {});
}

/** The node at a path, and the transports that it or an object around it is meant for. */
function nodeAt(
  path: string,
  scenario: unknown,
): { readonly node: Node; readonly transports: readonly string[] | undefined } {
  let node: Node = schema as unknown as Node;
  let transports: readonly string[] | undefined;
  let walked = "";
  for (const key of parsePath(path)) {
    node = variant(resolve(node), getPath(scenario, walked));
    const next =
      typeof key === "number"
        ? (node.items as Node | undefined)
        : (node.properties as Record<string, Node>)?.[key];
    if (!next) throw new Error(`the scenario format has no field ${path}`);
    node = next;
    transports = (next["x-transports"] as readonly string[] | undefined) ?? transports;
    walked += typeof key === "number" ? `[${key}]` : `${walked && "."}${key}`;
  }
  return { node: resolve(node), transports };
}

function toField(node: Node): Field {
  const types = [node.type ?? (node.oneOf ? "string" : "object")].flat() as string[];
  const slider = node["x-slider"] as [number, number, "log" | "linear"] | undefined;
  const options = optionsOf(node);
  return {
    title: String(node.title ?? ""),
    description: String(node.description ?? "").replace(/\s*\n\s*/g, " "),
    type: (types.find((type) => type !== "null") ?? "object") as Field["type"],
    optional: types.includes("null"),
    live: node["x-live"] === true,
    ...(node.default !== undefined && { default: node.default }),
    ...(typeof node["x-unit"] === "string" && { unit: node["x-unit"] }),
    ...(typeof node["x-symbol"] === "string" && { symbol: node["x-symbol"] }),
    ...(typeof node.minimum === "number" && { minimum: node.minimum }),
    ...(typeof node.maximum === "number" && { maximum: node.maximum }),
    ...(slider && { slider: { low: slider[0], high: slider[1], scale: slider[2] } }),
    ...(options && { options }),
  };
}

function optionsOf(node: Node): Option[] | undefined {
  const constants = (node.oneOf as readonly Node[] | undefined)?.filter(
    (item) => typeof item.const === "string",
  );
  return constants?.length ? constants.map(toOption) : undefined;
}

const toOption = (item: Node): Option => ({
  value: item.const as string,
  title: String(item.title ?? ""),
  description: String(item.description ?? "").replace(/\s*\n\s*/g, " "),
});

/** The value in force at a path: the scenario's or the schema's default. Undefined: empty. */
export function valueAt(scenario: unknown, path: string): unknown {
  const own = getPath(scenario, path);
  return own === undefined || own === null ? fieldAt(path, scenario).default : own;
}
