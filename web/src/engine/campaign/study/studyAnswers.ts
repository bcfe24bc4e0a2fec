import type { StudyAnswer, StudyPoint, StudyProgress, StudyTable } from "../../../generated/answers.d.ts";
import type { Claims } from "./claims.ts";
import type { ResultsStore } from "./resultsStore.ts";
import type { StudyJob, StudyOutcome, StudyQuestions, StudyTurn } from "./studyProtocol.ts";

/** A study in the hands of the engine, as its module has it: documents and answers are JSON. */
export interface EngineStudy {
  document(): string;
  cost(): string;
  /** Runs that are wanted and not known, at most so many, the most important first. */
  wanted(most: number): string;
  scenario(id: number): string | undefined;
  /** The run at a place of the table, under a seed as counted from the first one. */
  at(point: number, seed: number): string | undefined;
  put(id: number, summary: string): void;
  failed(id: number, sentence: string): void;
  table(): string;
  /** Points that changed since the table, or this, was asked for last; null where the whole table is another one. */
  changed(): string;
  progress(): string;
  answer(): string | undefined;
  free(): void;
}

/** What the module of the engine has for studies. */
export interface StudyModule {
  open(study: string, scenario: string | null, traces: string): EngineStudy;
  suggest(scenario: string): string;
  traceHash(bytes: Uint8Array): string;
  /** What of a summary is kept. */
  kept(summary: string): string;
}

/** A run that is wanted. */
interface RunWish {
  readonly id: number;
  readonly key: string;
}

/** Results that are looked up at a time. */
const SLICE = 256;

/** All runs that are wanted. */
const MOST = 2 ** 32 - 1;

/** Answers the questions to the worker of a study. */
export function studyAnswers(engine: StudyModule, results: ResultsStore, claims: Claims): StudyQuestions {
  let opened: OpenStudy | null = null;
  const taken = (): OpenStudy => {
    if (!opened) throw new Error("No study is open");
    return opened;
  };
  return {
    async open(study, scenario, traces) {
      opened?.close();
      opened = null;
      const read = engine.open(study, scenario, JSON.stringify(traces));
      opened = new OpenStudy(read, engine.kept, results, claims);
      return {
        document: JSON.parse(read.document()),
        cost: JSON.parse(read.cost()),
        table: JSON.parse(read.table()),
      };
    },
    async check(study, scenario) {
      engine.open(study, scenario, "{}").free();
      return null;
    },
    async close() {
      await opened?.written();
      opened?.close();
      opened = null;
      return null;
    },
    recall: () => taken().recall(),
    next: (most) => taken().next(most),
    put: (outcomes) => taken().put(outcomes),
    async giveBack(ids) {
      taken().giveBack(ids);
      return null;
    },
    news: () => taken().news(),
    async scenarioAt(point, seed) {
      const scenario = taken().study.at(point, seed);
      if (scenario === undefined) throw new Error("The table has no such run");
      return JSON.parse(scenario);
    },
    kept: () => results.kept(),
    async forget() {
      await results.forget();
      return results.kept();
    },
    suggest: async (scenario) => JSON.parse(engine.suggest(scenario)),
    traceHash: async (bytes) => engine.traceHash(bytes),
  };
}

/** A study that is open: which of its runs are to be made, are being made here or elsewhere, or are kept. */
class OpenStudy {
  /** Every wish that has been heard of, by its run. */
  private readonly heard = new Map<number, RunWish>();
  /** Wishes whose results have not been looked up. */
  private fresh: RunWish[] = [];
  /** Wishes of which no result was kept. */
  private missing: RunWish[] = [];
  /** Keys of results that were of use, which is not noted yet. */
  private readonly used: string[] = [];
  /** Wishes that another window has claimed. */
  private elsewhere: RunWish[] = [];
  private writing: Promise<unknown> = Promise.resolve();
  /** Resolved, and made anew, whenever there may be something else to give out. */
  private stir = withResolvers();
  private over = false;

  constructor(
    readonly study: EngineStudy,
    private readonly keptOf: (summary: string) => string,
    private readonly results: ResultsStore,
    private readonly claims: Claims,
  ) {}

