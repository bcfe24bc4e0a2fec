import { describe, expect, it, vi } from "vitest";
import type { FitDrive, MeasuredJob } from "../../../generated/answers.d.ts";
import { firstScenario } from "../../../scenario/first.ts";
import { testWorker } from "../../rpc/testWorker.ts";
import { runWorkers } from "../study/testStudy.ts";
import { type EngineFit, type FitModule, fitAnswers } from "./fitAnswers.ts";
import { FitRuns } from "./fitRuns.ts";

/** A fit that wants four runs, and two more once it knows what those came to. */
class PlayedFit implements EngineFit {
  readonly ended = new Map<number, string>();
  private asked = 0;
  isFreed = false;
  heldOut = () => "[false,true]";
  wanted(most: number) {
    const ready = this.ended.size >= 4 ? 6 : 4;
    const ids = Array.from({ length: Math.min(most, ready - this.asked) }, (_, at) => this.asked + at);
    this.asked += ids.length;
    return JSON.stringify(ids.map((id) => ({ id, job: 0 })));
  }
  document = (id: number) => `run ${id}`;
  put = (id: number, simulated: string) => void this.ended.set(id, JSON.parse(simulated).digest);
  failed = (id: number, sentence: string) => void this.ended.set(id, sentence);
  progress = () => JSON.stringify({ made: this.ended.size, most: 6, done: this.ended.size === 6 });
  outcome = () => (this.ended.size === 6 ? JSON.stringify({ runs: 6 }) : undefined);
  drive = (name: string, files: string) => JSON.stringify({ name, files: JSON.parse(files) });
  free() {
    this.isFreed = true;
  }
}

const job = (file: string): MeasuredJob => ({
  file,
  name: "randread",
  pattern: "random",
  readShare: 1,
  readBytes: 4096,
  writeBytes: 4096,
  iodepth: 1,
  numjobs: 1,
  runtimeS: 60,
});

function setUp({ held = false, failing = "" } = {}) {
  const fits: PlayedFit[] = [];
  const opened: string[] = [];
  const module: FitModule = {
    fitChoices: () => JSON.stringify({ holdOut: 4, meansAlone: false, seed: 42, maxRuns: 2000 }),
    readFio(text, file) {
      if (text === "no JSON")
        throw JSON.stringify([{ path: file, reason: "is no JSON", hint: "Give what fio wrote." }]);
      return JSON.stringify({ file, version: "fio-3.33", jobs: [job(file)], remarks: [] });
    },
    readFioLog(text, file) {
      if (text === "no log")
        throw JSON.stringify([{ path: file, reason: "is empty", hint: "Copy it whole." }]);
      const reads = [{ atS: 1, mean: Number(text) }];
      return JSON.stringify({ file, title: "IOPS", unit: "requests/s", reads, writes: [], remarks: [] });
    },
    traceHash: (bytes) => `hash of ${bytes.length}`,
    readDrive: (text) => text,
    open(_, jobs, logs, choices) {
      const { seed, remote = [] } = JSON.parse(choices);
      const beside = [
        ...(JSON.parse(logs).length > 0 ? [`${JSON.parse(logs).length} logs`] : []),
        ...(remote.length > 0 ? [`${remote} remote`] : []),
      ];
      opened.push([`${JSON.parse(jobs).length} jobs`, `seed ${seed}`, ...beside].join(", "));
      fits.push(new PlayedFit());
      return fits.at(-1) as PlayedFit;
    },
  };
  const { create } = testWorker(fitAnswers(module));
  const workers = runWorkers({ held, failing });
  const runs = new FitRuns(create, workers.create, 2);
  const state = () => runs.store.getState();
  const phase = (wanted: string) => vi.waitFor(() => expect(state().phase).toBe(wanted));
  const ready = async () => {
    await runs.choicesAtFirst();
    await runs.add([new File(["{}"], "a.json"), new File(["{ }"], "b.json")]);
    await runs.open(firstScenario, "scenario");
    await phase("ready");
  };
  return { runs, state, phase, ready, fits, opened, workers };
}

