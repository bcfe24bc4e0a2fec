import { describe, expect, it } from "vitest";
import {
  type Contract,
  capacityFor,
  contractOf,
  drawn,
  SCHEDULER,
  schedulerOf,
  sourceText,
  withFirstResponse,
  withOuterClass,
  withoutClass,
  withPromise,
} from "./contracts.ts";
import { setPath } from "./path.ts";
import { SCENARIOS } from "./presets.ts";
import type { Scenario } from "./types.ts";

const CONTRACT: Contract = [
  { burst: 16, rateIops: 320, responseUs: 50_000 },
  { burst: 32, rateIops: 320, responseUs: 500_000 },
  { burst: 64, rateIops: 320, responseUs: 5_000_000 },
];

const twoTenants = SCENARIOS["paper4-fig7-nested"] as Scenario;

const isNested = (contract: Contract): boolean =>
  contract.every((item, at) => {
    const inner = contract[at - 1];
    return (
      !inner ||
      (inner.burst <= item.burst && inner.rateIops <= item.rateIops && inner.responseUs <= item.responseUs)
    );
  });

describe("a contract", () => {
  it("takes its neighbours along where a class would leave the nest", () => {
    const grown = withPromise(CONTRACT, 0, { burst: 50 });
    expect(grown.map(({ burst }) => burst)).toEqual([50, 50, 64]);
    const shrunk = withPromise(CONTRACT, 2, { burst: 20 });
    expect(shrunk.map(({ burst }) => burst)).toEqual([16, 20, 20]);
    const slower = withPromise(CONTRACT, 1, { rateIops: 100 });
    expect(slower.map(({ rateIops }) => rateIops)).toEqual([100, 100, 320]);
    const later = withPromise(CONTRACT, 1, { responseUs: 9e6 });
    expect(later.map(({ responseUs }) => responseUs)).toEqual([50_000, 9e6, 9e6]);
    for (const contract of [grown, shrunk, slower, later]) expect(isNested(contract)).toBe(true);
  });

  it("stays within what the format allows, whatever a picture gives", () => {
    for (const value of [-5, 0, 1e-9, 2.5, 1e30]) {
      for (const part of ["burst", "rateIops", "responseUs"] as const) {
        const contract = withPromise(CONTRACT, 1, { [part]: value });
        expect(isNested(contract)).toBe(true);
        for (const { burst, rateIops, responseUs } of contract) {
          expect(Number.isInteger(burst) && burst >= 1 && burst <= 100_000).toBe(true);
          expect(Math.abs(100 * rateIops - Math.round(100 * rateIops))).toBeLessThan(1e-4);
          expect(rateIops).toBeGreaterThan(0);
          expect(responseUs).toBeGreaterThan(0);
        }
      }
    }
  });

  it("grows outwards and loses any class", () => {
    expect(withOuterClass([])).toHaveLength(1);
    const grown = withOuterClass(CONTRACT);
    expect(grown.at(-1)).toEqual({ burst: 128, rateIops: 320, responseUs: 50_000_000 });
    expect(withoutClass(CONTRACT, 1)).toEqual([CONTRACT[0], CONTRACT[2]]);
  });

  it("keeps its proportions when its first response time is another", () => {
    expect(withFirstResponse(CONTRACT, 25_000).map(({ responseUs }) => responseUs)).toEqual([
      25_000, 250_000, 2_500_000,
    ]);
  });

  it("is drawn with no more digits than a hand has", () => {
    expect(drawn(123.456)).toBe(123);
    expect(drawn(0.0123456)).toBe(0.0123);
  });
});

describe("the tenants of a scenario", () => {
  it("have the contracts that the document gives them", () => {
    expect(contractOf(twoTenants, 0)).toEqual(CONTRACT);
    expect(contractOf(twoTenants, 9)).toEqual([]);
  });

  it("need a capacity that is rounded up", () => {
    expect(capacityFor(twoTenants, 528, 528)).toBe(528);
    expect(capacityFor(twoTenants, 528, 527.93)).toBe(528);
    expect(capacityFor(twoTenants, 528, 527.99999999)).toBe(528);
    // Two devices of that capacity each.
    expect(capacityFor(twoTenants, 1056, 600)).toBe(300);
  });

  it("say where their requests come from", () => {
    expect(sourceText(twoTenants, 0)).toBe("WebSearch1, stand-in");
    expect(sourceText({ ...twoTenants, workloads: [] }, 0)).toBe("no workload");
  });

  it("are kept by the scheduler that the engine has under that name, if any", () => {
    const under = (scheduler: string) => schedulerOf(setPath(twoTenants, SCHEDULER, scheduler))?.title;
    expect([under("wf2q-plus"), under("nested"), under("none")]).toEqual(["WF²Q+", "Nested QoS", undefined]);
  });
});
