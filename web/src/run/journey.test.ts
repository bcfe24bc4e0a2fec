import { describe, expect, it } from "vitest";
import { endUs, type Journey, spotsAt, workAt } from "./journey.ts";
import { lanesOf } from "./journeyLanes.ts";
import type { RunLayout } from "./types.ts";

const node = (name: string) => ({ name, kind: "host", tier: 0, pod: -1, index: 0, storage: false }) as const;
const layout = {
  stages: [],
  devices: [{ node: 2, name: "ssd0", kind: "ssd", channels: 1, units: 4, sampledByUnit: true }],
  graph: {
    nodes: [node("h0"), node("s"), node("h1")],
    links: [
      { from: 0, to: 1, gbps: 10 },
      { from: 1, to: 0, gbps: 10 },
      { from: 1, to: 2, gbps: 10 },
      { from: 2, to: 1, gbps: 10 },
    ],
    flows: [],
    bottleneck: -1,
  },
} as unknown as RunLayout;

const hop = (link: number, joinedUs: number, beginsUs: number) => ({
  link,
  joinedUs,
  found: 0,
  beginsUs,
  departsUs: beginsUs + 1,
  arrivesUs: beginsUs + 6,
});
const packet = { bytes: 100, again: false, marked: false, lost: false, heldUs: 0 };

/** A read: its command waits in the switch, its data come back after the flash unit has read. */
const read: Journey = {
  class: 0,
  reads: true,
  bytes: 4096,
  from: 0,
  to: 2,
  of: 1,
  slowerThan: 0,
  moments: {
    issuedUs: 100,
    sentUs: 102,
    arrivedUs: 118,
    submittedUs: 118,
    fetchedUs: 119,
    startedUs: 120,
    servedUs: 175,
    returnedUs: 175,
    doneUs: 187,
    answeredUs: 187,
  },
  stagesUs: null,
  packets: [
    { ...packet, leg: "command", hops: [hop(0, 102, 102), hop(2, 108, 112)] },
    { ...packet, leg: "data", hops: [hop(3, 175, 175), hop(1, 181, 181)] },
  ],
  packetsLeftOut: 0,
  pages: [
    {
      device: 0,
      unit: 3,
      writes: false,
      waitsUs: 119,
      commandUs: 125,
      arrayUs: [126, 166],
      transferUs: [170, 174],
    },
  ],
};

describe("a request that was followed", () => {
  it("has a lane for every place, in the order in which it came there", () => {
    const lanes = lanesOf(read, layout);
    expect(lanes.map(({ title, part }) => [title, part])).toEqual([
      ["h0, host queue", "host"],
      ["h0 to s", "out"],
      ["s to h1", "out"],
      ["Submission queue", "target"],
      ["Flash unit 3", "target"],
      ["h1 to s", "back"],
      ["s to h0", "back"],
    ]);
    expect(lanes[2]?.bars.map(({ kind, fromUs, toUs }) => [kind, fromUs, toUs])).toEqual([
      ["wait", 108, 112],
      ["work", 112, 113],
      ["wire", 113, 118],
    ]);
    expect(lanes[4]?.bars.map(({ kind, fromUs, toUs }) => [kind, fromUs, toUs])).toEqual([
      ["wait", 119, 125],
      ["wire", 125, 126],
      ["work", 126, 166],
      ["wait", 166, 170],
      ["wire", 170, 174],
    ]);
  });

  it("is somewhere at every instant between its first byte and its last", () => {
    expect(spotsAt(read, 101)).toEqual([]);
    expect(spotsAt(read, 105)).toEqual([{ link: 0, along: 0.5, packet: 0 }]);
    expect(spotsAt(read, 110)).toEqual([{ link: 2, along: 0, packet: 0 }]);
    expect(spotsAt(read, 130)).toEqual([]);
    expect(spotsAt(read, 184)).toEqual([{ link: 1, along: 0.5, packet: 1 }]);
    expect([100, 118.5, 122, 125.5, 140, 168, 172, 180].map((us) => workAt(read, us))).toEqual([
      null,
      "in the submission queue",
      "waiting for flash",
      "on the channel",
      "read in flash unit 3",
      "in the device",
      "on the channel",
      null,
    ]);
    expect(endUs(read)).toBe(187);
  });

  it("ends with what is known where the run ends before it", () => {
    const moments = { ...read.moments, servedUs: null, returnedUs: null, doneUs: null, answeredUs: null };
    const cut = { ...read, moments, packets: read.packets.slice(0, 1) };
    expect(endUs(cut)).toBe(174);
    expect(lanesOf(cut, layout).map(({ part }) => part)).not.toContain("back");
  });

  it("shares a lane among the flash units beyond the first", () => {
    const pages = Array.from({ length: 40 }, (_, unit) => ({
      ...(read.pages[0] as Journey["pages"][0]),
      unit,
    }));
    const units = lanesOf({ ...read, pages }, layout).filter(({ title }) => /flash unit/i.test(title));
    expect(units).toHaveLength(12);
    expect(units.at(-1)?.title).toBe("Other flash units");
    expect(units.flatMap(({ bars }) => bars)).toHaveLength(200);
  });
});
