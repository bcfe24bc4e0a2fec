import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/process.mjs";
import { definitionsOf, typescriptOf } from "../../scripts/lib/types.mjs";
import { pythonOf, pythonStub } from "../../scripts/lib/types-python.mjs";

/** Definitions as the Rust types give them. */
const DEFINITIONS = {
  Answer: {
    description: "An answer,\nin two lines.",
    oneOf: [
      { type: "object", properties: { kind: { const: "sweep", type: "string" } }, required: ["kind"] },
      {
        $ref: "#/$defs/Found",
        type: "object",
        properties: { kind: { const: "best-one", type: "string" } },
        required: ["kind"],
      },
    ],
  },
  Found: {
    type: "object",
    properties: {
      role: { oneOf: [{ const: "low", description: "Low." }, { const: "high" }] },
      mean: { type: ["number", "null"] },
      class: { type: "string", description: "Its class." },
      tail: {
        type: "array",
        items: { type: "array", prefixItems: [{ type: "integer" }, { type: "number" }] },
      },
      set: { type: "object", additionalProperties: true },
      next: { anyOf: [{ $ref: "#/$defs/Found" }, { type: "null" }] },
    },
    required: ["role", "mean", "tail", "set", "next"],
  },
};

describe("types", () => {
  it("are read-only in TypeScript, with tuples, unions, optional fields and comments", () => {
    expect(typescriptOf(DEFINITIONS)).toBe(`/** Made from a schema of Rust types. */

/** An answer, in two lines. */
export type Answer = {
  readonly kind: "sweep";
} | Found & {
  readonly kind: "best-one";
};

export interface Found {
  readonly role:
    /** Low. */
    | "low"
    | "high";
  readonly mean: number | null;
  /** Its class. */
  readonly class?: string;
  readonly tail: readonly (readonly [number, number])[];
  readonly set: { readonly [key: string]: unknown };
  readonly next: Found | null;
}
`);
  });

  it("are dictionaries in Python, with fields that may be named by keywords", () => {
    const [, , ...declarations] = pythonOf(DEFINITIONS).split("\n\n");
    expect(declarations.slice(1).join("\n\n")).toBe(`class AnswerSweep(TypedDict):
    kind: Literal["sweep"]

class AnswerBestOne(Found):
    kind: Literal["best-one"]

# An answer, in two lines.
Answer: TypeAlias = AnswerSweep | AnswerBestOne

Found = TypedDict(
    "Found",
    {
        "role": Literal["low", "high"],
        "mean": float | None,
        # Its class.
        "class": NotRequired[str],
        "tail": list[list[int | float]],
        "set": dict[str, Any],
        "next": Found | None,
    },
)
`);
  });

  it("are committed for Python as the schema has them: node scripts/python-types.mjs", () => {
    expect(readFileSync(join(root, pythonStub), "utf8")).toBe(pythonOf(definitionsOf("answers")));
  });
});
