import { describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { follow } from "./follower.ts";
import type { RunState } from "./runState.ts";
import type { Session } from "./session.ts";

type Part = Pick<RunState, "nowUs" | "phase" | "durationUs">;

function session(part: Partial<Part> = {}) {
  const run = createStore<Part>()(() => ({ nowUs: 0, phase: "paused", durationUs: 100, ...part }));
  const seek = vi.fn();
  return { session: { run, seek } as unknown as Session, run, seek };
}

describe("a run that follows another", () => {
  it("goes where the other stands, once it has come to where it was going", () => {
    const [lead, own] = [session(), session()];
    follow(own.session, lead.session);
    lead.run.setState({ nowUs: 10 });
    lead.run.setState({ nowUs: 20 });
    lead.run.setState({ nowUs: 30 });
    expect(own.seek.mock.calls).toEqual([[10]]);
    own.run.setState({ nowUs: 10 });
    expect(own.seek.mock.calls).toEqual([[10], [30]]);
  });

  it("goes back with it, and no further than to its own end", () => {
    const [lead, own] = [session({ nowUs: 500, durationUs: 1000 }), session()];
    follow(own.session, lead.session);
    expect(own.seek.mock.calls).toEqual([[100]]);
    own.run.setState({ nowUs: 100, phase: "ended" });
    lead.run.setState({ nowUs: 600 });
    expect(own.seek).toHaveBeenCalledTimes(1);
    lead.run.setState({ nowUs: 40 });
    expect(own.seek.mock.calls).toEqual([[100], [40]]);
  });

  it("waits while it is laid out, and stops when told to", () => {
    const [lead, own] = [session({ nowUs: 50 }), session({ phase: "loading" })];
    const stop = follow(own.session, lead.session);
    expect(own.seek).not.toHaveBeenCalled();
    own.run.setState({ phase: "paused" });
    expect(own.seek.mock.calls).toEqual([[50]]);
    stop();
    own.run.setState({ nowUs: 50 });
    lead.run.setState({ nowUs: 60 });
    expect(own.seek).toHaveBeenCalledTimes(1);
  });
});
