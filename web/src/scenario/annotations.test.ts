import { describe, expect, it } from "vitest";
import { ANNOTATIONS, annotatedAs, sameButAnnotations } from "./annotations.ts";
import { differencesOf } from "./differences.ts";
import { firstScenario as scenario } from "./first.ts";

const told = { ...scenario, name: "Mine", notes: [{ text: "Look.", node: "h0" }] };

describe("what a scenario tells its readers", () => {
  it("is what the engine says it is", () => {
    expect(ANNOTATIONS).toEqual(["name", "description", "story", "notes"]);
  });

  it("is all that two scenarios of the same run differ in, and no difference of their runs", () => {
    expect(sameButAnnotations(scenario, told)).toBe(true);
    expect(differencesOf(scenario, told)).toEqual([]);
    expect(sameButAnnotations(scenario, { ...told, seed: 9 })).toBe(false);
  });

  it("is taken from another scenario, and nothing else is", () => {
    const { story: _, ...plain } = told;
    const taken = annotatedAs({ ...scenario, seed: 9 }, plain);
    expect(taken).toEqual({ ...plain, seed: 9 });
  });
});
