import { describe, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import type { RunState } from "../../engine/run/runState.ts";
import type { Session } from "../../engine/run/session.ts";
import { createScenarioStore } from "../../scenario/store.ts";
import type { Scenario } from "../../scenario/types.ts";
import { exploreView } from "../state/exploreView.ts";
import { Views } from "../view/views.ts";
import { followTime } from "./followTime.ts";

/** A run at an instant whose charts follow it. */
function following(nowUs: number, phase: RunState["phase"] = "running") {
  const run = createStore<Pick<RunState, "nowUs" | "phase">>()(() => ({ nowUs, phase }));
  const store = createScenarioStore({ name: "any" } as Scenario);
  const views = new Views([exploreView]);
  followTime({ run, store } as unknown as Session, views, exploreView);
  return {
    run,
    store,
    choose: (time: readonly [number, number] | null) => views.change(exploreView, { time }),
    time: () => views.stateOf(exploreView).time,
  };
}

describe("the stretch that is shown", () => {
  it("goes on with the playhead that was in sight, which stands at its end", () => {
    const { run, choose, time } = following(1500);
    choose([1000, 2000]);
    run.setState({ nowUs: 1900 });
    expect(time()).toEqual([1000, 2000]);
    run.setState({ nowUs: 2300 });
    run.setState({ nowUs: 2400 });
    expect(time()).toEqual([1400, 2400]);
  });

  it("stays where a person has gone away from the playhead to", () => {
    const { run, choose, time } = following(1500);
    choose([1000, 2000]);
    choose([3000, 4000]);
    run.setState({ nowUs: 4500 });
    expect(time()).toEqual([3000, 4000]);
  });

  it("goes back with a playhead that is put there, but waits for a run that begins anew", () => {
    const { run, choose, time } = following(1500);
    choose([1000, 2000]);
    run.setState({ nowUs: 0 });
    expect(time()).toEqual([1000, 2000]);
    run.setState({ nowUs: 400, phase: "loading" });
    expect(time()).toEqual([1000, 2000]);
    run.setState({ nowUs: 600, phase: "paused" });
    expect(time()).toEqual([600, 1600]);
  });

  it("is all of another scenario", () => {
    const { store, choose, time } = following(1500);
    choose([1000, 2000]);
    store.getState().open({ name: "another" } as Scenario);
    expect(time()).toBeNull();
  });
});
