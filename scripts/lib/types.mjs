import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root as project } from "./process.mjs";

/**
 * Types in TypeScript, of the JSON Schemas that the Rust types give.
 *
 * @typedef {{
 *   $ref?: string, const?: unknown, enum?: unknown[], description?: string,
 *   type?: string | string[], properties?: Record<string, Schema>, required?: string[], additionalProperties?: Schema,
 *   items?: Schema, prefixItems?: Schema[], minItems?: number, maxItems?: number, oneOf?: Schema[], anyOf?: Schema[], allOf?: Schema[],
 * }} SchemaObject
 * @typedef {boolean | SchemaObject} Schema `true` for any value
 * @typedef {Record<string, SchemaObject>} Definitions by name
 */

/** The committed schemas: of the documents, and of what the engine answers. Tests of their crates compare them with the Rust types. */
export const SCHEMAS = {
  answers: "wasm-core/crates/answers/src/answers.json",
  figure: "wasm-core/crates/figures/src/schema.json",
  lesson: "wasm-core/crates/figures/src/lessons/schema.json",
  scenario: "wasm-core/crates/engine/src/scenario/schema.json",
  study: "wasm-core/crates/study/src/schema.json",
};

/**
 * The definitions of a schema; that of a document first, under its name.
 *
 * @param {keyof typeof SCHEMAS} name
 * @returns {Definitions}
 */
export function definitionsOf(name) {
  const { $defs, ...root } = JSON.parse(readFileSync(join(project, SCHEMAS[name]), "utf8"));
  return root.properties ? { [name.charAt(0).toUpperCase() + name.slice(1)]: root, ...$defs } : $defs;
}

/** @type {Readonly<Record<string, string>>} */
const PLAIN = { string: "string", integer: "number", number: "number", boolean: "boolean", null: "null" };

/** Lists of more items than this are no tuples. */
const LONGEST_TUPLE = 4;

/** The name of the definition that a schema refers to. */
export const nameOf = (/** @type {string} */ reference) => reference.replace(/^.*\//, "");

/**
 * The declarations of the types in TypeScript, read-only throughout.
 *
 * @param {Definitions} definitions
 */
export function typescriptOf(definitions) {
  const declarations = Object.entries(definitions).map(([name, definition]) => {
    const isInterface = definition.properties && !definition.$ref && !definition.oneOf && !definition.anyOf;
    const declared = isInterface
      ? `export interface ${name} ${members(definition, "")}`
      : `export type ${name} = ${typeOf(definition, "")};`;
    return `${comment(definition, "")}${declared}\n`;
  });
  const banner = "/** Made from a schema of Rust types. */\n";
  return [banner, ...declarations].join("\n").replace(/ +$/gm, "");
}

/**
 * @param {Schema} schema
 * @param {string} indent of the line that it begins in
 * @returns {string}
 */
function typeOf(schema, indent) {
  if (typeof schema === "boolean") return "unknown";
  const parts = [
    schema.$ref !== undefined && nameOf(schema.$ref),
    schema.const !== undefined && JSON.stringify(schema.const),
    schema.enum?.map((value) => JSON.stringify(value)).join(" | "),
    (schema.oneOf ?? schema.anyOf) && unionOf(schema.oneOf ?? schema.anyOf ?? [], indent),
    ...(schema.allOf ?? []).map((part) => typeOf(part, indent)),
    schema.type !== undefined && schema.const === undefined && !schema.enum && plainOf(schema, indent),
  ].filter((part) => typeof part === "string");
  if (parts.length <= 1) return parts[0] ?? "unknown";
  return parts.map((part) => (part.includes("|") ? `(${part})` : part)).join(" & ");
}

/**
 * @param {readonly Schema[]} schemas
 * @param {string} indent
 */
function unionOf(schemas, indent) {
  const isDescribed = schemas.some(
    (schema) => typeof schema === "object" && schema.description !== undefined,
  );
  if (!isDescribed) return schemas.map((schema) => typeOf(schema, indent)).join(" | ");
  const inner = `${indent}  `;
  return schemas.map((schema) => `\n${comment(schema, inner)}${inner}| ${typeOf(schema, inner)}`).join("");
}

/**
 * @param {SchemaObject} schema with a `type`
 * @param {string} indent
 */
function plainOf(schema, indent) {
  return [schema.type ?? []]
    .flat()
    .map((type) => {
      if (type === "array") return arrayOf(schema, indent);
      return type === "object" ? members(schema, indent) : (PLAIN[type] ?? "unknown");
    })
    .join(" | ");
}

/**
 * @param {SchemaObject} schema of a list
 * @param {string} indent
 */
function arrayOf({ items = true, prefixItems, minItems, maxItems = 0 }, indent) {
  const isTuple = minItems === maxItems && maxItems <= LONGEST_TUPLE;
  const tuple = prefixItems ?? (isTuple && Array(maxItems).fill(items));
  if (tuple)
    return `readonly [${tuple.map((/** @type {Schema} */ item) => typeOf(item, indent)).join(", ")}]`;
  const item = typeOf(items, indent);
  return `readonly ${/[ |&]/.test(item) ? `(${item})` : item}[]`;
}

/**
 * @param {SchemaObject} schema of an object
 * @param {string} indent
 */
function members({ properties, required = [], additionalProperties }, indent) {
  const inner = `${indent}  `;
  if (!properties) return `{ readonly [key: string]: ${typeOf(additionalProperties ?? true, indent)} }`;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const mark = required.includes(name) ? "" : "?";
    return `${comment(schema, inner)}${inner}readonly ${key}${mark}: ${typeOf(schema, inner)};\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

/**
 * @param {Schema} schema
 * @param {string} indent
 */
function comment(schema, indent) {
  const text = typeof schema === "object" ? schema.description : undefined;
  if (text === undefined) return "";
  return `${indent}/** ${text.replace(/\s*\n\s*/g, " ")} */\n`;
}
