import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/presets/three-writers.json";
import { setPath } from "./path.ts";
import { fieldsAt } from "./schema.ts";
import { parameterGroups, pathsOf } from "./transports.ts";
import type { Scenario, TransportKind } from "./types.ts";

const scenario = threeWriters as unknown as Scenario;

const shown = (transports: readonly TransportKind[]) =>
  parameterGroups(scenario, transports).map((group) => (group.kind === "field" ? group.name : group.title));

describe("the parameters of a transport", () => {
  it.each<[TransportKind, string[]]>([
    ["qtcp", ["gain", "rateSmoothing", "updateIntervalRtts"]],
    ["dctcp", ["gain"]],
    ["d2tcp", ["gain"]],
    ["swift", ["Swift"]],
    ["dcqcn", ["DCQCN", "DIRS"]],
    ["qrdma", ["rateSmoothing", "updateIntervalRtts", "DCQCN", "DIRS"]],
    ["timely", ["TIMELY", "DIRS"]],
  ])("%s has %j", (transport, names) => {
    expect(shown([transport])).toEqual(names);
  });

  it("are those of any of several transports, once", () => {
    expect(shown(["dctcp", "dcqcn"])).toEqual(["gain", "DCQCN", "DIRS"]);
  });

  it("leave nothing of an object out", () => {
    const group = parameterGroups(scenario, ["dcqcn"])[0];
    if (group?.kind !== "object") throw new Error("DCQCN is an object");
    const names = [group.lead, ...group.rest].map((name) => name?.replace("dcqcn.", ""));
    expect(names).toEqual(fieldsAt("classes[0].dcqcn", scenario).map(({ name }) => name));
    expect(group.lead).toBe("dcqcn.set");
  });
});

describe("a path for all classes", () => {
  it("stands for the field of those that use it", () => {
    const mixed = setPath(scenario, "classes[1].transport", "dcqcn");
    expect(pathsOf("transport.gain", mixed)).toEqual(["classes[0].gain", "classes[2].gain"]);
    expect(pathsOf("transport.dcqcn.set", mixed)).toEqual(["classes[1].dcqcn.set"]);
    expect(pathsOf("switch.marking", mixed)).toEqual(["switch.marking"]);
  });

  it("stands for all where none uses it", () => {
    expect(pathsOf("transport.timely.beta", scenario)).toHaveLength(scenario.classes.length);
  });
});
