import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/presets/three-writers.json";
import { firstScenario } from "./first.ts";
import type { Server } from "./reshape.ts";
import {
  devicesOf,
  serversOf,
  withDevice,
  withDevicePart,
  withoutDevice,
  withoutServer,
  withServer,
  withServerHost,
  workloadsAt,
} from "./servers.ts";
import type { Scenario } from "./types.ts";

const unlisted = threeWriters as unknown as Scenario;
const hosts = (scenario: Scenario) => serversOf(scenario).map(({ host }) => host);

describe("storage servers", () => {
  it("are those of the list, or the ones that the shape makes", () => {
    expect(hosts(firstScenario)).toEqual(["h12"]);
    expect(hosts(unlisted)).toEqual(["h8", "h9", "h10", "h11", "h12", "h13", "h14", "h15"]);
  });

  it("are listed from the first change on, with the others as they were", () => {
    expect(hosts(withoutServer(unlisted, 0))).toEqual(["h9", "h10", "h11", "h12", "h13", "h14", "h15"]);
    expect(hosts(withDevice(unlisted, 0, "ssd"))).toEqual(hosts(unlisted));
  });

  it("come to a host that is a target already, or else to one that issues nothing", () => {
    expect(hosts(withServer(firstScenario) as Scenario)).toEqual(["h12", "h1"]);
    const moved = { ...firstScenario, storage: { ...firstScenario.storage, servers: [{ host: "h3" }] } };
    expect(hosts(withServer(moved as Scenario) as Scenario)).toEqual(["h3", "h12"]);
  });

  it("are no more than there are hosts", () => {
    let all: Scenario | null = firstScenario;
    let count = 0;
    for (let next = withServer(all); next; next = withServer(next)) {
      all = next;
      count++;
    }
    expect(count).toBe(15);
    expect(new Set(hosts(all)).size).toBe(16);
  });

  it("move with the workloads that go to them, and keep all else that the scenario says of storage", () => {
    const moved = withServerHost(withDevice(firstScenario, 0, "ssd"), 0, "h15");
    expect(hosts(moved)).toEqual(["h15"]);
    expect(devicesOf(serversOf(moved)[0] as Server)).toHaveLength(2);
    expect(workloadsAt(moved, "h12")).toEqual([]);
    expect(workloadsAt(moved, "h15")).toEqual([0, 1, 2]);
    expect(moved.storage?.ssd).toEqual(firstScenario.storage?.ssd);
  });
});

describe("devices of a server", () => {
  const devices = (scenario: Scenario) => devicesOf(serversOf(scenario)[0] as Server);

  it("are one SSD where none are listed, and stay at least one", () => {
    expect(devices(firstScenario)).toEqual([{ name: "ssd", kind: "ssd" }]);
    expect(withoutDevice(firstScenario, 0, 0)).toBe(firstScenario);
  });

  it("come under free names, of either kind", () => {
    const more = (["ssd", "persistent-memory", "ssd"] as const).reduce(
      (scenario, kind) => withDevice(scenario, 0, kind),
      firstScenario,
    );
    expect(devices(more).map(({ name }) => name)).toEqual(["ssd", "ssd0", "pm0", "ssd1"]);
    const fewer = withoutDevice(more, 0, 1);
    expect(devices(withDevice(fewer, 0, "ssd")).map(({ name }) => name)).toEqual([
      "ssd",
      "pm0",
      "ssd1",
      "ssd0",
    ]);
  });

  it("take another name or kind", () => {
    const renamed = withDevicePart(firstScenario, 0, 0, { name: "fast" });
    expect(devices(withDevicePart(renamed, 0, 0, { kind: "persistent-memory" }))).toEqual([
      { name: "fast", kind: "persistent-memory" },
    ]);
  });
});
