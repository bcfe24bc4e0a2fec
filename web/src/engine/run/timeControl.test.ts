import { describe, expect, it } from "vitest";
import {
  isMoving,
  reduceTime,
  startTime,
  type TimeCommand,
  type TimeControl,
  targetUs,
} from "./timeControl.ts";

/** 6 ms long, 500 us per second. */
const fresh = startTime(6000, 500, 0);
const reduced = (state: TimeControl, ...commands: TimeCommand[]) => commands.reduce(reduceTime, state);

describe("time control", () => {
  it("follows the wall clock at the chosen speed while running", () => {
    const running = reduced(fresh, { kind: "play", ms: 1000 });
    expect(targetUs(running, 1000)).toBe(0);
    expect(targetUs(running, 1020)).toBeCloseTo(10);
    expect(targetUs(running, 1e9)).toBe(6000);
  });

  it("stands still while paused", () => {
    const paused = reduced(
      fresh,
      { kind: "play", ms: 0 },
      { kind: "reached", nowUs: 10, ms: 20 },
      { kind: "pause" },
    );
    expect(targetUs(paused, 5000)).toBe(10);
    expect(isMoving(paused)).toBe(false);
  });

  it("does not make up for the time it was paused", () => {
    const again = reduced(
      fresh,
      { kind: "play", ms: 0 },
      { kind: "reached", nowUs: 10, ms: 20 },
      { kind: "pause" },
      { kind: "play", ms: 9000 },
    );
    expect(targetUs(again, 9020)).toBeCloseTo(20);
  });

  it("steps by a stretch and pauses; steps add up", () => {
    const stepping = reduced(fresh, { kind: "step", us: 25 }, { kind: "step", us: 25 });
    expect(targetUs(stepping, 0)).toBe(50);
    const done = reduced(stepping, { kind: "reached", nowUs: 50, ms: 1 });
    expect(done).toMatchObject({ phase: "paused", nowUs: 50, ahead: null });
  });

  it("steps no further than the end", () => {
    const last = reduced(fresh, { kind: "reached", nowUs: 5990, ms: 0 }, { kind: "step", us: 25 });
    expect(targetUs(last, 0)).toBe(6000);
    expect(reduced(last, { kind: "reached", nowUs: 6000, ms: 0 }).phase).toBe("ended");
  });

  it("jumps ahead at full speed and goes on as before", () => {
    const jumping = reduced(fresh, { kind: "play", ms: 0 }, { kind: "jump", toUs: 3000, ms: 0 });
    expect(targetUs(jumping, 1)).toBe(3000);
    const there = reduced(jumping, { kind: "reached", nowUs: 3000, ms: 40 });
    expect(there.phase).toBe("running");
    expect(targetUs(there, 60)).toBeCloseTo(3010);
  });

  it("changes speed from now on", () => {
    const faster = reduced(
      fresh,
      { kind: "play", ms: 0 },
      { kind: "reached", nowUs: 500, ms: 1000 },
      { kind: "speed", speed: 5000, ms: 1000 },
    );
    expect(targetUs(faster, 1020)).toBeCloseTo(600);
    expect(targetUs(reduced(faster, { kind: "speed", speed: Infinity, ms: 1000 }), 1020)).toBe(6000);
  });

  it("forgets a debt that the engine cannot pay", () => {
    const slow = reduced(fresh, { kind: "play", ms: 0 }, { kind: "reached", nowUs: 1, ms: 1000 });
    expect(targetUs(slow, 1010)).toBeCloseTo(6);
  });

  it("ends for good", () => {
    const ended = reduced(fresh, { kind: "play", ms: 0 }, { kind: "reached", nowUs: 6000, ms: 1 });
    expect(reduced(ended, { kind: "play", ms: 2 }, { kind: "step", us: 25 }).phase).toBe("ended");
    expect(isMoving(ended)).toBe(false);
  });

  it("is held while a value is chosen, and makes up for none of it", () => {
    const running = reduced(fresh, { kind: "play", ms: 0 }, { kind: "reached", nowUs: 10, ms: 20 });
    const held = reduceTime(running, { kind: "hold", on: true, ms: 20 });
    expect(isMoving(held)).toBe(false);
    expect(targetUs(held, 5000)).toBe(10);
    expect(held.phase).toBe("running");
    const again = reduceTime(held, { kind: "hold", on: false, ms: 5000 });
    expect(isMoving(again)).toBe(true);
    expect(targetUs(again, 5020)).toBeCloseTo(20);
  });
});
