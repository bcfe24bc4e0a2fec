import { compile } from "json-schema-to-typescript";

/**
 * A schema without the titles of its parts: the generator would make a named type of every titled number. The types of
 * the document keep the names that they have in Rust.
 *
 * @param {unknown} schema
 * @returns {unknown}
 */
function untitled(schema) {
  if (Array.isArray(schema)) return schema.map(untitled);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(
    ([key, value]) => !(key === "title" && typeof value === "string"),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, untitled(value)]));
}

/**
 * The TypeScript types of the scenario document.
 *
 * @param {object} schema JSON Schema of the document
 * @returns {Promise<string>} a declaration file whose root type is `Scenario`
 */
export async function scenarioTypes(schema) {
  const root = /** @type {Parameters<typeof compile>[0]} */ (untitled(schema));
  return compile(root, "Scenario", {
    bannerComment: "/* Made from the schema of the scenario document, which is written in Rust. */",
    additionalProperties: false,
    format: false,
    strictIndexSignatures: true,
  });
}
