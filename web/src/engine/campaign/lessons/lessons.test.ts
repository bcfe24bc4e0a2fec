import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { Lesson } from "../../../generated/lesson.d.ts";
import { initSync as initFigures } from "../../../generated/wasm/qoscope_tools_wasm.js";
import { Engine, initSync } from "../../../generated/wasm/qoscope_wasm.js";
import type { Scenario } from "../../../scenario/types.ts";
import { EngineRefused } from "../../rpc/errors.ts";
import { testWorker } from "../../rpc/testWorker.ts";
import { LESSON_ANSWERS } from "./lessonAnswers.ts";
import { openLesson, seedOf } from "./lessons.ts";

/** The whole lesson that docs/lessons.md shows. */
const EXAMPLE = /```json\n(.*?)```/s.exec(readFileSync("docs/lessons.md", "utf8"))?.[1] ?? "";

beforeAll(() => {
  const module = (name: string) => ({ module: readFileSync(`web/src/generated/wasm/${name}_bg.wasm`) });
  initSync(module("qoscope_wasm"));
  initFigures(module("qoscope_tools_wasm"));
});

/** The worker, without a thread of its own. */
const workerHere = () => testWorker(LESSON_ANSWERS);

const noScenario = (name: string) => Promise.reject(new Error(`There is no ${name}`));

const changed = (change: (lesson: Lesson) => void): string => {
  const lesson = JSON.parse(EXAMPLE) as Lesson;
  change(lesson);
  return JSON.stringify(lesson);
};

/** Simulates scenarios to their ends. */
const simulated = (scenarios: readonly Scenario[]): object[] =>
  scenarios.map((scenario) => {
    const engine = new Engine(JSON.stringify(scenario));
    engine.advance(engine.durationPs(), Number.MAX_SAFE_INTEGER);
    const summary = JSON.parse(engine.summary());
    engine.free();
    return summary;
  });

describe("a lesson in the hands of the engine", () => {
  it("says what to simulate, tells what came of it and judges answers", async () => {
    const { worker, create } = workerHere();
    const engine = await openLesson(EXAMPLE, noScenario, create);
    expect(engine.lesson.title).toBe("Where to mark");
    expect([0, 1, 2, 3].map((step) => engine.needs(step))).toEqual([
      ["usual"],
      ["tiny", "usual"],
      ["usual"],
      ["usual", "all"],
    ]);

    expect((await engine.told(0)).text).toContain("the queue holds … packets");
    const scenarios = await engine.scenarios("usual", 7);
    expect(scenarios.map(({ seed }) => seed)).toEqual([7]);
    await engine.put("usual", simulated(scenarios), scenarios);
    const told = await engine.told(0);
    expect(told.text).toMatch(/over one link of 10 Gb\/s.*With K at 30 the queue holds 2\d\.\d packets/s);
    expect(told.asserts).toMatchObject([{ says: "The queue stays near K", holds: true }]);

    const judgement = await engine.judge(2, { kind: "number", value: 500 });
    expect(judgement).toMatchObject({ right: false, happened: { kind: "number" } });
    expect(judgement.feedback).toContain("without marks");

    engine.end();
    expect(worker.ended).toBe(true);
  });

  it("takes what the learner has set in a challenge", async () => {
    const { create } = workerHere();
    const engine = await openLesson(EXAMPLE, noScenario, create);
    const met = async (threshold: number) => {
      const scenarios = await engine.scenarios("tiny", null, { "switch.ecnThresholdPackets": threshold });
      await engine.tryOut(6, simulated(scenarios)[0] as object, scenarios[0] as Scenario);
      return (await engine.told(6)).goals.map(({ holds }) => holds);
    };
    expect(await met(60)).toEqual([true, false]);
    expect(await met(10)).toEqual([true, true]);
  });

  it("is refused with everything that is wrong, its scenarios included", async () => {
    const refused = async (json: string) => {
      const { worker, create } = workerHere();
      const error = await openLesson(json, async () => ({ version: 2 }), create).catch((error) => error);
      expect(error).toBeInstanceOf(EngineRefused);
      expect(worker.ended).toBe(true);
      return (error as EngineRefused).diagnostics.map(({ path }) => path);
    };
    const faults = changed((lesson) => {
      Object.assign(lesson.steps[0] as object, { text: "It holds 28." });
      Object.assign(lesson.steps[4] as object, { runs: ["tiny", "slow"] });
    });
    expect(await refused(faults)).toEqual(["steps[0].text", "steps[4].runs"]);
    const incomplete = changed((lesson) => Object.assign(lesson.runs[0] as object, { scenario: "some" }));
    expect(await refused(incomplete)).toEqual(["runs[0]", "runs[1]", "runs[2]"]);
    expect(await refused("{")).toEqual([""]);
  });

  it("says what kept a scenario, or the engine, from coming", async () => {
    const named = changed((lesson) => Object.assign(lesson.runs[0] as object, { scenario: "some" }));
    await expect(openLesson(named, noScenario, workerHere().create)).rejects.toThrow("There is no some");
    const { worker, create } = testWorker({ lesson: () => new Promise(() => {}) });
    const opened = openLesson(EXAMPLE, noScenario, create);
    worker.fail("");
    await expect(opened).rejects.toThrow("could not be fetched");
  });

  it("gives a student the seed of her name", async () => {
    const [ada, again, other] = await Promise.all(
      ["Ada Lovelace", " ada lovelace", "Grace Hopper"].map((name) => seedOf(name, workerHere().create)),
    );
    expect(again).toBe(ada);
    expect(other).not.toBe(ada);
  });
});
