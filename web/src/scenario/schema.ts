import { type CatalogueField, type Choice, DOCUMENT } from "./catalogue.ts";
import { getPath, parsePath } from "./path.ts";

/** What the engine's catalogue says of a field: all that a form and a range check need. */
export interface Field {
  readonly title: string;
  readonly type: CatalogueField["form"];
  /** May be left empty. */
  readonly optional: boolean;
  readonly unit?: string;
  readonly symbol?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Most elements of the list, or letters of the text. */
  readonly longest?: number;
  readonly default?: unknown;
  /** May change while a run goes on. */
  readonly live: boolean;
  readonly slider?: NonNullable<CatalogueField["slider"]>;
  /** Transports that use a field of a class, or of an object in it; all of them where it is absent. */
  readonly transports?: readonly string[];
  /** Choices of an enumeration, in the order of the screen. */
  readonly options?: readonly Choice[];
}

/** A tree that has the shape of the document. */
export interface DocumentNode<N> {
  readonly name: string;
  readonly fields?: readonly N[];
  readonly variants?: readonly { readonly value: string; readonly fields: readonly N[] }[];
  readonly items?: N;
}

/** The fields below one that hold for a value: of the kind that the value is, where there are several. */
function fieldsOf<N extends DocumentNode<N>>(node: N, value: unknown): readonly N[] {
  const kind = (value as { readonly kind?: unknown } | undefined)?.kind;
  return node.variants?.find((variant) => variant.value === kind)?.fields ?? node.fields ?? [];
}

/** The node of a tree at a path of a scenario. Throws for a path the format does not know: a programming error. */
export function nodeIn<N extends DocumentNode<N>>(root: N, path: string, scenario: unknown): N {
  let node = root;
  let walked = "";
  for (const key of parsePath(path)) {
    const next: N | undefined =
      typeof key === "number"
        ? node.items
        : fieldsOf(node, getPath(scenario, walked)).find(({ name }) => name === key);
    if (!next) throw new Error(`the scenario format has no field ${path}`);
    node = next;
    walked += typeof key === "number" ? `[${key}]` : `${walked && "."}${key}`;
  }
  return node;
}

const nodeAt = (path: string, scenario: unknown): CatalogueField => nodeIn(DOCUMENT, path, scenario);

/** What is said of the field at a path of a scenario. Throws for a path the format does not know: a programming error. */
export function fieldAt(path: string, scenario: unknown): Field {
  const { form, optional = false, live = false, ...rest } = nodeAt(path, scenario);
  return { ...rest, type: form, optional, live };
}

/** The fields of the object at a path, in the order of the screen. */
export const fieldsAt = (path: string, scenario: unknown): readonly CatalogueField[] =>
  fieldsOf(nodeAt(path, scenario), getPath(scenario, path));

/** The kinds of object that the field at a path may hold. */
export const kindsAt = (path: string, scenario: unknown): readonly Choice[] =>
  nodeAt(path, scenario).variants ?? [];

/** The value that the document gives at a path: its own or the default. Undefined: empty. */
export function valueAt(scenario: unknown, path: string): unknown {
  const own = getPath(scenario, path);
  return own === undefined || own === null ? fieldAt(path, scenario).default : own;
}
