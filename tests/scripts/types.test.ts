import { expect, it } from "vitest";
import { documentTypes } from "../../scripts/lib/types.mjs";

const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Scenario",
  type: "object",
  required: ["seed", "shape"],
  additionalProperties: false,
  properties: {
    seed: { title: "Seed", description: "Seed of every random stream.", type: "integer" },
    shape: { title: "Shape", $ref: "#/$defs/Shape" },
    points: {
      type: "array",
      minItems: 2,
      maxItems: 1000,
      items: {
        type: "array",
        prefixItems: [{ type: "number" }, { type: "number" }],
        minItems: 2,
        maxItems: 2,
      },
    },
  },
  $defs: {
    Shape: {
      oneOf: [
        {
          type: "object",
          required: ["kind"],
          properties: { kind: { const: "fat-tree" } },
          title: "Fat-tree",
        },
        {
          type: "object",
          required: ["kind"],
          properties: { kind: { const: "dumbbell" } },
          title: "Dumbbell",
        },
      ],
    },
  },
};

it("types follow the schema: names from Rust, unions by kind, tuples, and the sentences as comments", async () => {
  const types = await documentTypes(schema, "Scenario");
  expect(types).toContain("export interface Scenario {");
  expect(types).toMatch(/Seed of every random stream\.\s+\*\/\s+seed: number/);
  expect(types).toMatch(/export type Shape = \(\{\s*kind: "fat-tree"\s*\} \| \{\s*kind: "dumbbell"\s*\}\)/);
  expect(types).toContain("points?: [number, number][]");
  expect(types).not.toMatch(/export type (Seed|FatTree)\b/);
});
