import { expect, it } from "vitest";
import threeWriters from "../../../scenarios/three-writers.json";
import { setPath } from "./path.ts";
import { signalReason } from "./signals.ts";
import type { Scenario, TransportKind } from "./types.ts";

const scenario = threeWriters as unknown as Scenario;
const all = (transport: TransportKind) =>
  scenario.classes.reduce((result, _, i) => setPath(result, `classes[${i}].transport`, transport), scenario);

it("says why a quantity cannot be drawn", () => {
  expect(signalReason(scenario, "alpha")).toBeNull();
  expect(signalReason(scenario, "rate")).toBeNull();
  expect(signalReason(scenario, "pausedLinks")).toMatch(/no pause frames/);
  expect(signalReason(setPath(scenario, "switch.buffering", "pfc"), "pausedLinks")).toBeNull();
  expect(signalReason(all("timely"), "alpha")).toMatch(/TIMELY/);
  expect(signalReason(all("timely"), "notifications")).toMatch(/not ECN marks/);
  expect(signalReason(all("dcqcn"), "window")).toMatch(/paced at a rate/);
  expect(signalReason(setPath(all("dcqcn"), "classes[0].transport", "dctcp"), "window")).toBeNull();
  expect(signalReason(setPath(scenario, "switch.marking", "off"), "notifications")).toBe("marking is off");
});
