import { describe, expect, it } from "vitest";
import cases from "../../../tests/identities.json" with { type: "json" };
import { IDENTITIES, identityIndices } from "../run/identity.ts";
import { CLASS_IDENTITIES } from "../ui/classes.ts";

describe("identities of classes", () => {
  it("have a look each", () => {
    expect(CLASS_IDENTITIES).toHaveLength(IDENTITIES);
  });

  // The Python package has the same cases.
  it.each(cases)("of $names stay with well-known names, and differ among up to eight", (example) => {
    expect(identityIndices(example.names)).toEqual(example.identities);
  });
});
