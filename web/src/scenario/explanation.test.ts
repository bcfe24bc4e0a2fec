import { describe, expect, it } from "vitest";
import type { ScenarioExplanation } from "../generated/answers.d.ts";
import { beyondDocument, emptyValue, explanationOf, noEffectOf } from "./explanation.ts";

const answer: ScenarioExplanation = {
  fields: [
    { path: "seed", value: 42, source: "default" },
    { path: "classes[0].gain", value: 1, source: "given", noEffect: { reason: "TIMELY does not use it" } },
    { path: "classes[1].gain", value: 1, source: "given" },
    {
      path: "classes[0].dirs.recoveryUs",
      value: 500,
      source: "derived",
      from: "the high threshold of TIMELY",
    },
    { path: "classes[1].dirs.recoveryUs", value: 55, source: "derived", from: "the increase timer of DCQCN" },
  ],
  metrics: [{ id: "alpha", reason: "every class follows the RTT, none ECN marks" }],
  queues: {
    levels: [{ level: "high", title: "High", classes: [0, 1], weight: 3 }],
    classWeights: [1.5, 1.5],
  },
  network: { hosts: 4, switches: 1 },
  effectiveSpareShare: null,
};
const explanation = explanationOf(answer);

describe("an explanation", () => {
  it("crosses without what the document and the catalogue say", () => {
    const paths = beyondDocument(answer).fields.map(({ path }) => path);
    expect(paths).toEqual(["classes[0].gain", "classes[0].dirs.recoveryUs", "classes[1].dirs.recoveryUs"]);
    expect(explanationOf(beyondDocument(answer)).queues).toEqual(answer.queues);
  });

  it("takes the effect from fields of several classes only where none of them has one", () => {
    expect(noEffectOf(explanation, ["classes[0].gain"])?.reason).toBe("TIMELY does not use it");
    expect(noEffectOf(explanation, ["classes[0].gain", "classes[1].gain"])).toBeNull();
  });

  it("gives what holds while a field is empty, where it is the same for all", () => {
    const paths = ["classes[0].dirs.recoveryUs", "classes[1].dirs.recoveryUs"];
    expect(emptyValue(explanation, paths.slice(0, 1))).toBe(500);
    expect(emptyValue(explanation, paths)).toBeUndefined();
    expect(emptyValue(explanation, ["seed.nothing"])).toBeUndefined();
  });

  it("says of which quantities nothing can be measured", () => {
    expect(explanation.missing("alpha")).toMatch(/^every class follows the RTT/);
    expect(explanation.missing("rttUs")).toBeNull();
  });
});
