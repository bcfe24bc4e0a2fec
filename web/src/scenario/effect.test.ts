import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/three-writers.json";
import { missingTarget, noEffectReason, offeredNotes } from "./effect.ts";
import { setPath } from "./path.ts";
import type { Scenario } from "./types.ts";

const scenario = threeWriters as unknown as Scenario;

/** The scenario with some values set. */
const having = (values: Readonly<Record<string, unknown>>, from = scenario): Scenario =>
  Object.entries(values).reduce((result, [path, value]) => setPath(result, path, value), from);

const all = (transport: string, from = scenario): Scenario =>
  having(Object.fromEntries(from.classes.map((_, i) => [`classes[${i}].transport`, transport])), from);

const reason = (from: Scenario, path: string) => noEffectReason(from, path)?.reason ?? null;

/** The scenario after the way out that a control offers. */
function mended(from: Scenario, path: string): Scenario {
  const action = noEffectReason(from, path)?.action;
  return action ? having({ [action.path]: action.value }, from) : from;
}

describe("controls without effect", () => {
  it("are none where everything acts", () => {
    for (const path of [
      "switch.ecnThresholdPackets",
      "switch.markingPoint",
      "switch.bufferPackets",
      "classes[0].ratio",
      "transport.gain",
      "transport.rateSmoothing",
      "qos.adaptToInterference",
      "seed",
    ]) {
      expect(reason(scenario, path), path).toBeNull();
    }
  });

  it("say that no class uses a field set for all of them", () => {
    const plain = all("dctcp");
    expect(reason(plain, "transport.updateIntervalRtts")).toBe("No effect: no class uses QTCP or QRDMA.");
    expect(reason(plain, "transport.gain")).toBeNull();
    expect(reason(plain, "qos.adaptToInterference")).toMatch(/no class follows a quality factor/);
    expect(reason(all("timely"), "switch.ecnThresholdPackets")).toMatch(/TIMELY follows the RTT/);
  });

  it("say which transport makes a class deaf to a field", () => {
    const plain = having({ "classes[1].transport": "dctcp" });
    expect(reason(plain, "classes[1].ratio")).toBe(
      "No effect: Medium runs DCTCP, which ignores class ratios.",
    );
    expect(reason(plain, "classes[1].rateSmoothing")).toBe("No effect: Medium runs DCTCP.");
    expect(reason(plain, "classes[0].dcqcn.gain")).toBe("No effect: High runs QTCP.");
    expect(reason(having({ "classes[0].transport": "d2tcp" }), "classes[0].ratio")).toMatch(
      /follows deadlines/,
    );
  });

  it("tell a share from a latency as the aim, with the way out", () => {
    expect(reason(scenario, "classes[0].percentile")).toMatch(/High aims at its throughput share/);
    const aiming = having({ "classes[0].latencyTargetUs": 500, "classes[0].goal": "latency" });
    expect(reason(aiming, "classes[0].percentile")).toBeNull();
    expect(reason(aiming, "classes[0].ratio")).toMatch(/aims at its tail latency/);
    expect(reason(mended(aiming, "classes[0].ratio"), "classes[0].ratio")).toBeNull();
  });

  it("tell apart what each kind of buffering uses, and offer the kind that is missing", () => {
    const shared = having({ "switch.buffering": "shared" });
    const pfc = having({ "switch.buffering": "pfc" });
    expect(reason(shared, "switch.bufferPackets")).toMatch(/share its memory/);
    expect(reason(scenario, "switch.sharedBufferBytes")).toMatch(/buffer of its own/);
    expect(reason(shared, "switch.sharedBufferBytes")).toBeNull();
    for (const path of ["switch.xonOffsetBytes", "switch.headroomBytes"]) {
      expect(reason(scenario, path)).toBe("No effect: switches send no pause frames.");
      expect(reason(shared, path)).not.toBeNull();
      expect(reason(pfc, path)).toBeNull();
      expect(reason(mended(scenario, path), path)).toBeNull();
    }
    expect(reason(pfc, "switch.xoffBytes")).toMatch(/follows the free memory/);
    expect(reason(mended(pfc, "switch.xoffBytes"), "switch.xoffBytes")).toBeNull();
  });

  it("want a class with a priority before packets are reserved for it", () => {
    expect(noEffectReason(scenario, "switch.urgentReservePackets")?.action?.label).toBe("Make High urgent");
    const urgent = mended(scenario, "switch.urgentReservePackets");
    expect(urgent.classes[0]?.priority).toBe(1);
    expect(reason(urgent, "switch.urgentReservePackets")).toBeNull();
  });

  it("want flows that begin anew before initial rates matter", () => {
    const rdma = all("dcqcn");
    expect(reason(rdma, "classes[0].dirs.enabled")).toMatch(/no flow of High begins anew/);
    const anew = mended(rdma, "classes[0].dirs.enabled");
    expect(anew.workloads[0]?.flows).toBe("per-request");
    expect(reason(anew, "classes[0].dirs.enabled")).toBeNull();
    expect(reason(anew, "transport.dirs.enabled")).toBeNull();
    expect(reason(anew, "classes[0].dirs.periodUs")).toMatch(/initial rates are those of the link/);
    expect(reason(mended(anew, "classes[0].dirs.periodUs"), "classes[0].dirs.periodUs")).toBeNull();
  });

  it("offer no flow per request to backlogged traffic, which has no requests", () => {
    const backlogged = having({ "workloads[0].traffic": { kind: "backlogged" } }, all("dcqcn"));
    expect(noEffectReason(backlogged, "classes[0].dirs.enabled")?.action).toBeUndefined();
  });

  it("want interference to be looked for before its tolerance matters", () => {
    expect(reason(scenario, "qos.interferenceTolerance")).toMatch(/do not look for interference/);
    const looking = mended(scenario, "qos.interferenceTolerance");
    expect(reason(looking, "qos.interferenceTolerance")).toBeNull();
  });

  it("say why: marking is off, with the way out", () => {
    const off = having({ "switch.marking": "off" });
    expect(noEffectReason(off, "switch.ecnThresholdPackets")?.action).toMatchObject({ value: "step" });
    expect(reason(off, "transport.gain")).toMatch(/nothing is marked/);
    expect(reason(off, "switch.markingPoint")).toBe("No effect: marking is off.");
    expect(reason(scenario, "switch.redMaximumPackets")).toMatch(/RED/);
  });

  it("say why the load of a class cannot be set", () => {
    const backlogged = having({ "workloads[0].traffic": { kind: "backlogged" } });
    expect(offeredNotes(backlogged)).toEqual([
      "Backlogged (High): there is always more to send.",
      "Closed loop (Medium, Low): a request is issued when an earlier one completes.",
    ]);
    const open = { kind: "open-loop", offeredGbps: 30, size: { kind: "fixed", bytes: 4096 } };
    expect(offeredNotes(having({ "workloads[0].traffic": open }))).not.toContainEqual(
      expect.stringContaining("High"),
    );
  });

  it("say what D2TCP does without a deadline", () => {
    const without = all("d2tcp");
    expect(missingTarget(without, 0)).toMatch(/does what DCTCP does/);
    expect(missingTarget(having({ "classes[0].latencyTargetUs": 800 }, without), 0)).toBeNull();
    expect(missingTarget(scenario, 0)).toBeNull();
  });
});
