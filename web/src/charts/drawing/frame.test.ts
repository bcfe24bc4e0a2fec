import { describe, expect, it } from "vitest";
import { amountAxis, linearAxis, logAxis, timeAxis } from "./axis.ts";
import { boxOf, drawFrame, frameOf, placedLabels } from "./frame.ts";
import { roomFor } from "./letters.ts";
import { SvgSurface } from "./surface.ts";
import { THEME } from "./testTheme.ts";

const MARGINS = { left: 60, right: 20, top: 10, bottom: 30 };

describe("the frame of a plot", () => {
  it("has the room that its margins leave, and never none", () => {
    expect(boxOf(400, 200, MARGINS)).toMatchObject({ left: 60, right: 380, top: 10, bottom: 170 });
    expect(boxOf(10, 10, MARGINS)).toMatchObject({ left: 60, right: 61, top: 10, bottom: 11 });
  });

  it("draws labels of both axes beside its plot, and a hairline at each labelled value", () => {
    const frame = frameOf(
      boxOf(400, 200, MARGINS),
      (range) => timeAxis([0, 4000], range),
      (range) => amountAxis(60, range),
    );
    const surface = new SvgSurface(THEME);
    drawFrame(surface, THEME, frame);
    const svg = surface.picture(400, 200);
    const texts = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)".*?<\/text>/g)];
    const textsLeft = texts.filter(([, x]) => Number(x) < frame.left);
    expect(textsLeft.map(([text]) => text.replace(/<[^>]+>/g, ""))).toEqual(["0", "20", "40", "60"]);
    const textsBelow = texts.filter(([, , y]) => Number(y) > frame.bottom + 5);
    expect(textsBelow.map(([text]) => text.replace(/<[^>]+>/g, "")).at(-1)).toBe("4 ms");
    expect(svg.match(new RegExp(`stroke="${THEME.line}"`, "g"))).toHaveLength(4);
  });
});

describe("labels of a lower axis", () => {
  it("stay apart and within the drawing, the last one always", () => {
    for (const width of [120, 200, 400, 900]) {
      for (const axis of [
        logAxis([1, 100_000], [60, width - 4], 20),
        linearAxis([0, 1_000_000], [60, width - 4], 12),
      ]) {
        const placed = placedLabels(axis, width, roomFor);
        expect(placed.at(-1)?.text).toBe(axis.ticks.findLast(({ label }) => label !== "")?.label);
        placed.forEach(({ x, text }, i) => {
          const next = placed[i + 1];
          expect(x + roomFor(text) / 2).toBeLessThanOrEqual(
            next ? next.x - roomFor(next.text) / 2 - 8 : width,
          );
        });
      }
    }
  });
});
