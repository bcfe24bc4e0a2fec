import { describe, expect, it } from "vitest";
import cases from "../../../tests/hosts.json" with { type: "json" };
import { hostCount, hostNames, roles, sites } from "./topology.ts";
import type { Scenario, Shape } from "./types.ts";

/** The engine is tested by the same table: `wasm-core/crates/engine/tests/hosts.rs`. */
describe.each(cases)("hosts of $shape", ({ shape: given, servers = [], hosts, storage, pods, racks }) => {
  const shape = given as unknown as Shape;

  it("have the names that the engine gives them", () => {
    expect(hostNames(shape)).toEqual(hosts);
    expect(hostCount(shape)).toBe(hosts.length);
  });

  it("store where they do in the engine", () => {
    const scenario = { topology: { shape }, storage: { servers: servers.map((host) => ({ host })) } };
    const own = roles(scenario as Pick<Scenario, "topology" | "storage">);
    expect(hosts.filter((_, number) => own[number] === "storage")).toEqual(storage);
  });

  it.skipIf(!pods)("are in the racks and pods of the engine", () => {
    expect(sites(shape)).toEqual(hosts.map((_, number) => ({ pod: pods?.[number], rack: racks?.[number] })));
  });
});
