import { CampaignRunner, type RunnerSetup } from "./campaignRunner.ts";
import { coresHere, workersOf } from "./runPool.ts";

/** Runs scenarios once each; the answer has their summaries in order. One run that fails ends them all. */
export class SingleRuns extends CampaignRunner<"runs"> {
  constructor(setup: RunnerSetup = {}) {
    super("runs", {}, {}, { side: workersOf(coresHere()), ...setup });
  }

  async run(scenarios: readonly object[]): Promise<void> {
    await this.openWith(() => [JSON.stringify(scenarios)]);
    this.start();
  }
}
