import type { RunRequest } from "../../generated/answers.d.ts";
import type {
  CampaignApi,
  CampaignDocuments,
  CampaignJob,
  CampaignKind,
  CampaignOutcome,
  CampaignTurn,
} from "./campaignProtocol.ts";
import type { Claims } from "./claims.ts";
import type { ResultsStore } from "./resultsStore.ts";

/** A campaign of the engine; documents and answers are JSON. */
export interface EngineCampaign {
  opened(): string;
  /** Runs that were not requested before, at most so many, the most important first. */
  next(max: number): string;
  scenario(id: number): string | undefined;
  put(id: number, summary: string): void;
  failed(id: number, sentence: string): void;
  progress(): string;
  /** What changed since the last call. */
  changed(): string;
  /** Throws if the campaign ended without an answer. */
  answer(): string | undefined;
  scenarioAt(row: number, seed: number): string | undefined;
  drive(name: string, files: string): string | undefined;
  free(): void;
}

/** What the engine's module of campaigns exports. */
export interface CampaignModule {
  readonly Campaign: Readonly<Record<CampaignKind, (...documents: never[]) => EngineCampaign>>;
  kept(summary: string): string;
  suggest(scenario: string): string;
  traceHash(bytes: Uint8Array): string;
  figureScenarios(figure: string): string;
  fitChoices(): string;
  readFio(text: string, file: string): string;
  readFioLog(text: string, file: string): string;
  readDrive(text: string): string;
}

/** Results that are looked up at a time. */
const SLICE = 256;

/** All runs that are wanted. */
const ALL = 2 ** 32 - 1;

/** The functions of the worker of a campaign. */
export function campaignApi(engine: CampaignModule, results: ResultsStore, claims: Claims): CampaignApi {
  let current: OpenCampaign | null = null;
  const opened = (): OpenCampaign => {
    if (!current) throw new Error("No campaign is open");
    return current;
  };
  const create = (kind: CampaignKind, documents: CampaignDocuments) =>
    (engine.Campaign[kind] as (...documents: CampaignDocuments) => EngineCampaign)(...documents);
  const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return {
    open(kind, documents) {
      current?.close();
      current = null;
      const campaign = create(kind, documents);
      current = new OpenCampaign(campaign, engine.kept, results, claims);
      return JSON.parse(campaign.opened());
    },
    check: (kind, documents) => create(kind, documents).free(),
    async close() {
      const closing = current;
      current = null;
      await closing?.written();
      closing?.close();
    },
    recall: () => opened().recall(),
    next: (max) => opened().next(max),
    put: (outcomes) => opened().put(outcomes),
    giveBack: (ids) => opened().giveBack(ids),
    async news() {
      const kept = await results.kept();
      const { campaign } = opened();
      const answer = campaign.answer();
      return {
        changed: JSON.parse(campaign.changed()),
        progress: JSON.parse(campaign.progress()),
        answer: answer === undefined ? null : JSON.parse(answer),
        kept,
      };
    },
    kept: () => results.kept(),
    async forget() {
      await results.forget();
      return results.kept();
    },
    scenarioAt(row, seed) {
      const scenario = opened().campaign.scenarioAt(row, seed);
      if (scenario === undefined) throw new Error("The table has no such run");
      return JSON.parse(scenario);
    },
    drive(name, files) {
      const drive = opened().campaign.drive(name, JSON.stringify(files));
      if (drive === undefined)
        throw new Error("The fit has no drive: it is not done, or its jobs match none");
      return JSON.parse(drive);
    },
    suggest: (scenario) => JSON.parse(engine.suggest(scenario)),
    traceHash: engine.traceHash,
    figureScenarios: (figure) => JSON.parse(engine.figureScenarios(figure)),
    fitChoices: () => JSON.parse(engine.fitChoices()),
    readFio: (bytes, file) => ({
      ...JSON.parse(engine.readFio(textOf(bytes), file)),
      hash: engine.traceHash(bytes),
    }),
    readFioLog: (bytes, file) => JSON.parse(engine.readFioLog(textOf(bytes), file)),
    readDrive: (text) => JSON.parse(engine.readDrive(text)),
  };
}

/** An open campaign: which of its runs are to be made, are being made here or in another window, or are in the cache. */
class OpenCampaign {
  /** Every run that was requested, by its id. */
  private readonly requested = new Map<number, RunRequest>();
  /** Requests whose results have not been looked up. */
  private fresh: RunRequest[] = [];
  /** Requests without a result in the cache. */
  private missing: RunRequest[] = [];
  /** Keys of results that were read, which is not noted yet. */
  private readonly used: string[] = [];
  /** Requests that another window has claimed. */
  private elsewhere: RunRequest[] = [];
  private writing: Promise<unknown> = Promise.resolve();
  /** Resolved, and replaced, whenever there may be other runs to request. */
  private stir = withResolvers();
  private over = false;

