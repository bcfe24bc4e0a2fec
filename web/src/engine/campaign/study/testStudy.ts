import type { StudyCell, StudyPoint, StudyTable } from "../../../generated/answers.d.ts";
import type { StudyDocument } from "../../../scenario/study.ts";
import { testWorker } from "../../rpc/testWorker.ts";
import type { WorkerClient } from "../../rpc/workerClient.ts";
import type { RunApi, RunRequest, RunResult } from "../runProtocol.ts";
import type { Claims } from "./claims.ts";
import type { ResultsStore } from "./resultsStore.ts";
import { type EngineStudy, type StudyModule, studyAnswers } from "./studyAnswers.ts";

/**
 * A study for tests: so many points with two seeds each, then so many more seeds of the last point. A result is the digest of its run, and the
 * answer says how many there are.
 */
export class PlayedStudy implements EngineStudy {
  private readonly results = new Map<number, number | null>();
  private readonly dirty = new Set<number>();
  private shown = false;
  ended = false;
  constructor(
    readonly points: number,
    private readonly further: number,
  ) {}
  document = () => JSON.stringify(DOCUMENT);
  cost = () =>
    JSON.stringify({ points: this.points, runs: 2 * this.points, maxRuns: 99, events: 2000 * this.points });
  wanted() {
    const missing = this.ids().filter((id) => !this.results.has(id));
    return JSON.stringify(missing.map((id) => ({ id, key: `key ${id}` })));
  }
  scenario = (id: number) => `scenario ${id}`;
  at = (point: number, seed: number) => JSON.stringify({ point, seed });
  put(id: number, summary: string) {
    this.take(id, Number((JSON.parse(summary) as { digest: string }).digest));
  }
  failed(id: number) {
    this.take(id, null);
  }
  table() {
    this.shown = true;
    this.dirty.clear();
    const points = Array.from({ length: this.points }, (_, place) => this.point(place));
    return JSON.stringify({ factors: [], measures: [], firstSeed: 1, points } satisfies StudyTable);
  }
  changed() {
    if (!this.shown) return "null";
    const points = [...this.dirty].map((place) => [place, this.point(place)]);
    this.dirty.clear();
    return JSON.stringify(points);
  }
  progress = () =>
    JSON.stringify({
      known: this.results.size,
      wanted: this.ids().length,
      doing: this.isSecond ? "Looking closer" : "Running",
      candidates: [],
    });
  answer() {
    if (this.ids().some((id) => !this.results.has(id))) return undefined;
    return JSON.stringify({ kind: "sweep", says: [`${this.results.size} runs`] });
  }
  free() {
    this.ended = true;
  }

  private take(id: number, result: number | null) {
    this.results.set(id, result);
    this.dirty.add(this.placeOf(id));
  }
  private get isSecond() {
    return this.first().every((id) => this.results.has(id));
  }
  private first = () => Array.from({ length: 2 * this.points }, (_, id) => id);
  private ids = () => [
    ...this.first(),
    ...(this.isSecond ? Array.from({ length: this.further }, (_, i) => 2 * this.points + i) : []),
  ];
  private placeOf = (id: number) => Math.min(this.points - 1, Math.floor(id / 2));
  private point(place: number): StudyPoint {
    const numbers = [...this.results]
      .filter(([id]) => this.placeOf(id) === place)
      .map(([, result]) => result);
    const cell: StudyCell = { mean: null, low: null, high: null, numbers, why: null };
    const none = { set: {}, refused: null, wanted: 2, isAdded: false };
    return { ...none, values: [place], seeds: numbers.length, cells: [cell] };
  }
}

export const DOCUMENT: StudyDocument = {
  version: 2,
  title: "A study",
  measures: [{ title: "one", value: "1" }],
  ask: { kind: "sweep" },
};

/** A store in memory, which windows may share. */
export function memoryResults(kept = new Map<string, string>()): ResultsStore {
  return {
    get: async (keys) =>
      new Map(keys.flatMap((key) => (kept.has(key) ? [[key, kept.get(key) as string]] : []))),
    async put(summaries) {
      for (const [key, json] of summaries) kept.set(key, json);
    },
    async use() {},
    async forget() {
      kept.clear();
    },
    kept: async () => ({ count: kept.size, bytes: 10 * kept.size, limitBytes: 1000, fault: null }),
  };
}

/** Claims of several windows: one for each call. */
export function sharedClaims(): () => Claims {
  const holders = new Map<string, object>();
  const waiting = new Map<string, (() => void)[]>();
  return () => {
    const me = {};
    return {
      async take(key) {
        if ((holders.get(key) ?? me) !== me) return false;
        holders.set(key, me);
        return true;
      },
      release(key) {
        if (holders.get(key) !== me) return;
        holders.delete(key);
        for (const go of waiting.get(key) ?? []) go();
        waiting.delete(key);
      },
      free: (key, signal) =>
        new Promise((resolve, reject) => {
          if ((holders.get(key) ?? me) === me) return resolve();
          waiting.set(key, [...(waiting.get(key) ?? []), resolve]);
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    };
  };
}

/** The worker of studies, without a thread of its own. */
export function studyWorkerHere(
  study: PlayedStudy | string,
  results: ResultsStore,
  claims: Claims = sharedClaims()(),
) {
  const module: StudyModule = {
    open() {
      if (typeof study === "string") throw study;
      return study;
    },
    suggest: (scenario) => scenario,
    traceHash: (bytes) => `hash of ${bytes.length}`,
    kept: (summary) => summary,
  };
  return testWorker(studyAnswers(module, results, claims));
}

/** Workers that simulate: the digest of a run is the number in its scenario. Held ones answer when they are told to. */
export function runWorkers({ held = false, failing = "" } = {}) {
  const ran: string[] = [];
  const answers: (() => void)[] = [];
  const made: { ended: boolean }[] = [];
  const run = ({ scenario, mostEvents }: RunRequest) =>
    new Promise<RunResult>((resolve, reject) => {
      const answer = () => {
        if (mostEvents === undefined) ran.push(scenario);
        const { durationUs = 0 } = mostEvents === undefined ? {} : JSON.parse(scenario);
        const simulatedUs = durationUs / 2;
        const json = JSON.stringify({ seed: 1, digest: scenario.split(" ")[1], simulatedUs, classes: [] });
        if (scenario === failing) reject(new Error("The engine ran out of memory."));
        else resolve({ json, events: 200_000, ms: 2000 });
      };
      if (control.held && mostEvents === undefined) answers.push(answer);
      else queueMicrotask(answer);
    });
  const control = {
    held,
    ran,
    made,
    /** The runs that are held. */
    waiting: answers,
    /** Lets the one go that waits longest. */
    go: () => answers.shift()?.(),
    create: (): WorkerClient<RunApi> => {
      const worker = { ended: false };
      made.push(worker);
      return {
        api: { run, reportTo: async () => {} },
        end() {
          worker.ended = true;
        },
      };
    },
  };
  return control;
}
