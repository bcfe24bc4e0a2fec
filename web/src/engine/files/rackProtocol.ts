import type {
  Diagnostic,
  Export,
  ExportAbout,
  How,
  JobsOnto as ReadJobs,
} from "../../generated/answers.d.ts";
import type { Scenario } from "../../scenario/types.ts";

export type {
  Export as RackExport,
  ExportAbout as RackTarget,
  ExportFile as RackFile,
  How,
  JobOption,
  LineMark,
  MappedField,
} from "../../generated/answers.d.ts";

/** How a field goes over, the best first. */
export const HOWS: readonly How[] = ["exactly", "roughly", "not-at-all"];

/** A scenario with the workloads of a job file of fio in the place of its own. */
export type JobsOnto = Omit<ReadJobs, "scenario"> & { readonly scenario: Scenario };

/** What a target takes, or why it takes nothing. */
export type RackOutcome = Export | { readonly refused: readonly Diagnostic[] };

/** What the worker can be asked, and what it answers. Scenarios are given as JSON. */
export interface RackQuestions {
  targets(): readonly ExportAbout[];
  to(scenario: string, target: string): Export;
  /** The workloads of a job file of fio, by its text and name, on a scenario. */
  jobs(text: string, name: string, scenario: string): JobsOnto;
  /**
   * What we recommend and why, as Markdown; with what came of it, where the summary of a run is given, or a study with its table and its
   * answer.
   */
  report(
    scenario: string,
    summary: string | null,
    study: readonly [study: object, table: object, answer: object] | null,
  ): string;
}
