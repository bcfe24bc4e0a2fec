import { describe, expect, it } from "vitest";
import { drawGutter, gutterLayout } from "./gutter.ts";
import { timePlot } from "./plot.ts";
import { SvgSurface } from "./surface.ts";
import { THEME } from "./testTheme.ts";
import { classStyle } from "./theme.ts";

const plot = timePlot(THEME, 744, 160, { left: 56, right: 120 }, [0, 1000]);

function drawn(count: number, height = 160): { x: number; y: number; text: string }[] {
  const surface = new SvgSurface(THEME);
  const at = timePlot(THEME, 744, height, { left: 56, right: 120 }, [0, 1000]);
  const entries = Array.from({ length: count }, (_, i) => ({
    style: classStyle(THEME, i),
    name: `Class ${i + 1}`,
    value: "12.3",
    detail: "target 12.0",
    y: at.bottom,
  }));
  drawGutter(surface, at, entries);
  const svg = surface.document(744, height, "#fff", "t", "d");
  return [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)".*?<\/text>/g)].map(([whole, x, y]) => ({
    x: Number(x),
    y: Number(y),
    text: whole.replace(/<[^>]+>/g, ""),
  }));
}

describe("the right gutter", () => {
  it("gives up second lines, then space, then values, and counts what is left", () => {
    expect(gutterLayout(3, 130, true)).toEqual({ columns: 1, pitch: 27, details: true, shown: 3 });
    expect(gutterLayout(8, 130, true)).toEqual({ columns: 1, pitch: 15, details: false, shown: 8 });
    expect(gutterLayout(10, 130, true)).toEqual({ columns: 1, pitch: 12.5, details: false, shown: 10 });
    expect(gutterLayout(16, 130, true)).toMatchObject({ columns: 2, shown: 16 });
    expect(gutterLayout(16, 70, true)).toMatchObject({ columns: 2, shown: 9 });
  });

  it.each([1, 3, 8, 12, 16])("keeps %i classes within the chart and apart", (count) => {
    for (const height of [92, 124, 160]) {
      const texts = drawn(count, height);
      expect(texts.length).toBeGreaterThan(0);
      for (const { x, y } of texts) {
        expect(y).toBeGreaterThan(10);
        expect(y).toBeLessThanOrEqual(height + 1);
        expect(x).toBeGreaterThan(plot.right);
        expect(texts.filter((other) => other.x === x && Math.abs(other.y - y) < 11)).toHaveLength(1);
      }
    }
  });

  it("names every one of 16 classes, or says how many it leaves out", () => {
    const names = drawn(16).map(({ text }) => text);
    expect(new Set(names.map((name) => name.replace(/^\D+/, ""))).size).toBe(16);
    expect(drawn(3).map(({ text }) => text)).toContain("Class 3");
    expect(drawn(16, 92).map(({ text }) => text)).toContain("+ 7");
  });
});
