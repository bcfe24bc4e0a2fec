import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/three-writers.json";
import { dcqcnSets, initSync } from "../generated/wasm/qoscope_wasm.js";
import { type DcqcnSets, emptyValue } from "./dcqcn.ts";
import { setPath } from "./path.ts";
import { fieldAt, fieldNames } from "./schema.ts";
import type { Scenario } from "./types.ts";

const scenario = threeWriters as unknown as Scenario;
const setsAt = (gbps: number): DcqcnSets => JSON.parse(dcqcnSets(gbps));

beforeAll(() => {
  const module = new URL("../generated/wasm/qoscope_wasm_bg.wasm", import.meta.url);
  initSync({ module: readFileSync(module) });
});

describe("the sets of DCQCN", () => {
  it("give a legal value to every field that may be empty", () => {
    for (const [set, values] of Object.entries(setsAt(100))) {
      const names = fieldNames("classes[0].dcqcn", scenario).filter((name) => name !== "set");
      expect(Object.keys(values).toSorted(), set).toEqual(names);
      for (const name of names) {
        const {
          type,
          minimum = -Infinity,
          maximum = Infinity,
        } = fieldAt(`classes[0].dcqcn.${name}`, scenario);
        const value = values[name];
        if (value === null) continue;
        expect(typeof value, `${set} ${name}`).toBe(type === "boolean" ? "boolean" : "number");
        if (typeof value === "number")
          expect(value >= minimum && value <= maximum, `${set} ${name}`).toBe(true);
      }
    }
  });

  it("scale with the link where the source does", () => {
    expect(setsAt(100).hpcc.additiveIncreaseMbps).toBe(20);
    expect(setsAt(40).hpcc.additiveIncreaseMbps).toBe(8);
    expect(setsAt(40).vendor.additiveIncreaseMbps).toBe(5);
  });
});

describe("what holds while a field is empty", () => {
  const empty = (path: string, from = scenario) => emptyValue(from, path, setsAt(100), 25);

  it("is what the chosen set gives", () => {
    expect(empty("classes[0].dcqcn.cnpIntervalUs")).toBe(50);
    expect(empty("classes[0].dcqcn.byteCounterBytes")).toBe(10_000_000);
    const other = setPath(scenario, "classes[0].dcqcn.set", "hpcc");
    expect(empty("classes[0].dcqcn.cnpIntervalUs", other)).toBe(4);
    expect(empty("classes[0].dcqcn.byteCounterBytes", other)).toBeNull();
    expect(empty("classes[1].dcqcn.cnpIntervalUs", other)).toBe(50);
  });

  it("is, for the timers of DIRS, what follows from those before them", () => {
    expect(empty("classes[0].dirs.recoveryUs")).toBe(55);
    expect(empty("classes[0].dirs.resetUs")).toBe(275);
    const slow = setPath(scenario, "classes[0].dirs.recoveryUs", 100);
    expect(empty("classes[0].dirs.resetUs", slow)).toBe(500);
  });

  it("is the round trip of the network for TIMELY's least", () => {
    expect(empty("classes[0].timely.leastRttUs")).toBe(25);
    expect(empty("classes[0].timely.beta")).toBeUndefined();
  });
});
