import type { StudyCost, StudyTable } from "../../../generated/answers.d.ts";
import type { StudyDocument, Suggestions } from "../../../scenario/study.ts";
import type { Scenario } from "../../../scenario/types.ts";
import type { Campaigns } from "../campaignProtocol.ts";
import {
  CampaignRunner,
  type CampaignState,
  NO_CAMPAIGN,
  type RunnerSetup,
  type Traces,
} from "../campaignRunner.ts";

/** The part of the state that a study has beside that of any campaign. */
interface StudyState {
  /** As the engine reads it. */
  readonly document: StudyDocument | null;
  readonly cost: StudyCost | null;
  readonly table: StudyTable | null;
}

/** A study and its progress. */
export type StudyRunsState = CampaignState<"study"> & StudyState;

const CLOSED: StudyState = { document: null, cost: null, table: null };

export const NO_STUDY: StudyRunsState = { ...NO_CAMPAIGN, ...CLOSED };

/** The study that is open on the page. */
export class StudyRuns extends CampaignRunner<"study", StudyState> {
  constructor(setup?: RunnerSetup) {
    super("study", CLOSED, {}, setup);
  }

  /** Opens a study of a scenario; null if the study has its own. */
  open(study: StudyDocument, scenario: Scenario | null, traces?: Traces): Promise<void> {
    const documents = [JSON.stringify(study), scenario ? JSON.stringify(scenario) : undefined];
    return this.openWith((hashes) => [...documents, hashes], { ...(traces && { traces }), sample: scenario });
  }

  /** What can vary in a scenario, and what can be asked of it. */
  suggestions(scenario: Scenario): Promise<Suggestions> {
    return this.api.suggest(JSON.stringify(scenario));
  }

  /** The scenario of a run, by the row of its point and its seed as counted from the first one. */
  scenarioAt(row: number, seed: number): Promise<Scenario> {
    return this.api.scenarioAt(row, seed);
  }

  /** Deletes the results of all campaigns from the cache. The table that is shown stays. */
  async forgetKept(): Promise<void> {
    this.store.setState({ kept: await this.api.forget() });
  }

  protected override ofOpened(opened: Campaigns["study"]["opened"]): StudyState {
    this.store.setState({ runs: { ...this.state.runs, wanted: opened.cost.runs } });
    return opened;
  }

  protected override ofChanged({ table: whole, points }: Campaigns["study"]["changed"]): Partial<StudyState> {
    const { table } = this.state;
    if (whole || !table || points.length === 0) return { table: whole ?? table };
    const changed = [...table.points];
    for (const [row, point] of points) changed[row] = point;
    return { table: { ...table, points: changed } };
  }

  protected override eventsOfRun(): number | null {
    const { cost } = this.state;
    return cost && cost.events / Math.max(1, cost.runs);
  }
}
