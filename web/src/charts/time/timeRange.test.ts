import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Stretch, withInstant, withinRun } from "./timeRange.ts";
import { middleOf, panned, zoomed } from "./zooming.ts";

const bounds = { wholeUs: 6000, minUs: 120 };
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
    expect(zoomed(whole, 0.5, 10, { wholeUs: 100, minUs: 120 })).toBeNull();
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
          expect(range[1] - range[0]).toBeGreaterThanOrEqual(bounds.minUs - 0.002);
        }
      }),
    );
  });

  it("is zoomed around the playhead while that is in sight", () => {
    expect(middleOf([1000, 2000], 1200)).toBe(1200);
    expect(middleOf([1000, 2000], 5000)).toBe(1500);
  });
});
