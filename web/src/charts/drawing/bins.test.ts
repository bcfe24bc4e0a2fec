import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binsOf, restlessness, type TimeFrame, trace, traceMean } from "./bins.ts";
import { createPolyline } from "./polyline.ts";

const identity = (value: number) => value;
const frameOf = (times: readonly number[], pixels: number): TimeFrame => {
  const scale = pixels / Math.max(times.at(-1) ?? 1, 1);
  return { left: 0, right: pixels, x: (us) => us * scale, timeAt: (x) => x / scale };
};
const points = (times: number[], values: number[], pixels: number) => {
  const line = createPolyline(4);
  const frame = frameOf(times, pixels);
  trace(line, binsOf({}, times, { key: "q", values }, times.length, frame), frame.x, identity);
  return Array.from(line.y.subarray(0, line.length));
};

describe("decimation", () => {
  it("keeps a spike of one sample among thousands", () => {
    const times = Array.from({ length: 20_000 }, (_, i) => i);
    const values = times.map((i) => (i === 12_345 ? 500 : 10));
    const kept = points(times, values, 500);
    expect(kept).toContain(500);
    expect(kept.length).toBeLessThan(3 * 501);
  });

  it("keeps the extremes of any series and at most three points per pixel column", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 2, maxLength: 800 }),
        (values) => {
          const times = values.map((_, i) => i);
          const kept = points(times, values, 40);
          expect(kept.length).toBeLessThanOrEqual(3 * 41);
          // Within the two pixels under which a column counts as flat.
          expect(Math.max(...values) - Math.max(...kept)).toBeLessThanOrEqual(2);
          expect(Math.min(...kept) - Math.min(...values)).toBeLessThanOrEqual(2);
        },
      ),
    );
  });

  it("leaves every sample alone where there is a pixel for each", () => {
    expect(points([0, 1, 2, 3], [5, 1, 9, 2], 300)).toEqual([5, 1, 9, 2]);
  });

  it("goes on to the samples beside a stretch, or its line would end before the edge", () => {
    const times = [0, 10, 20, 30, 40, 50];
    const frame = { left: 0, right: 20, x: (us: number) => us - 15, timeAt: (x: number) => x + 15 };
    const line = createPolyline(4);
    trace(line, binsOf({}, times, { key: "q", values: [1, 2, 3, 4, 5, 6] }, 6, frame), frame.x, identity);
    expect(Array.from(line.x.subarray(0, line.length))).toEqual([-5, 5, 15, 25]);
    expect(Array.from(line.y.subarray(0, line.length))).toEqual([2, 3, 4, 5]);
  });

  it("keeps a gap as a gap", () => {
    expect(points([0, 1, 2, 3], [5, Number.NaN, 9, 2], 3).some(Number.isNaN)).toBe(true);
  });
});

describe("bins", () => {
  it("take in only what is new, and give what all samples at once give", () => {
    const times = Array.from({ length: 5000 }, (_, i) => i);
    const values = times.map((i) => Math.sin(i / 7) * 40 + (i % 13));
    const frame = frameOf(times, 300);
    const owner = {};
    let looked = 0;
    const counting = new Proxy(values, {
      get: (target, name) => {
        if (typeof name === "string" && /^\d+$/.test(name)) looked++;
        return Reflect.get(target, name);
      },
    });
    for (let n = 0; n <= times.length; n += 250)
      binsOf(owner, times, { key: "q", values: counting }, n, frame);
    expect(looked).toBe(times.length);
    expect(binsOf(owner, times, { key: "q", values }, times.length, frame)).toEqual(
      binsOf({}, times, { key: "q", values }, times.length, frame),
    );
  });

  it("begin anew when samples are taken back or the plot changes", () => {
    const times = [0, 10, 20, 30];
    const owner = {};
    const all = { key: "q", values: [1, 2, 3, 99] };
    binsOf(owner, times, all, 4, frameOf(times, 100));
    expect(Math.max(...binsOf(owner, times, all, 3, frameOf(times, 100)).max)).toBe(3);
    expect(binsOf(owner, times, all, 3, frameOf(times, 50)).columns).toBe(51);
  });

  it("give the mean of the last columns, each sample counting once", () => {
    const times = Array.from({ length: 100 }, (_, i) => i);
    const values = times.map((i) => (i % 2 === 0 ? 0 : 10));
    const frame = frameOf(times, 99);
    const line = traceMean(
      createPolyline(),
      binsOf({}, times, { key: "q", values }, 100, frame),
      10,
      frame.x,
      identity,
    );
    expect(Array.from(line.y.subarray(20, line.length)).every((y) => Math.abs(y - 5) < 1e-9)).toBe(true);
  });

  it("tell a thicket from a line", () => {
    const times = Array.from({ length: 400 }, (_, i) => i);
    const frame = frameOf(times, 200);
    const of = (values: number[]) =>
      restlessness(binsOf({}, times, { key: "q", values }, 400, frame), identity);
    expect(of(times.map(() => 50))).toBe(0);
    expect(of(times.map((i) => i / 4))).toBeLessThan(2);
    expect(of(times.map((i) => (i % 4 < 2 ? 0 : 80)))).toBeGreaterThan(40);
  });
});
