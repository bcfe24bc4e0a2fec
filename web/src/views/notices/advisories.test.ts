import { describe, expect, it } from "vitest";
import threeWriters from "../../../../scenarios/presets/three-writers.json";
import { createRunView } from "../../run/recorder.ts";
import type { Graph, RunView } from "../../run/types.ts";
import { setPath } from "../../scenario/path.ts";
import { withShape } from "../../scenario/reshape.ts";
import type { Scenario } from "../../scenario/types.ts";
import { advisories } from "./advisories.ts";

const scenario = threeWriters as unknown as Scenario;

/** Two hosts on one switch; all three classes go from one to the other. */
const graph: Graph = {
  nodes: ["h0", "s1", "e0"].map((name, at) => ({
    name,
    kind: at < 2 ? ("host" as const) : ("switch" as const),
    tier: at < 2 ? 0 : 1,
    pod: 0,
    index: 0,
    storage: at === 1,
  })),
  links: [
    { from: 0, to: 2, gbps: 100 },
    { from: 2, to: 1, gbps: 100 },
  ],
  flows: [0, 1, 2].map((index) => ({ class: index, source: 0, destination: 1, path: [0, 1] })),
  bottleneck: 1,
};

function run(retransmitted: readonly number[], bottleneck = 1): RunView {
  const view = createRunView({
    version: "0.1.0",
    hash: "",
    classes: ["High", "Medium", "Low"].map((name) => ({ name, transport: "qtcp" as const })),
    samplePeriodUs: 10,
    baseRttUs: 25,
    classRttUs: [],
    convergenceBand: 0.05,
    warmupUs: 0,
    durationUs: 1000,
    nowUs: 100,
    sampleColumns: ["timeUs"],
    flowColumns: [],
    stages: [],
    deviceColumns: [],
    devices: [],
    figureColumns: ["retransmittedFraction"],
    graph: { ...graph, bottleneck },
  });
  view.update({ figures: new Float64Array(retransmitted) });
  return view;
}

const timely = [0, 1, 2].reduce(
  (result, i) => setPath(result, `classes[${i}].transport`, "timely"),
  scenario,
);

describe("what is said of a run", () => {
  it("is nothing of one without losses, nor of a loss now and then", () => {
    expect(advisories(run([0, 0, Number.NaN]), scenario)).toEqual([]);
    expect(advisories(run([0.04, 0, 0]), scenario)).toEqual([]);
  });

  it("is how much of the link retransmissions waste, with pause frames for RDMA", () => {
    const [found] = advisories(run([0.62, 0, 0.051]), timely);
    expect(found?.sentence).toMatch(
      /^62\u202f% of the packets High sent were retransmissions, 5\.1\u202f% of Low\. .*pause frames/,
    );
    expect(found?.remedy?.scenario.switch?.buffering).toBe("pfc");
  });

  it("is that marking prevents losses where it is off, and no button where a choice remains", () => {
    const unmarked = setPath(scenario, "switch.marking", "off");
    expect(advisories(run([0.3, 0, 0]), unmarked)[0]?.remedy?.scenario.switch?.marking).toBe("step");
    const [found] = advisories(run([0.3, 0, 0]), scenario);
    expect(found?.sentence).toContain("larger buffer");
    expect(found?.remedy).toBeUndefined();
  });

  it("is why Q stays away from 1 where classes share the port of a host, and how they get their own", () => {
    const small = withShape(scenario, { kind: "fat-tree", k: 2 });
    const [found] = advisories(run([0, 0, 0], 0), small, scenario);
    expect(found?.sentence).toMatch(/^3 classes send from host h0, and its own port is the bottleneck\./);
    expect(found?.remedy?.scenario).toEqual(scenario);
    expect(advisories(run([0, 0, 0], 0), small, small)[0]?.remedy).toBeUndefined();
    expect(advisories(run([0, 0, 0], 0), timely)).toEqual([]);
  });
});
