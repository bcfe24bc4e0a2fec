import { describe, expect, it } from "vitest";
import { neighbour, SPEEDS, speedText, usualSpeed } from "./speed.ts";

describe("speeds", () => {
  it("go up and down the menu and stay in it", () => {
    expect(neighbour(500, 1)).toBe(1000);
    expect(neighbour(500, -1)).toBe(200);
    expect(neighbour(Infinity, 1)).toBe(Infinity);
    expect(neighbour(SPEEDS[0] as number, -1)).toBe(SPEEDS[0]);
  });

  it("suit the length of a run", () => {
    expect(speedText(usualSpeed(6000))).toBe("0.5 ms per second");
    expect(speedText(usualSpeed(20_000))).toBe("1 ms per second");
    expect(speedText(usualSpeed(2e6))).toBe("100 ms per second");
  });
});
