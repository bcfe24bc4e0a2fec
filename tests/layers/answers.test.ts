import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseSync, Visitor } from "vite";
import { expect, it } from "vitest";
import { definitionsOf, SCHEMAS, typescriptOf } from "../../scripts/lib/types.mjs";

const sources = resolve(import.meta.dirname, "../../web/src");

/** A list of fields in TypeScript: that of an interface, or of a type without a name. */
interface Fields {
  readonly line: number;
  readonly names: readonly string[];
}

/** The object types of a module. */
function objectTypes(file: string, source: string): Fields[] {
  const found: Fields[] = [];
  const add = (start: number, members: readonly { type: string; key?: unknown }[]) => {
    const keys = members.filter(({ type }) => type === "TSPropertySignature").map(({ key }) => key);
    const names = (keys as { name?: string; value?: string }[]).map(({ name, value }) => name ?? value ?? "");
    found.push({ line: source.slice(0, start).split("\n").length, names });
  };
  new Visitor({
    TSInterfaceBody: ({ start, body }) => add(start, body),
    TSTypeLiteral: ({ start, members }) => add(start, members),
  }).visit(parseSync(file, source).program);
  return found;
}

const generated = (Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[]).flatMap((name) =>
  objectTypes(`${name}.ts`, typescriptOf(definitionsOf(name))),
);

/**
 * Whether a type has the fields of another one: at least three, and more than 60 % of all that either has, or at least five
 * and nothing else.
 */
function isCopy({ names }: Fields, of: Fields): boolean {
  const shared = names.filter((name) => of.names.includes(name)).length;
  const all = names.length + of.names.length - shared;
  return (shared >= 3 && shared > 0.6 * all) || (shared >= 5 && shared === names.length);
}

/** The hand-written types of a module that have the fields of a generated one, in sentences. */
const copies = (file: string, source: string): string[] =>
  objectTypes(file, source)
    .filter((fields) => generated.some((of) => isCopy(fields, of)))
    .map(({ line, names }) => `${file}:${line} has the fields of a generated type: ${names.join(", ")}`);

it("no type of the page is a copy of a type of the engine", () => {
  const modules = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !file.startsWith("generated"),
  );
  expect(modules.flatMap((file) => copies(file, readFileSync(join(sources, file), "utf8")))).toEqual([]);
});

it("a copy is found with a few fields more or less, and inside of another type", () => {
  const cell =
    "readonly mean: number; readonly low: number; readonly high: number; readonly numbers: number[]";
  expect(copies("cell.ts", `export interface Cell { ${cell}; readonly extra: string }`)).toEqual([
    "cell.ts:1 has the fields of a generated type: mean, low, high, numbers, extra",
  ]);
  expect(copies("part.ts", `type Part =\n  | null\n  | { readonly cell: { ${cell} } };`)).toHaveLength(1);
  const part = "events: number; packetHops: number; requests: number; wallSeconds: number; version: string";
  expect(copies("subset.ts", `interface Events { ${part} }`)).toHaveLength(1);
});

it("a type that picks fields of a generated one, or shares a few names, is no copy", () => {
  expect(copies("pick.ts", 'type Interval = Pick<StudyCell, "mean" | "low" | "high">;')).toEqual([]);
  expect(copies("own.ts", "interface Bar { title: string; unit: string; x: number; y: number }")).toEqual([]);
});
