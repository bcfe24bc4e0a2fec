import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Stretch, withInstant, withinRun } from "./timeRange.ts";
import { middleOf, panned, pinched, zoomed } from "./zooming.ts";

const bounds = { wholeUs: 6000, leastUs: 120 };
const whole: Stretch = [0, 6000];

describe("the stretch that the time axis shows", () => {
  it("keeps the instant it is zoomed around where it is", () => {
    expect(zoomed(whole, 0.5, 1500, bounds)).toEqual([750, 3750]);
    expect(zoomed([750, 3750], 2, 1500, bounds)).toBeNull();
  });

  it("is no shorter than what it may be, and no longer than the run", () => {
    expect(zoomed([1000, 1200], 0.01, 1100, bounds)).toEqual([1040, 1160]);
    expect(zoomed([5000, 5900], 4, 5900, bounds)).toEqual([2300, 5900]);
    expect(zoomed([5000, 5900], 4, 5000, bounds)).toEqual([2400, 6000]);
    expect(zoomed(whole, 0.5, 10, { wholeUs: 100, leastUs: 120 })).toBeNull();
  });

  it("goes on as far as the run reaches", () => {
    expect(panned([1000, 2000], 500, 6000)).toEqual([1500, 2500]);
    expect(panned([1000, 2000], 9000, 6000)).toEqual([5000, 6000]);
    expect(panned([1000, 2000], -9000, 6000)).toEqual([0, 1000]);
  });

  it("moves no further than it must to show an instant", () => {
    expect(withInstant([1000, 2000], 1500)).toEqual([1000, 2000]);
    expect(withInstant([1000, 2000], 2001)).toEqual([1001, 2001]);
    expect(withInstant([1000, 2000], 400)).toEqual([400, 1400]);
  });

  it("from a link is cut to the run that there is", () => {
    expect(withinRun([1000, 9000], 6000)).toEqual([1000, 6000]);
    expect(withinRun([0, 9000], 6000)).toBeNull();
    expect(withinRun([7000, 9000], 6000)).toBeNull();
    expect(withinRun(null, 6000)).toBeNull();
  });

  it("stays within the run whatever is done to it", () => {
    const act = fc.record({ factor: fc.double({ min: 0.01, max: 9, noNaN: true }), at: fc.nat(6000) });
    fc.assert(
      fc.property(fc.array(act), (acts) => {
        let range: Stretch = whole;
        for (const { factor, at } of acts) {
          range = zoomed(range, factor, at, bounds) ?? whole;
          range = panned(range, at - 3000, bounds.wholeUs) ?? whole;
          expect(range[0]).toBeGreaterThanOrEqual(0);
          expect(range[1]).toBeLessThanOrEqual(6000);
          expect(range[1] - range[0]).toBeGreaterThanOrEqual(bounds.leastUs - 0.002);
        }
      }),
    );
  });

  it("has the same instant between two fingers, and is as much shorter as they part", () => {
    const before = { at: 0.25, apart: 100 };
    expect(pinched([0, 6000], before, { at: 0.25, apart: 200 }, bounds)).toEqual([750, 3750]);
    expect(pinched([0, 6000], before, { at: 0.5, apart: 300 }, bounds)).toEqual([500, 2500]);
    expect(pinched([1000, 3000], before, { at: 0.25, apart: 50 }, bounds)).toEqual([500, 4500]);
  });

  it("goes along with one finger, no further than the run reaches", () => {
    const [before, back, on] = [0.5, 0.75, 0.1].map((at) => ({ at, apart: 24 }));
    if (!before || !back || !on) throw new Error("no fingers");
    expect(pinched([2000, 4000], before, back, bounds)).toEqual([1500, 3500]);
    expect(pinched([2000, 4000], before, on, bounds)).toEqual([2800, 4800]);
    expect(pinched([100, 2100], before, back, bounds)).toEqual([0, 2000]);
  });

  it("is no shorter under two fingers than the least, and the whole run where they come together", () => {
    const before = { at: 0.5, apart: 10 };
    expect(pinched([0, 6000], before, { at: 0.5, apart: 1e6 }, bounds)).toEqual([2940, 3060]);
    expect(pinched([1000, 3000], before, { at: 0.5, apart: 1 }, bounds)).toBeNull();
  });

  it("is zoomed around the playhead while that is in sight", () => {
    expect(middleOf([1000, 2000], 1200)).toBe(1200);
    expect(middleOf([1000, 2000], 5000)).toBe(1500);
  });
});
