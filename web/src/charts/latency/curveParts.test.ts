import { describe, expect, it } from "vitest";
import { curveParts } from "./curveParts.ts";

const constant = new Float64Array([22.5995, 1, 22.6, 0]);

describe("a curve of equal latencies", () => {
  it("is drawn as vertical steps, dotted where too few requests remain", () => {
    const { solid, dotted } = curveParts(constant, 0.01);
    expect(solid.map(({ share }) => share)).toEqual([1, 0.01]);
    expect(dotted.map(({ share }) => share)).toEqual([0.01, 1e-5]);
    for (const { us } of [...solid, ...dotted]) expect(us).toBeCloseTo(22.6, 2);
  });

  it("is dotted from its beginning where there are few requests in all", () => {
    expect(curveParts(constant, 10)).toMatchObject({ solid: [], dotted: [{ share: 1 }, { share: 1e-5 }] });
  });
});
