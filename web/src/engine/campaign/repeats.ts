import { createStore } from "zustand/vanilla";
import type { RunSummary } from "../../run/repeats.ts";
import { RunPool, type RunPoolState } from "./runPool.ts";
import type { RunRequest } from "./runProtocol.ts";

/** Numbers of seeds that a comparison offers: each has an interval (`STUDENT_95`). */
export const SEED_COUNTS = [5, 10, 20, 40] as const;

/** How far repeated runs are. */
export interface RepeatState extends Pick<RunPoolState, "wanted" | "finished" | "part" | "elapsedMs"> {
  readonly phase: RunPoolState["phase"] | "failed";
  /** By seed, in the order asked for: a summary for each scenario, undefined while it is not there. */
  readonly seeds: readonly {
    readonly seed: number;
    readonly summaries: readonly (RunSummary | undefined)[];
  }[];
  /** Why it failed. */
  readonly sentence: string;
}

const IDLE: RepeatState = {
  phase: "idle",
  wanted: 0,
  finished: 0,
  part: 0,
  elapsedMs: 0,
  seeds: [],
  sentence: "",
};

/** What is asked for: scenarios that differ, and the seeds that each of them runs with. */
export interface RepeatWish {
  /** As JSON is made of: the seed is put in for each run. */
  readonly scenarios: readonly object[];
  readonly seeds: readonly number[];
  readonly traces: RunRequest["traces"];
}

/** Runs scenarios with several seeds, to compare them. One that fails ends them all: a pair without its other half says nothing. */
export class Repeats {
  readonly store = createStore<RepeatState>()(() => IDLE);
  private readonly pool: RunPool;
  /** The seed and the scenario of each run, by its id. */
  private places = new Map<string, { readonly row: number; readonly of: number }>();

  constructor(createWorker?: ConstructorParameters<typeof RunPool>[1], side?: number) {
    this.pool = new RunPool(
      ({ id }, outcome) => {
        if ("failure" in outcome) this.fail(outcome.failure);
        else this.put(id, JSON.parse(outcome.json));
      },
      createWorker,
      side,
    );
    this.pool.store.subscribe(({ failed, ...state }) => {
      if (this.store.getState().phase !== "failed") this.store.setState(state);
    });
  }

  /** Begins anew, whatever is under way. The scenarios of one seed run after each other: differences come early. */
  start({ scenarios, seeds, traces }: RepeatWish): void {
    this.reset();
    this.store.setState({
      seeds: seeds.map((seed) => ({ seed, summaries: scenarios.map(() => undefined) })),
    });
    const jobs = seeds.flatMap((seed, row) =>
      scenarios.map((scenario, of) => {
        const id = `${row} ${of}`;
        this.places.set(id, { row, of });
        return { id, scenario: JSON.stringify({ ...scenario, seed }), traces };
      }),
    );
    this.pool.start(jobs);
  }

  /** Ends what is under way and keeps what is done. */
  cancel(): void {
    this.pool.cancel();
  }

  /** Forgets everything. */
  reset(): void {
    this.pool.reset();
    this.places.clear();
    this.store.setState(IDLE);
  }

  private put(id: string, summary: RunSummary): void {
    const place = this.places.get(id);
    this.store.setState(({ seeds }) => ({
      seeds: seeds.map((row, at) =>
        at === place?.row ? { ...row, summaries: row.summaries.with(place.of, summary) } : row,
      ),
    }));
  }

  private fail(sentence: string): void {
    this.store.setState({ phase: "failed", sentence });
    this.pool.cancel();
  }
}