describe("the logs beside a fit", () => {
  it("are read in place of those of their names, told why not where they cannot be, and forgotten", async () => {
    const { runs, state } = setUp();
    await runs.addLogs([new File(["5"], "a_iops.log"), new File(["no log"], "b_bw.log")]);
    await runs.addLogs([new File(["7"], "a_iops.log")]);
    expect(state().reading).toBe(0);
    expect(state().logs.map(({ file, log }) => [file, log?.reads[0]?.mean])).toEqual([
      ["b_bw.log", undefined],
      ["a_iops.log", 7],
    ]);
    expect(state().logs[0]?.remarks[0]?.reason).toBe("is empty");
    expect(state().files).toEqual([]);
    runs.removeLog("b_bw.log");
    expect(state().logs).toHaveLength(1);
  });

  it("are part of the fit that is opened, as is which files are of another host", async () => {
    const { runs, ready, opened, phase } = setUp();
    await ready();
    await runs.addLogs([new File(["5"], "a_iops.log"), new File(["no log"], "b_bw.log")]);
    runs.place("b.json", true);
    await runs.open(firstScenario, "scenario");
    await phase("ready");
    runs.remove("b.json");
    await runs.open(firstScenario, "scenario");
    expect(opened).toEqual([
      "2 jobs, seed 42",
      "2 jobs, seed 42, 1 logs, b.json remote",
      "1 jobs, seed 42, 1 logs",
    ]);
  });
});

describe("the runs of a fit", () => {
  it("are made until nothing more is wanted, each once, and then there is an outcome", async () => {
    const { runs, state, phase, ready, fits, workers } = setUp();
    await ready();
    expect(state()).toMatchObject({ heldOut: [false, true], outcome: null });
    expect(workers.ran).toEqual([]);
    await runs.start();
    await phase("done");
    expect(workers.ran.toSorted()).toEqual([0, 1, 2, 3, 4, 5].map((id) => `run ${id}`));
    expect([...(fits[0] as PlayedFit).ended].toSorted()).toEqual(
      [0, 1, 2, 3, 4, 5].map((id) => [id, `${id}`]),
    );
    expect(state()).toMatchObject({ outcome: { runs: 6 }, progress: { made: 6, done: true } });
  });

  it("are of the same fit while nothing but the scenario changes, and of another with other choices or files", async () => {
    const { runs, ready, opened, phase, fits } = setUp();
    await ready();
    await runs.open({ ...firstScenario, seed: 7 }, "scenario");
    expect(opened).toEqual(["2 jobs, seed 42"]);
    runs.choose({ seed: 43 });
    await runs.open(firstScenario, "scenario");
    runs.remove("a.json");
    await runs.open(firstScenario, "scenario");
    await phase("ready");
    expect(opened).toEqual(["2 jobs, seed 42", "2 jobs, seed 43", "1 jobs, seed 43"]);
    expect(fits.map(({ isFreed }) => isFreed)).toEqual([true, true, false]);
  });

  it("end when they are called off, and begin anew with the same jobs", async () => {
    const { runs, state, phase, ready, opened, workers, fits } = setUp({ held: true });
    await ready();
    await runs.start();
    runs.cancel();
    expect(state().phase).toBe("cancelled");
    workers.held = false;
    while (workers.waiting.length > 0) workers.go();
    await runs.start();
    await phase("done");
    expect(opened).toHaveLength(2);
    expect(fits[0]?.ended.size).toBe(0);
    expect(fits[1]?.ended.size).toBe(6);
  });

  it("that fail are told to the fit with their reason", async () => {
    const { runs, phase, ready, fits } = setUp({ failing: "run 2" });
    await ready();
    await runs.start();
    await phase("done");
    expect(fits[0]?.ended.get(2)).toBe("The engine ran out of memory.");
  });
});

describe("files of measurements", () => {
  it("that cannot be read are listed with why, and the others are used", async () => {
    const { runs, state } = setUp();
    await runs.add([new File(["no JSON"], "half.json"), new File(["{}"], "whole.json")]);
    expect(state().files.map(({ file, jobs, remarks }) => [file, jobs.length, remarks[0]?.reason])).toEqual([
      ["half.json", 0, "is no JSON"],
      ["whole.json", 1, undefined],
    ]);
  });

  it("take the place of those of the same name", async () => {
    const { runs, state } = setUp();
    await runs.add([new File(["{}"], "a.json")]);
    await runs.add([new File(["{   }"], "a.json")]);
    expect(state().files.map(({ file, hash }) => [file, hash])).toEqual([["a.json", "hash of 5"]]);
    expect(state().reading).toBe(0);
  });

  it("go into the drive with their hashes", async () => {
    const { runs, phase, ready } = setUp();
    await ready();
    await runs.start();
    await phase("done");
    expect(await runs.drive("Lab")).toEqual({
      name: "Lab",
      files: [
        { file: "a.json", hash: "hash of 2" },
        { file: "b.json", hash: "hash of 3" },
      ],
    } as unknown as FitDrive);
  });
});
