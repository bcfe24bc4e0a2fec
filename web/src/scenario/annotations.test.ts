import { describe, expect, it } from "vitest";
import { ANNOTATIONS, annotatedAs, sameButAnnotations } from "./annotations.ts";
import { differencesOf } from "./differences.ts";
import { firstScenario as scenario } from "./first.ts";
import { setPath } from "./path.ts";

const told = { ...scenario, name: "Mine", notes: [{ text: "Look.", node: "h0" }] };
const EVIDENCE = "storage.ssd.evidence";
const evidence = { name: "Drive of lab 3", fittedJobs: 9 };

describe("what a scenario tells its readers", () => {
  it("is what the engine says it is", () => {
    expect(ANNOTATIONS).toEqual(["name", "description", EVIDENCE, "story", "notes"]);
  });

  it("is all that two scenarios of the same run differ in, and no difference of their runs", () => {
    expect(sameButAnnotations(scenario, told)).toBe(true);
    expect(differencesOf(scenario, told)).toEqual([]);
    expect(sameButAnnotations(scenario, { ...told, seed: 9 })).toBe(false);
  });

  it("is also what stands deep in it, whether or not the objects around it hold more", () => {
    const proven = setPath(scenario, EVIDENCE, evidence);
    expect(sameButAnnotations(scenario, proven)).toBe(true);
    expect(sameButAnnotations(proven, setPath(proven, `${EVIDENCE}.fittedJobs`, 12))).toBe(true);
    expect(differencesOf(scenario, proven)).toEqual([]);
    expect(sameButAnnotations(scenario, setPath(proven, "storage.ssd.channels", 4))).toBe(false);
    const { storage: _, ...without } = scenario;
    expect(sameButAnnotations(without, setPath(without, EVIDENCE, evidence))).toBe(true);
    expect(annotatedAs(scenario, proven)).toEqual(proven);
    expect(annotatedAs(proven, scenario).storage?.ssd?.evidence).toBeUndefined();
  });

  it("is taken from another scenario, and nothing else is", () => {
    const { story: _, ...plain } = told;
    const taken = annotatedAs({ ...scenario, seed: 9 }, plain);
    expect(taken).toEqual({ ...plain, seed: 9 });
  });
});
