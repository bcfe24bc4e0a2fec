import { describe, expect, it } from "vitest";
import { areaPath, linePath } from "./shape.ts";
import { SvgSurface } from "./surface.ts";
import { THEME } from "./testTheme.ts";

const surface = () => new SvgSurface(THEME);
const place = (_: number, index: number) => 10 * index;
const height = (value: number) => value;

describe("shapes on a surface", () => {
  it("are lines with gaps where there is no height", () => {
    const gaps = surface();
    linePath(gaps, [1, 2, Number.NaN, 4, 5], place, height);
    expect(gaps.currentPath).toBe("M0 1L10 2M30 4L40 5");
  });

  it("are lines with steps at their points", () => {
    const steps = surface();
    linePath(steps, [1, 2], place, height, true);
    expect(steps.currentPath).toBe("M0 1L10 1L10 2");
  });

  it("are areas between two heights", () => {
    const band = surface();
    areaPath(band, [1, 2], place, [(value) => value + 5, height]);
    expect(band.currentPath).toBe("M0 1L10 2L10 7L0 6z");
  });
});
