import { nameOf } from "./types.mjs";

/**
 * Types of everything that the engine answers for the Python package: a stub with a `TypedDict` for each, as `json.loads` gives it.
 *
 * @typedef {import("./types.mjs").Schema} Schema
 * @typedef {import("./types.mjs").SchemaObject} SchemaObject
 */

/** The stub. */
export const pythonStub = "python/src/qoscope/_answers.pyi";

/** @type {Readonly<Record<string, string>>} */
const PLAIN = { string: "str", integer: "int", number: "float", boolean: "bool", null: "None" };

/** Letters of a line of code (`python/pyproject.toml`). */
const LINE_WIDTH = 110;

/** Names that a field of a class cannot have. */
const KEYWORDS = ["class", "from", "import", "in", "is", "lambda", "not", "or", "pass", "with"];

/**
 * The stub of the types.
 *
 * @param {import("./types.mjs").Definitions} definitions
 */
export function pythonOf(definitions) {
  /** @type {string[]} */
  const declarations = [];
  for (const [name, definition] of Object.entries(definitions)) declare(name, definition, declarations);
  const head =
    '"""Types of the answers of the engine, as JSON has them: `node scripts/python-types.mjs` writes this file."""\n';
  const imports =
    "from typing import Any, Literal, TypeAlias, TypedDict\n\nfrom typing_extensions import NotRequired\n";
  return [head, imports, ...declarations].join("\n");
}

/**
 * Adds the declaration of a type, after those of its parts.
 *
 * @param {string} name
 * @param {SchemaObject} schema
 * @param {string[]} declarations
 */
function declare(name, schema, declarations) {
  const declared = schema.properties
    ? classOf(name, schema, declarations)
    : aliasOf(name, typeOf(schema, name, declarations));
  const text = textOf(schema);
  declarations.push(text === undefined ? declared : `# ${text}\n${declared}`);
}

/**
 * A name for a type, on several lines if it is long, as Ruff writes it.
 *
 * @param {string} name
 * @param {string} type
 */
function aliasOf(name, type) {
  const line = `${name}: TypeAlias = ${type}\n`;
  if (line.length <= LINE_WIDTH + 1) return line;
  const words = /^Literal\[(.*)\]$/.exec(type)?.[1];
  return words === undefined
    ? `${name}: TypeAlias = (\n    ${type.replaceAll(" | ", "\n    | ")}\n)\n`
    : `${name}: TypeAlias = Literal[\n    ${words}\n]\n`;
}

/**
 * @param {string} name
 * @param {SchemaObject} schema of an object
 * @param {string[]} declarations
 */
function classOf(name, { $ref, properties = {}, required = [] }, declarations) {
  const fields = Object.entries(properties).map(([key, schema]) => {
    const type = typeOf(schema, name + capital(key), declarations);
    return { key, text: textOf(schema), type: required.includes(key) ? type : `NotRequired[${type}]` };
  });
  if (fields.every(({ key }) => !KEYWORDS.includes(key))) {
    const base = $ref === undefined ? "TypedDict" : nameOf($ref);
    const lines = fields.map(
      ({ key, text, type }) => `${text ? `    # ${text}\n` : ""}    ${key}: ${type}\n`,
    );
    return `class ${name}(${base}):\n${lines.join("")}`;
  }
  const lines = fields.map(
    ({ key, text, type }) => `${text ? `        # ${text}\n` : ""}        "${key}": ${type},\n`,
  );
  return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join("")}    },\n)\n`;
}

/**
 * @param {Schema} schema
 * @param {string} name of the type, if it needs one
 * @param {string[]} declarations takes the types that need one
 * @returns {string}
 */
function typeOf(schema, name, declarations) {
  if (typeof schema === "boolean") return "Any";
  if (schema.properties) {
    declare(name, schema, declarations);
    return name;
  }
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return literal([schema.const]);
  if (schema.enum) return literal(schema.enum);
  const forms = schema.oneOf ?? schema.anyOf;
  if (forms) return unionOf(forms, name, declarations);
  const types = [schema.type ?? []].flat().map((type) => {
    if (type === "array") return `list[${itemOf(schema, name, declarations)}]`;
    if (type === "object")
      return `dict[str, ${typeOf(schema.additionalProperties ?? true, name, declarations)}]`;
    return PLAIN[type] ?? "Any";
  });
  return types.length === 0 ? "Any" : types.join(" | ");
}

/**
 * @param {readonly Schema[]} forms
 * @param {string} name
 * @param {string[]} declarations
 */
function unionOf(forms, name, declarations) {
  const words = forms.map((form) => (typeof form === "object" ? form.const : undefined));
  if (words.every((word) => word !== undefined)) return literal(words);
  const types = forms.map((form) => {
    const kind = typeof form === "object" ? form.properties?.kind : undefined;
    const word = typeof kind === "object" ? String(kind.const) : "";
    return typeOf(form, name + word.split("-").map(capital).join(""), declarations);
  });
  const parts = new Set(types.map((type) => type.replace(/ \| None$/, "")));
  const isNull = parts.delete("None") || types.some((type) => type.endsWith(" | None"));
  return [...parts, ...(isNull ? ["None"] : [])].join(" | ");
}

/**
 * @param {SchemaObject} schema of a list
 * @param {string} name
 * @param {string[]} declarations
 */
function itemOf({ items = true, prefixItems }, name, declarations) {
  const types = (prefixItems ?? [items]).map((item) => typeOf(item, name, declarations));
  return [...new Set(types)].join(" | ");
}

const literal = (/** @type {readonly unknown[]} */ values) =>
  `Literal[${values.map((value) => JSON.stringify(value)).join(", ")}]`;

const capital = (/** @type {string} */ word) => word.charAt(0).toUpperCase() + word.slice(1);

/** @param {Schema} schema */
const textOf = (schema) =>
  typeof schema === "object" ? schema.description?.replace(/\s*\n\s*/g, " ") : undefined;
