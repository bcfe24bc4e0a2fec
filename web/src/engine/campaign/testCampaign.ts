import type { StudyCell, StudyPoint, StudyTable } from "../../generated/answers.d.ts";
import type { StudyDocument } from "../../scenario/study.ts";
import { testWorker } from "../rpc/testWorker.ts";
import type { WorkerClient } from "../rpc/workerClient.ts";
import { type CampaignModule, campaignApi, type EngineCampaign } from "./campaignApi.ts";
import type { Claims } from "./claims.ts";
import type { ResultsStore } from "./resultsStore.ts";
import type { RunApi, RunRequest, RunResult } from "./runProtocol.ts";

interface Reports {
  readonly opened?: object;
  /** What changed, by the results so far. */
  readonly changed?: (results: readonly number[]) => unknown;
  readonly answer?: (results: readonly number[]) => unknown;
}

/**
 * A campaign for tests: so many points with two runs each, then so many more runs of the last point. A result is the digest of its run; by
 * default it reports a study, whose answer is the number of runs.
 */
export class TestCampaign implements EngineCampaign {
  readonly results = new Map<number, number | null>();
  private readonly dirty = new Set<number>();
  private readonly requested = new Set<number>();
  private shown = false;
  ended = false;
  constructor(
    readonly points: number,
    private readonly further = 0,
    private readonly reports: Reports = {},
  ) {}
  opened() {
    const cost = { points: this.points, runs: 2 * this.points, maxRuns: 99, events: 2000 * this.points };
    return JSON.stringify(this.reports.opened ?? { document: DOCUMENT, cost, table: this.table() });
  }
  next(max: number) {
    const fresh = this.ids()
      .filter((id) => !this.requested.has(id))
      .slice(0, max);
    for (const id of fresh) this.requested.add(id);
    return JSON.stringify(fresh.map((id) => ({ id, key: `key ${id}`, detail: "kept" })));
  }
  scenario = (id: number) => `scenario ${id}`;
  scenarioAt = (point: number, seed: number) => JSON.stringify({ point, seed });
  drive = (name: string, files: string) => JSON.stringify({ name, files: JSON.parse(files) });
  put(id: number, summary: string) {
    this.take(id, Number((JSON.parse(summary) as { digest: string }).digest));
  }
  /** A campaign that reports no study ends with the first run that fails. */
  failed(id: number, sentence: string) {
    this.take(id, null);
    if (this.reports.answer) this.fault = sentence;
  }
  private fault = "";
  changed() {
    if (this.reports.changed) return JSON.stringify(this.reports.changed(this.known()));
    const points = [...this.dirty].map((row) => [row, this.point(row)]);
    this.dirty.clear();
    const table = this.shown ? null : this.table();
    this.shown = true;
    return JSON.stringify({ table, points });
  }
  progress = () =>
    JSON.stringify({
      known: this.results.size,
      wanted: this.ids().length,
      isLimit: false,
      done: this.isDone(),
      doing: this.isSecond ? "Looking closer" : "Running",
      candidates: [],
    });
  answer() {
    if (this.fault) throw JSON.stringify([{ path: "", reason: this.fault, hint: "", severity: "error" }]);
    if (!this.isDone()) return undefined;
    return JSON.stringify(
      this.reports.answer?.(this.known()) ?? { kind: "sweep", says: [`${this.results.size} runs`] },
    );
  }
  free() {
    this.ended = true;
  }

  private table(): StudyTable {
    const points = Array.from({ length: this.points }, (_, row) => this.point(row));
    return { factors: [], measures: [], firstSeed: 1, points };
  }
  private known = () => [...this.results.values()].filter((result) => result !== null);
  private isDone = () => this.ids().every((id) => this.results.has(id));
  private take(id: number, result: number | null) {
    this.results.set(id, result);
    this.dirty.add(this.rowOf(id));
  }
  private get isSecond() {
    return this.first().every((id) => this.results.has(id));
  }
  private first = () => Array.from({ length: 2 * this.points }, (_, id) => id);
  private ids = () => [
    ...this.first(),
    ...(this.isSecond ? Array.from({ length: this.further }, (_, i) => 2 * this.points + i) : []),
  ];
  private rowOf = (id: number) => Math.min(this.points - 1, Math.floor(id / 2));
  private point(row: number): StudyPoint {
    const numbers = [...this.results].filter(([id]) => this.rowOf(id) === row).map(([, result]) => result);
    const cell: StudyCell = { mean: null, low: null, high: null, numbers, why: null };
    const none = { set: {}, refused: null, wanted: 2, isAdded: false };
    return { ...none, values: [row], seeds: numbers.length, cells: [cell] };
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

/** The worker of campaigns, in this thread: it opens what `open` returns or throws, by its kind and documents. */
export function testCampaigns(
  open: (kind: string, documents: readonly string[]) => EngineCampaign,
  results: ResultsStore = memoryResults(),
  claims: Claims = sharedClaims()(),
  functions: Partial<CampaignModule> = {},
) {
  const Campaign = new Proxy({} as CampaignModule["Campaign"], {
    get:
      (_, kind) =>
      (...documents: string[]) =>
        open(String(kind), documents),
  });
  const module = {
    Campaign,
    suggest: (scenario: string) => scenario,
    traceHash: (bytes: Uint8Array) => `hash of ${bytes.length}`,
    kept: (summary: string) => summary,
    ...functions,
  } as CampaignModule;
  return testWorker(campaignApi(module, results, claims));
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
        const json = JSON.stringify({ digest: scenario.split(" ")[1] });
        if (scenario === failing) reject(new Error("The engine ran out of memory."));
        else resolve({ json, events: 200_000, simulatedUs, ms: 2000 });
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