  /** Takes in what is kept of the runs that are wanted. */
  async recall(): Promise<{ recalled: number; more: boolean }> {
    this.hear();
    const slice = this.fresh.splice(0, SLICE);
    const found = await this.results.get(slice.map(({ key }) => key));
    if (this.over) return { recalled: 0, more: false };
    const known = slice.filter((wish) => found.has(wish.key));
    this.missing.push(...slice.filter((wish) => !found.has(wish.key)));
    for (const { id, key } of known) this.study.put(id, found.get(key) as string);
    this.used.push(...known.map(({ key }) => key));
    if (this.fresh.length === 0 && known.length > 0) this.hear();
    const more = this.fresh.length > 0;
    // Noting that they were of use can wait until all of them are there.
    if (!more) void this.results.use(this.used.splice(0));
    return { recalled: known.length, more };
  }

  /** Gives out runs. Where all that are left are being made elsewhere it waits until one of them is there, or something else is wanted. */
  async next(most: number): Promise<StudyTurn> {
    const jobs: StudyJob[] = [];
    let recalled = 0;
    while (!this.over && jobs.length < most) {
      if (this.missing.length === 0) {
        const found = await this.recall();
        recalled += found.recalled;
        if (found.more || this.missing.length > 0) continue;
        if (this.elsewhere.length === 0 || jobs.length > 0 || recalled > 0) break;
        await this.freed();
        continue;
      }
      const batch = this.missing.splice(0, most - jobs.length);
      const claimed: RunWish[] = [];
      for (const wish of batch) ((await this.claims.take(wish.key)) ? claimed : this.elsewhere).push(wish);
      // Another window may have made it since it was looked up.
      const found = await this.results.get(claimed.map(({ key }) => key));
      if (this.over) for (const { key } of claimed) this.claims.release(key);
      if (this.over) break;
      for (const { id, key } of claimed) {
        const summary = found.get(key);
        if (summary === undefined) jobs.push({ id, scenario: this.study.scenario(id) ?? "" });
        else {
          this.study.put(id, summary);
          this.claims.release(key);
          recalled++;
        }
      }
    }
    return { jobs, recalled };
  }

  /** Takes in what became of runs. Answers once results are kept. */
  async put(outcomes: readonly StudyOutcome[]): Promise<null> {
    const summaries = new Map<string, string>();
    const keys: string[] = [];
    for (const outcome of outcomes) {
      const { key } = this.wish(outcome.id);
      keys.push(key);
      if ("failure" in outcome) this.study.failed(outcome.id, outcome.failure);
      else {
        const kept = this.keptOf(outcome.summary);
        this.study.put(outcome.id, kept);
        summaries.set(key, kept);
      }
    }
    this.stirred();
    if (summaries.size > 0) {
      const written = this.results.put(summaries);
      this.writing = Promise.all([this.writing, written]);
      await written;
    }
    for (const key of keys) this.claims.release(key);
    return null;
  }

  /** Runs that were given out are not made after all. */
  giveBack(ids: readonly number[]): void {
    const wishes = ids.map((id) => this.wish(id));
    for (const { key } of wishes) this.claims.release(key);
    this.missing.unshift(...wishes);
    this.stirred();
  }

  async news() {
    const kept = await this.results.kept();
    const points = JSON.parse(this.study.changed()) as (readonly [number, StudyPoint])[] | null;
    const answer = this.study.answer();
    return {
      table: points ? null : (JSON.parse(this.study.table()) as StudyTable),
      points: points ?? [],
      progress: JSON.parse(this.study.progress()) as StudyProgress,
      answer: answer === undefined ? null : (JSON.parse(answer) as StudyAnswer),
      kept,
    };
  }

  /** Once all results that have come are kept. */
  async written(): Promise<void> {
    await this.writing;
  }

  close(): void {
    this.over = true;
    for (const { key } of this.heard.values()) this.claims.release(key);
    this.stirred();
    this.study.free();
  }

  /** Asks what is wanted, where nothing is left of what has been heard. */
  private hear(): void {
    if (this.fresh.length > 0 || this.missing.length > 0) return;
    const wishes = JSON.parse(this.study.wanted(MOST)) as RunWish[];
    this.fresh = wishes.filter(({ id }) => !this.heard.has(id));
    for (const wish of this.fresh) this.heard.set(wish.id, wish);
  }

  /** Waits until another window has ended one of its runs, or something has changed here. */
  private async freed(): Promise<void> {
    const stop = new AbortController();
    const { signal } = stop;
    const free = this.elsewhere.map(async (wish) => {
      await this.claims.free(wish.key, signal);
      this.elsewhere = this.elsewhere.filter((item) => item !== wish);
      this.missing.push(wish);
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

  private wish(id: number): RunWish {
    const wish = this.heard.get(id);
    if (!wish) throw new Error(`Run ${id} was not asked for`);
    return wish;
  }
}

function withResolvers() {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
