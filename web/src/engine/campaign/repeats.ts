import type { Comparison } from "../../generated/answers.d.ts";
import { CampaignRunner, type RunnerSetup, type Traces } from "./campaignRunner.ts";
import { coresHere, workersOf } from "./runPool.ts";

/** Numbers of seeds that a comparison offers. */
export const SEED_COUNTS = [5, 10, 20, 40] as const;

interface RepeatState {
  /** Null before both scenarios have run under a seed. */
  readonly comparison: Comparison | null;
}

/** Runs scenarios with several seeds, to compare them. One run that fails ends them all: a pair without its other half has no difference. */
export class Repeats extends CampaignRunner<"repeats", RepeatState> {
  constructor(setup: RunnerSetup = {}) {
    super("repeats", { comparison: null }, {}, { side: workersOf(coresHere()), ...setup });
  }

  /** Runs scenarios under these seeds, in place of those in progress. */
  async run(scenarios: readonly object[], seeds: readonly number[], traces: Traces): Promise<void> {
    const documents = [JSON.stringify(scenarios), JSON.stringify(seeds)];
    await this.openWith((hashes) => [...documents, hashes], { traces });
    this.start();
  }

  protected override ofChanged(comparison: Comparison): RepeatState {
    return { comparison };
  }
}
