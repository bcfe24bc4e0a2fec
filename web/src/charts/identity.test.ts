import { describe, expect, it } from "vitest";
import { IDENTITIES, identityIndices } from "../run/identity.ts";
import { CLASS_IDENTITIES } from "../ui/classes.ts";

describe("identities of classes", () => {
  it("have a look each", () => {
    expect(CLASS_IDENTITIES).toHaveLength(IDENTITIES);
  });

  it("stay with well-known names, and differ among up to eight classes", () => {
    expect(identityIndices(["Low", "High", "Medium"])).toEqual([2, 0, 1]);
    const many = identityIndices(["a", "High", "b", "c", "Low", "d", "e", "f"]);
    expect(new Set(many).size).toBe(8);
  });
});
