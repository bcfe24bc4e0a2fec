import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/presets/three-writers.json";
import { fieldAt, fieldsAt, kindsAt, valueAt } from "./schema.ts";
import { choiceSentence, sentenceAt } from "./sentences.ts";

describe("fields of the schema", () => {
  it("carries title, unit, symbol, range and slider of a number", () => {
    const field = fieldAt("switch.ecnThresholdPackets", threeWriters);
    expect(field).toMatchObject({
      title: "ECN threshold",
      symbol: "K",
      unit: "packets",
      minimum: 1,
      live: true,
      slider: { low: 10, high: 400, scale: "log" },
    });
    expect(sentenceAt("switch.ecnThresholdPackets", threeWriters)).toMatch(/marks every packet/);
  });

  it("follows tagged unions by the scenario's kind", () => {
    expect(fieldAt("topology.shape.k", threeWriters).title).toBe("Ports per switch");
    expect(fieldAt("workloads[0].traffic.outstanding", threeWriters).unit).toBe("requests");
    expect(() => fieldAt("workloads[0].traffic.offeredGbps", threeWriters)).toThrow(/no field/);
    expect(() => fieldAt("topology.shape.leaves", threeWriters)).toThrow(/no field/);
  });

  it("lists the choices of an enumeration", () => {
    const field = fieldAt("classes[0].transport", threeWriters);
    expect(field.options?.map((option) => option.title)).toEqual([
      "QTCP",
      "DCTCP",
      "D2TCP",
      "Swift",
      "DCQCN",
      "QRDMA",
      "TIMELY",
    ]);
    expect(choiceSentence("classes[0].transport", threeWriters, "dctcp")).not.toBe("");
  });

  it("says which transports use a field of a class, also one of an object in it", () => {
    expect(fieldAt("classes[0].gain", threeWriters).transports).toEqual(["qtcp", "dctcp", "d2tcp"]);
    expect(fieldAt("classes[0].dcqcn.cnpIntervalUs", threeWriters)).toMatchObject({
      transports: ["dcqcn", "qrdma"],
      optional: true,
      live: true,
      unit: "us",
    });
    expect(fieldAt("classes[0].latencyTargetUs", threeWriters).transports).toBeUndefined();
    expect(fieldAt("classes[0].dirs.enabled", threeWriters)).toMatchObject({
      type: "boolean",
      default: false,
    });
  });

  it("names the fields of an object that the scenario leaves out, in the order of the screen", () => {
    expect(fieldsAt("classes[0].dirs", threeWriters).map(({ name }) => name)).toEqual([
      "enabled",
      "lateIntervalUs",
      "recoveryUs",
      "resetUs",
      "periodUs",
    ]);
    expect(kindsAt("topology.shape", threeWriters).map(({ title }) => title)).toEqual([
      "Fat-tree",
      "Leaf-spine",
      "Dumbbell",
      "Custom",
    ]);
  });

  it("tells restarting fields from live ones", () => {
    expect(fieldAt("durationUs", threeWriters).live).toBe(false);
    expect(fieldAt("topology.baseRttUs", threeWriters)).toMatchObject({ live: true, optional: true });
  });

  it("falls back to the default where the scenario leaves a field out", () => {
    expect(valueAt(threeWriters, "switch.bufferPackets")).toBe(4000);
    expect(valueAt(threeWriters, "classes[0].gain")).toBe(0.0625);
    expect(
      valueAt({ ...threeWriters, topology: { shape: { kind: "fat-tree", k: 4 } } }, "topology.baseRttUs"),
    ).toBe(undefined);
  });
});