  constructor(
    readonly campaign: EngineCampaign,
    private readonly keptOf: (summary: string) => string,
    private readonly results: ResultsStore,
    private readonly claims: Claims,
  ) {}

  async recall(): Promise<{ recalled: number; more: boolean }> {
    this.request();
    const slice = this.fresh.splice(0, SLICE);
    const found = await this.results.get(slice.map(({ key }) => key));
    if (this.over) return { recalled: 0, more: false };
    const known = slice.filter(({ key }) => found.has(key));
    this.missing.push(...slice.filter(({ key }) => !found.has(key)));
    for (const { id, key } of known) this.campaign.put(id, found.get(key) as string);
    this.used.push(...known.map(({ key }) => key));
    if (this.fresh.length === 0 && known.length > 0) this.request();
    const more = this.fresh.length > 0;
    // Uses are noted after the last result has been read.
    if (!more) void this.results.use(this.used.splice(0));
    return { recalled: known.length, more };
  }

  /** If other windows make all runs that are left, waits until one of their results is there, or other runs are requested. */
  async next(max: number): Promise<CampaignTurn> {
    const jobs: CampaignJob[] = [];
    let recalled = 0;
    while (!this.over && jobs.length < max) {
      if (this.missing.length === 0) {
        const found = await this.recall();
        recalled += found.recalled;
        if (found.more || this.missing.length > 0) continue;
        if (this.elsewhere.length === 0 || jobs.length > 0 || recalled > 0) break;
        await this.freed();
        continue;
      }
      const batch = this.missing.splice(0, max - jobs.length);
      const claimed: RunRequest[] = [];
      for (const run of batch) ((await this.claims.take(run.key)) ? claimed : this.elsewhere).push(run);
      // Another window may have made it since it was looked up.
      const found = await this.results.get(claimed.map(({ key }) => key));
      if (this.over) for (const { key } of claimed) this.claims.release(key);
      if (this.over) break;
      for (const { id, key, detail } of claimed) {
        const summary = found.get(key);
        if (summary === undefined) jobs.push({ id, detail, scenario: this.campaign.scenario(id) ?? "" });
        else {
          this.campaign.put(id, summary);
          this.claims.release(key);
          recalled++;
        }
      }
    }
    return { jobs, recalled };
  }

  async put(outcomes: readonly CampaignOutcome[]): Promise<void> {
    const summaries = new Map<string, string>();
    const keys: string[] = [];
    for (const outcome of outcomes) {
      const { key, detail } = this.run(outcome.id);
      keys.push(key);
      if ("failure" in outcome) this.campaign.failed(outcome.id, outcome.failure);
      else {
        const read = detail === "kept" ? this.keptOf(outcome.summary) : outcome.summary;
        this.campaign.put(outcome.id, read);
        summaries.set(key, read);
      }
    }
    this.stirred();
    if (summaries.size > 0) {
      const written = this.results.put(summaries);
      this.writing = Promise.all([this.writing, written]);
      await written;
    }
    for (const key of keys) this.claims.release(key);
  }

  giveBack(ids: readonly number[]): void {
    const runs = ids.map((id) => this.run(id));
    for (const { key } of runs) this.claims.release(key);
    this.missing.unshift(...runs);
    this.stirred();
  }

  /** Resolves once all results that have come are kept. */
  async written(): Promise<void> {
    await this.writing;
  }

  close(): void {
    this.over = true;
    for (const { key } of this.requested.values()) this.claims.release(key);
    this.stirred();
    this.campaign.free();
  }

  /** Requests what is wanted, once all earlier requests have been given out. */
  private request(): void {
    if (this.fresh.length > 0 || this.missing.length > 0) return;
    this.fresh = JSON.parse(this.campaign.next(ALL)) as RunRequest[];
    for (const run of this.fresh) this.requested.set(run.id, run);
  }

  /** Waits until another window has ended one of its runs, or something has changed here. */
  private async freed(): Promise<void> {
    const stop = new AbortController();
    const { signal } = stop;
    const free = this.elsewhere.map(async (run) => {
      await this.claims.free(run.key, signal);
      this.elsewhere = this.elsewhere.filter((item) => item !== run);
      this.missing.push(run);
    });
    try {
      await Promise.race([...free, this.stir.promise]);
    } finally {
      stop.abort();
      await Promise.allSettled(free);
    }
  }

  private stirred(): void {
    this.stir.resolve();
    this.stir = withResolvers();
  }

  private run(id: number): RunRequest {
    const run = this.requested.get(id);
    if (!run) throw new Error(`Run ${id} was not requested`);
    return run;
  }
}

function withResolvers() {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
