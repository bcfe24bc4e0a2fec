import { describe, expect, it, vi } from "vitest";
import type { FitDrive, MeasuredJob } from "../../../generated/answers.d.ts";
import { firstScenario } from "../../../scenario/first.ts";
import type { CampaignModule } from "../campaignApi.ts";
import { memoryResults, runWorkers, TestCampaign, testCampaigns } from "../testCampaign.ts";
import { FitRuns } from "./fitRuns.ts";

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
  const fits: TestCampaign[] = [];
  const opened: string[] = [];
  const functions: Partial<CampaignModule> = {
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
    readDrive: (text) => text,
  };
  /** A fit that wants four runs, and two more once it has their results. */
  const open = (_: string, [, jobs = "", logs = "", choices = ""]: readonly string[]) => {
    const { seed, remote = [] } = JSON.parse(choices);
    const beside = [
      ...(JSON.parse(logs).length > 0 ? [`${JSON.parse(logs).length} logs`] : []),
      ...(remote.length > 0 ? [`${remote} remote`] : []),
    ];
    opened.push([`${JSON.parse(jobs).length} jobs`, `seed ${seed}`, ...beside].join(", "));
    const fit = new TestCampaign(2, 2, { opened: { heldOut: [false, true] }, changed: () => null });
    fits.push(fit);
    return fit;
  };
  const { create } = testCampaigns(open, memoryResults(), undefined, functions);
  const workers = runWorkers({ held, failing });
  const runs = new FitRuns({
    createWorker: create,
    createRunWorker: workers.create,
    side: 2,
    pace: async () => {},
  });
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
    const { runs, state, phase, ready, workers } = setUp();
    await ready();
    expect(state()).toMatchObject({ heldOut: [false, true], answer: null });
    expect(workers.ran).toEqual([]);
    await runs.start();
    await phase("done");
    expect(workers.ran.toSorted()).toEqual([0, 1, 2, 3, 4, 5].map((id) => `scenario ${id}`));
    expect(state()).toMatchObject({ answer: { says: ["6 runs"] }, runs: { known: 6, wanted: 6 } });
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
    expect(fits.map(({ ended }) => ended)).toEqual([true, true, false]);
  });

  it("go on where they were cancelled, and begin again once the fit is done", async () => {
    const { runs, state, phase, ready, opened, workers } = setUp({ held: true });
    await ready();
    await runs.start();
    await vi.waitFor(() => expect(workers.waiting).toHaveLength(2));
    workers.go();
    await vi.waitFor(() => expect(state().runs.known).toBe(1));
    runs.cancel();
    expect(state().phase).toBe("cancelled");
    workers.held = false;
    await runs.start();
    await phase("done");
    expect(workers.ran.toSorted()).toEqual([0, 1, 2, 3, 4, 5].map((id) => `scenario ${id}`));
    await runs.start();
    await phase("done");
    expect(opened).toHaveLength(2);
    expect(workers.ran).toHaveLength(6);
  });

  it("that fail are told to the fit", async () => {
    const { runs, phase, ready, fits } = setUp({ failing: "scenario 2" });
    await ready();
    await runs.start();
    await phase("done");
    expect(fits[0]?.results.get(2)).toBeNull();
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
