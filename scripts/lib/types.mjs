import { compile } from "json-schema-to-typescript";

/**
 * A schema as the generator of types wants it: without the titles of its parts, since it would make a named type of
 * every titled number, without bounds on the lengths of lists, since it would write out every length, and with tuples
 * in the older notation, the one it knows.
 *
 * @param {unknown} schema
 * @returns {unknown}
 */
function forGenerator(schema) {
  if (Array.isArray(schema)) return schema.map(forGenerator);
  if (typeof schema !== "object" || schema === null) return schema;
  const isTuple = "prefixItems" in schema;
  const entries = Object.entries(schema)
    .filter(([key, value]) => !(key === "title" && typeof value === "string"))
    .filter(([key]) => isTuple || (key !== "minItems" && key !== "maxItems"))
    .map(([key, value]) => [key === "prefixItems" ? "items" : key, forGenerator(value)]);
  return Object.fromEntries(entries);
}

/**
 * The TypeScript types of a document that is described in Rust.
 *
 * @param {object} schema JSON Schema of the document
 * @param {string} name of its root type
 * @returns {Promise<string>} a declaration file
 */
export async function documentTypes(schema, name) {
  const root = /** @type {Parameters<typeof compile>[0]} */ (forGenerator(schema));
  return compile(root, name, {
    bannerComment: `/* Made from the schema of the ${name.toLowerCase()} document, which is written in Rust. */`,
    additionalProperties: false,
    format: false,
    strictIndexSignatures: true,
  });
}
