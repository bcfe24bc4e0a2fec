import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { RunState } from "../../engine/runState.ts";
import type { Session } from "../../engine/session.ts";
import { tellState } from "./embedHost.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A run played by the test, and what the host has been told of it. */
function setUp() {
  const run = createStore(() => ({ phase: "paused", nowUs: 0 }) as RunState);
  const told: string[] = [];
  tellState({ run } as Pick<Session, "run">, ({ phase, timeUs }) => told.push(`${phase} ${timeUs}`));
  return { run, told };
}

it("every phase is told at once, and time four times a second", () => {
  const { run, told } = setUp();
  run.setState({ phase: "running" });
  for (let us = 1; us <= 100; us++) {
    run.setState({ nowUs: us });
    vi.advanceTimersByTime(10);
  }
  run.setState({ phase: "ended", nowUs: 101 });
  vi.advanceTimersByTime(1000);
  expect(told).toEqual([
    "paused 0",
    "running 0",
    "running 25",
    "running 50",
    "running 75",
    "running 100",
    "ended 101",
  ]);
});

it("what else changes of a run is not told", () => {
  const { run, told } = setUp();
  run.setState({ tick: 1 });
  vi.advanceTimersByTime(1000);
  expect(told).toEqual(["paused 0"]);
});
