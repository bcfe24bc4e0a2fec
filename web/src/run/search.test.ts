import { expect, it } from "vitest";
import { lowerBound } from "./search.ts";

it("a search in ascending values finds the first that is not below", () => {
  const times = [10, 20, 30];
  expect(lowerBound(times, 3, 20)).toBe(1);
  expect(lowerBound(times, 3, 31)).toBe(3);
});
