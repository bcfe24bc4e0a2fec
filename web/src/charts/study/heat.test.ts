import { describe, expect, it } from "vitest";
import { cell, gridTable } from "../../answers/testStudy.ts";
import type { StudyTable } from "../../generated/answers.d.ts";
import { SvgSurface } from "../drawing/surface.ts";
import { THEME as theme } from "../drawing/testTheme.ts";
import { cellUnder, drawHeat, type HeatPicture, heatFrame, heatOf, heatSentence, nearest } from "./heat.ts";

const of = (table: StudyTable = gridTable, level: number | null = null) =>
  heatOf(table, { measure: 0, level });
const drawn = (picture: HeatPicture): string => {
  const surface = new SvgSurface(theme);
  drawHeat(surface, theme, 700, 300, picture);
  return surface.document(700, 300, "#fff", "t", "d");
};
const without = (place: number, refused: string | null): StudyTable => ({
  ...gridTable,
  points: gridTable.points.map((item, at) =>
    at === place ? { ...item, refused, seeds: 0, cells: [cell(null), cell(null), cell(null)] } : item,
  ),
});

describe("a heat map", () => {
  it("has the first factor across and the second upwards", () => {
    const { columns, rows, cells } = of();
    expect([columns, rows]).toEqual([
      [5, 20, 140],
      [1, 2, 3],
    ]);
    expect(cells).toEqual([0, 3, 6, 1, 4, 7, 2, 5, 8]);
  });

  it("writes its numbers into the cells, on dark ones in the colour of the paper", () => {
    const svg = drawn(of());
    for (const text of ["60", "71", "82"]) expect(svg).toContain(`>${text}<`);
    expect(svg).toMatch(/fill="#fff"[^>]*>82</);
    expect(svg).toMatch(/fill="#1a1a18"[^>]*>60</);
  });

  it("has its line through the value of the scenario, or where somebody put it", () => {
    expect(of().level).toEqual({ value: 72, title: "72.0 Gb/s, as now" });
    expect(of(gridTable, 65).level).toEqual({ value: 65, title: "65.0 Gb/s" });
    expect(heatSentence(of(gridTable, 65))).toContain("3 of 9 cells are at or below the line, 65.0 Gb/s");
    // Between the first row and the second along all columns.
    const level = drawn(of(gridTable, 65)).match(/d="([^"]+)"[^>]*stroke-width="2"/)?.[1];
    expect(level?.match(/M/g)).toHaveLength(3);
    expect(drawn(of(gridTable, 1000))).not.toMatch(/d="M[^"]+"[^>]*stroke-width="2"/);
  });

  it("has no line while the present value has not been run", () => {
    expect(of(without(7, null)).level).toBeNull();
  });

  it("hatches what is refused and rings what is still to run", () => {
    expect(drawn(of(without(0, "no")))).toContain("clip-path");
    expect(drawn(of(without(0, null)))).not.toContain("clip-path");
    expect(drawn(of(without(0, null)))).not.toContain(">60<");
  });

  it("finds the cell under a pointer", () => {
    const picture = of();
    const frame = heatFrame(700, 300, picture);
    expect(cellUnder(frame, picture, frame.left + 1, frame.bottom - 1)).toEqual([0, 0]);
    expect(cellUnder(frame, picture, frame.right - 1, frame.top + 1)).toEqual([2, 2]);
    expect(cellUnder(frame, picture, frame.left - 1, frame.top + 1)).toBeNull();
  });

  it("says in words where it is least and greatest", () => {
    expect(heatSentence(of())).toBe(
      "Heat map of Total throughput over K and Weight of high priority: least, 60.0 Gb/s, at K 5 packets and Weight of high priority 1; greatest, 82.0 Gb/s, at K 140 packets and Weight of high priority 3. 6 of 9 cells are at or below the line, 72.0 Gb/s, as now.",
    );
  });
});

describe("the value nearest to that of the scenario", () => {
  it("is so along its axis", () => {
    const k = gridTable.factors[0];
    if (!k) throw new Error("no factor");
    expect(nearest([100, 200], { ...k, present: 140, scale: "log" })).toBe(100);
    expect(nearest([100, 200], { ...k, present: 145, scale: "log" })).toBe(200);
    expect(nearest([100, 200], { ...k, present: 145, scale: "even" })).toBe(100);
    expect(nearest([100, 200], { ...k, present: null })).toBeUndefined();
    expect(nearest(["a", "b"], { ...k, isWords: true, present: "c" })).toBeUndefined();
  });
});
