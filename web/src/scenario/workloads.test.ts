import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/presets/three-writers.json";
import type { Scenario } from "./types.ts";
import {
  endpointsOf,
  endpointsText,
  hostGroups,
  namesIn,
  trafficOf,
  withDuplicate,
  withoutWorkload,
  withPart,
  withWorkload,
} from "./workloads.ts";

const scenario = threeWriters as unknown as Scenario;
const recorded: Scenario = {
  ...scenario,
  timeline: [
    { atUs: 1, path: "workloads[0].stopUs", value: 900 },
    { atUs: 2, path: "workloads[1].traffic.thinkTimeUs", value: 5 },
    { atUs: 3, path: "classes[1].ratio", value: 4 },
  ],
};
const paths = ({ timeline = [] }: Scenario) => timeline.map(({ path }) => path);

describe("the list of workloads", () => {
  it("takes one more, from a compute host to a storage server", () => {
    expect(withWorkload(scenario).workloads[3]).toMatchObject({
      class: "High",
      endpoints: { kind: "pairs", initiators: ["h0"], targets: ["h8"] },
    });
  });

  it("moves recorded changes along when one is doubled or removed", () => {
    const doubled = withDuplicate(recorded, 0);
    expect(doubled.workloads).toHaveLength(4);
    expect(doubled.workloads[1]).toEqual(scenario.workloads[0]);
    expect(paths(doubled)).toEqual([
      "workloads[0].stopUs",
      "workloads[2].traffic.thinkTimeUs",
      "classes[1].ratio",
    ]);
    expect(paths(withoutWorkload(recorded, 0))).toEqual([
      "workloads[0].traffic.thinkTimeUs",
      "classes[1].ratio",
    ]);
  });

  it("forgets what was recorded of traffic that is replaced", () => {
    const replaced = withPart(recorded, 1, { traffic: trafficOf("backlogged") });
    expect(replaced.workloads[1]?.traffic).toEqual({ kind: "backlogged" });
    expect(paths(replaced)).toEqual(["workloads[0].stopUs", "classes[1].ratio"]);
  });
});

describe("another kind", () => {
  it("of endpoints keeps the target and the number of initiators", () => {
    const pairs = { kind: "pairs", initiators: ["h0", "h1", "h2"], targets: ["h12"] } as const;
    const incast = endpointsOf("incast", scenario, pairs);
    expect(incast).toEqual({ kind: "incast", target: "h12", initiators: 3 });
    expect(endpointsOf("pairs", scenario, incast)).toEqual(pairs);
    expect(endpointsOf("random", scenario, incast)).toEqual({ kind: "random", pairs: 3 });
  });

  it("of traffic keeps the sizes", () => {
    const size = { kind: "fixed", bytes: 512 } as const;
    expect(trafficOf("open-loop", { kind: "closed-loop", outstanding: 2, size })).toMatchObject({ size });
  });
});

describe("hosts", () => {
  it("are counted where there are many", () => {
    const initiators = ["h0", "h1", "h2", "h3"];
    expect(endpointsText({ kind: "pairs", initiators, targets: ["h8"] })).toBe("h0, h1 and 2 more → h8");
  });

  it("stand together by rack, or by side", () => {
    expect(hostGroups(scenario.topology.shape)[6]).toEqual({ name: "Rack 6", hosts: ["h12", "h13"] });
    expect(hostGroups({ kind: "dumbbell", senders: 2, receivers: 1 })).toEqual([
      { name: "Senders", hosts: ["h0", "h1"] },
      { name: "Receivers", hosts: ["h2"] },
    ]);
  });

  it("are typed between commas", () => {
    expect(namesIn(" h0,h 1,, h2 ,")).toEqual(["h0", "h 1", "h2"]);
  });
});
