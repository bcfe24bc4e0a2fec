import { describe, expect, it } from "vitest";
import { SvgSurface } from "../drawing/surface.ts";
import { THEME } from "../drawing/testTheme.ts";
import {
  type ArrivalCurve,
  arrivalFrame,
  arrivalSentence,
  drawArrivals,
  HANDLE_PITCH,
  handlePlaces,
  heightOf,
  through,
  valueAt,
} from "./arrivals.ts";

const GUTTERS = { left: 56, right: 120 };
const [WIDTH, HEIGHT] = [744, 260];

const curve = (axes: ArrivalCurve["axes"]): ArrivalCurve => ({
  axes,
  kindIndex: 0,
  name: "WebSearch",
  points: [
    [1000, 3],
    [10_000, 20],
    [100_000, 60],
    [1e6, 400],
    [1e7, 3500],
  ],
  contract: [
    { burst: 16, rateIops: 320, responseUs: 50_000 },
    { burst: 32, rateIops: 320, responseUs: 500_000 },
  ],
  serverIops: 528,
  fromUs: axes === "window" ? 1000 : 0,
  toUs: 1e7,
});

describe.each(["window", "time"] as const)("the picture of arrivals by %s", (axes) => {
  const data = curve(axes);
  const plot = arrivalFrame(WIDTH, HEIGHT, GUTTERS, data);

  it("goes back from pixels to what they stand for", () => {
    for (const us of [2000, 1e5, 3e6]) expect(plot.x.scale.invert(plot.x.scale(us)) / us).toBeCloseTo(1, 9);
    for (const requests of [2, 40, 900])
      expect(plot.y.scale.invert(heightOf(plot, requests)) / requests).toBeCloseTo(1, 9);
  });

  it("has room for every request", () => {
    for (const [us, requests] of data.points) {
      expect(plot.x.scale(us)).toBeLessThanOrEqual(plot.right + 1e-9);
      expect(heightOf(plot, requests)).toBeGreaterThanOrEqual(plot.top);
    }
  });

  it("puts handles on the lines of their buckets, none on another", () => {
    const handles = handlePlaces(plot, data.contract, HANDLE_PITCH.fine);
    expect(handles).toHaveLength(4);
    for (const { at, x, y } of handles) {
      const item = data.contract[at] as (typeof data.contract)[number];
      expect(y).toBeCloseTo(
        Math.max(plot.top, Math.min(plot.bottom, heightOf(plot, through(item, plot.x.scale.invert(x))))),
        6,
      );
    }
    for (const one of handles)
      for (const other of handles)
        if (one !== other) expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThanOrEqual(24);
  });

  it("gives back the value of a handle that is not moved", () => {
    for (const { at, part, x, y } of handlePlaces(plot, data.contract, HANDLE_PITCH.fine)) {
      const item = data.contract[at] as (typeof data.contract)[number];
      if (y > plot.top && y < plot.bottom) expect(valueAt(plot, item, part, x, y)).toBeCloseTo(item[part], 3);
    }
  });

  it("gives no burst below one request and no rate below nothing, however low it is drawn", () => {
    for (const item of data.contract) {
      expect(valueAt(plot, item, "burst", plot.left, 1e4)).toBeGreaterThanOrEqual(1);
      expect(valueAt(plot, item, "rateIops", plot.right, 1e4)).toBeGreaterThan(0);
    }
  });

  it("is drawn without a number that is none", () => {
    const surface = new SvgSurface(THEME);
    drawArrivals(surface, THEME, WIDTH, HEIGHT, GUTTERS, data);
    const document = surface.document(WIDTH, HEIGHT, "#fff", "Arrivals", "");
    expect(document).not.toMatch(/NaN|Infinity/);
    expect(document).toContain("WebSearch");
    expect(document).toContain("16 + 320/s");
    expect(document).toContain("server 528/s");
  });

  it("is told in words", () => {
    expect(arrivalSentence(data)).toContain("class 1 takes bursts of 16 and 320 requests a second");
    expect(arrivalSentence({ ...data, contract: [] })).toContain("Nothing is promised");
  });
});
