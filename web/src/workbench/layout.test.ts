import { describe, expect, it } from "vitest";
import { AXIS_HEIGHT, AXIS_SPACE, fabricRoom, type MainPaneHeights, mainPaneHeights } from "./layout.ts";

const total = ({ fabric, charts }: MainPaneHeights) =>
  charts.reduce((sum, height) => sum + height, fabric) + AXIS_HEIGHT + AXIS_SPACE;

describe("heights of the main pane", () => {
  it("are as drawn at 900 px", () => {
    expect(mainPaneHeights("desk", 780)).toEqual({ fabric: 324, charts: [160, 140, 124] });
  });

  it("fill the height exactly when there is more", () => {
    for (const height of [781, 960, 1320]) expect(total(mainPaneHeights("desk", height))).toBe(height);
  });

  it("take from the fabric first, then from the charts, never more than there is", () => {
    expect(mainPaneHeights("tablet", 720)).toEqual({ fabric: 264, charts: [160, 140, 124] });
    const small = mainPaneHeights("tablet", 648);
    expect(small.fabric - 244).toBeLessThan(small.charts.length);
    expect(total(small)).toBeLessThanOrEqual(648);
  });

  it("give the charts what the picture of a small dumbbell leaves", () => {
    const fills = fabricRoom({ kind: "dumbbell", senders: 3, receivers: 1 });
    for (const height of [780, 1280]) {
      const heights = mainPaneHeights("desk", height, fills);
      expect(total(heights)).toBe(height);
      expect(heights.fabric - fills).toBeLessThan(heights.charts.length);
    }
    expect(mainPaneHeights("column", 1280, fills).fabric).toBe(fills);
  });

  it("leave the fabric its share where its picture fills more", () => {
    for (const senders of [10, 128]) {
      const fills = fabricRoom({ kind: "dumbbell", senders, receivers: 1 });
      expect(mainPaneHeights("desk", 1280, fills)).toEqual(mainPaneHeights("desk", 1280));
    }
  });

  it("keep the charts readable however low the window", () => {
    expect(mainPaneHeights("desk", 300)).toMatchObject({ charts: [124, 100, 92] });
  });

  it("go to the one of fabric and charts that is shown alone", () => {
    expect(mainPaneHeights("desk", 500, undefined, { fabric: true, charts: false }).fabric).toBe(500);
    const alone = mainPaneHeights("desk", 500, undefined, { fabric: false, charts: true });
    expect(alone.fabric).toBe(0);
    expect(500 - total(alone)).toBeLessThan(alone.charts.length);
  });
});
