import { describe, expect, it } from "vitest";
import type { Session } from "../../engine/run/session.ts";
import type { Scenario } from "../../scenario/types.ts";
import type { LessonEngine, LessonStep, Told } from "../../workbench/lesson/lesson.ts";
import { Player } from "./player.ts";

const step = (kind: string, run?: string, more = {}) =>
  ({ kind, title: `${kind} ${run ?? ""}`, text: "", ...(run && { run }), ...more }) as LessonStep;

const STEPS = [
  step("read", "one"),
  step("read"),
  step("predict", undefined, { question: {}, explain: "" }),
  step("challenge", "two", { controls: [{ path: "switch.ecnThresholdPackets" }] }),
  step("compare", undefined, { runs: ["one", "two"] }),
];

interface Job {
  readonly id: string;
}

type Outcome = { readonly json: string } | { readonly failure: string };

/** A player whose runs are ended by the test. */
function lesson(needs: readonly (readonly string[])[] = STEPS.map(() => []), isWithheld = false) {
  /** What the engine is given, in order. */
  const puts: string[] = [];
  const jobs: string[] = [];
  const begun: { scenario: Scenario; start: string; free: readonly string[]; restarts: boolean }[] = [];
  const over: Session[] = [];
  let ended: (job: Job, outcome: Outcome) => void = () => {};
  const play = {
    lesson: { runs: [{ name: "one" }, { name: "two" }, { name: "swept" }], steps: STEPS },
    needs: (at: number) => needs[at] ?? [],
    scenarios: async (name: string) =>
      (name === "swept" ? [1, 2] : [1]).map((value) => ({ name: `${name}${value}` }) as unknown as Scenario),
    model: async () => {},
    put: async (name: string, summaries: readonly object[]) => {
      puts.push(`${name} ${JSON.stringify(summaries)}`);
    },
    tryOut: async (at: number, summary: object) => {
      puts.push(`step ${at} ${JSON.stringify(summary)}`);
    },
    forgetTry: async () => {
      puts.push("forget");
    },
    told: async (at: number) => ({ title: `told ${at}`, goals: [] }) as unknown as Told,
    end() {},
  } as unknown as LessonEngine;
  const player = new Player(
    play,
    null,
    (scenario, how) => {
      begun.push({ scenario, ...how });
      const session = {
        scenario,
        store: { getState: () => ({ history: { past: [] } }) },
        end: () => over.push(session),
      } as unknown as Session;
      return session;
    },
    (done) => {
      ended = done as typeof ended;
      return {
        add: (all: readonly Job[]) => jobs.push(...all.map(({ id }) => id)),
        reset() {},
      };
    },
    isWithheld,
  );
  return {
    player,
    puts,
    jobs,
    begun,
    over,
    end: (id: string, outcome: Outcome = { json: JSON.stringify({ id }) }) => ended({ id }, outcome),
  };
}

/** Until nothing more follows from what was done. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe("Player", () => {
  it("goes on with the run of the step before where a step to read has none of its own", async () => {
    const { player, begun } = lesson();
    await player.show(0, false);
    await player.show(1, false);
    expect(begun.map(({ scenario }) => scenario.name)).toEqual(["one1"]);
    expect(player.store.getState().told?.title).toBe("told 1");
  });

  it("lets the run of a question wait at its start, and ends the one before", async () => {
    const { player, begun, over } = lesson();
    await player.show(1, false);
    await player.show(2, false);
    expect(begun.at(-1)).toMatchObject({ start: "wait", free: [] });
    expect(player.store.getState().presented).toBe(2);
    expect(over).toHaveLength(1);
  });

  it("brings the run of a question that was answered before to its end", async () => {
    const { player, begun } = lesson();
    await player.show(2, true);
    expect(begun.at(-1)?.start).toBe("end");
  });

  it("leaves the controls of a challenge free, and runs it anew on every change", async () => {
    const { player, begun } = lesson();
    await player.show(3, false);
    expect(begun.at(-1)).toMatchObject({
      free: ["switch.ecnThresholdPackets"],
      restarts: true,
      start: "play",
    });
  });

  it("brings both runs of a comparison to the screen, where they wait to be played", async () => {
    const { player, begun } = lesson();
    await player.show(4, false);
    expect(begun.map(({ start }) => start)).toEqual(["wait", "wait"]);
    expect(player.store.getState().sessions.map(({ scenario }) => scenario.name)).toEqual(["one1", "two1"]);
  });

  it("computes what a step needs once, and is complete when all of it is there", async () => {
    const { player, jobs, puts, end } = lesson([["one", "swept"], ["one"]]);
    await player.show(0, false);
    await settled();
    expect(jobs).toEqual(["one 0", "swept 0", "swept 1"]);
    expect(player.store.getState()).toMatchObject({ isComplete: false, missing: 2 });
    end("one 0");
    end("swept 1");
    await settled();
    expect(puts).toEqual(["forget", 'one [{"id":"one 0"}]']);
    end("swept 0");
    await settled();
    expect(puts.at(-1)).toBe('swept [{"id":"swept 0"},{"id":"swept 1"}]');
    expect(player.store.getState().isComplete).toBe(true);
    await player.show(1, false);
    await settled();
    expect(jobs).toHaveLength(3);
  });

  it("keeps the result of a challenge apart from those of the lesson, and forgets it with the step", async () => {
    const { player, puts, end } = lesson([[], [], [], ["two"], []]);
    await player.show(3, false);
    await settled();
    end("two 0");
    await settled();
    await player.tryOut(3, { tried: true }, {} as Scenario);
    expect(puts).toEqual(["forget", 'two [{"id":"two 0"}]', 'step 3 {"tried":true}']);
    await player.show(2, false);
    expect(puts.at(-1)).toBe("forget");
  });

  it("says why a run does not come", async () => {
    const { player, end } = lesson([["one"]]);
    await player.show(0, false);
    await settled();
    end("one 0", { failure: "out of memory" });
    expect(player.store.getState().failure).toBe("out of memory");
  });

  it("that withholds what runs give computes none, tells settings alone, and keeps runs still from a prediction on", async () => {
    const needs = STEPS.map(() => ["one", "swept", "model"]);
    const { player, puts, jobs, begun } = lesson(needs, true);
    for (const at of STEPS.keys()) await player.show(at, false);
    await settled();
    expect(jobs).toEqual([]);
    expect([...new Set(puts)].sort()).toEqual(["forget", "one [{}]", "swept [{},{}]"]);
    const first = STEPS.findIndex(({ kind }) => kind === "predict");
    const isStill = (at: number) => at >= first && !["explore", "challenge"].includes(STEPS[at]?.kind ?? "");
    expect([...STEPS.keys()].map((at) => player.holdsBack(at))).toEqual([...STEPS.keys()].map(isStill));
    expect(first).toBeGreaterThan(0);
    expect(begun.filter(({ start }) => start === "wait").length).toBeGreaterThan(0);
  });

  it("stays with the step that is gone back to while the run of another one is on its way", async () => {
    const { player } = lesson();
    await player.show(1, false);
    const ahead = player.show(2, false);
    const back = player.show(1, false);
    await Promise.all([ahead, back]);
    await settled();
    expect(player.store.getState()).toMatchObject({ step: 1, presented: 1 });
    await player.show(2, false);
    expect(player.store.getState()).toMatchObject({ step: 2, presented: 2 });
  });
});
