import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pushApart } from "./pushApart.ts";

describe("labels pushed apart", () => {
  it("leaves labels with room where they are", () => {
    expect(pushApart([10, 50, 90], 15, 0, 100)).toEqual([10, 50, 90]);
  });

  it("moves neighbours symmetrically", () => {
    expect(pushApart([50, 50], 20, 0, 100)).toEqual([40, 60]);
    expect(pushApart([50, 50, 50], 15, 0, 100)).toEqual([35, 50, 65]);
  });

  it("stays within the plot and in order, at least one pitch apart", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -50, max: 250, noNaN: true }), { minLength: 1, maxLength: 8 }),
        (wanted) => {
          const places = pushApart(wanted, 15, 0, 200);
          const sorted = [...places].sort((a, b) => a - b);
          expect(sorted[0]).toBeGreaterThanOrEqual(-1e-6);
          expect(sorted.at(-1)).toBeLessThanOrEqual(200 + 1e-6);
          for (let i = 1; i < sorted.length; i++) {
            expect((sorted[i] as number) - (sorted[i - 1] as number)).toBeGreaterThanOrEqual(15 - 1e-6);
          }
          for (let a = 0; a < wanted.length; a++) {
            for (let b = 0; b < wanted.length; b++) {
              if ((wanted[a] as number) < (wanted[b] as number))
                expect(places[a]).toBeLessThan(places[b] as number);
            }
          }
        },
      ),
    );
  });
});
