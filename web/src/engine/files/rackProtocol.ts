import type { Diagnostic, Scenario } from "../../scenario/types.ts";

/** A tool that takes settings of a scenario. */
export interface RackTarget {
  readonly id: string;
  readonly title: string;
  /** Whether it is of real machines, or a simulator, for a second opinion. */
  readonly kind: "settings" | "simulator";
  /** What is in it, in a few words. */
  readonly holds: string;
  /** The version of the tool that the files are written for, with its source. */
  readonly version: string;
}

/** How a field goes over, the best first. */
export const HOWS = ["exactly", "roughly", "not-at-all"] as const;
export type How = (typeof HOWS)[number];

/** What became of a field. */
export interface MappedField {
  readonly title: string;
  readonly symbol?: string;
  readonly path: string;
  /** What the scenario says, with its unit. */
  readonly from: string;
  /** What was written; empty: nothing. */
  readonly to: string;
  readonly how: How;
  /** Why, or by which rule, as a sentence. */
  readonly why: string;
  /** The target that takes it, if this one does not. */
  readonly see?: string;
}

/** A line of a file that comes from the scenario. */
export interface LineMark {
  /** From 1. */
  readonly line: number;
  readonly says: string;
  /** The class that it is of, by its number. */
  readonly class?: number;
}

export interface RackFile {
  readonly name: string;
  /** What it is for. */
  readonly about: string;
  readonly text: string;
  readonly marks: readonly LineMark[];
}

/** What is to be typed, and on which machine. */
export interface RackCommand {
  readonly on: string;
  readonly text: string;
}

/** What a tool takes of a scenario. */
export interface RackExport {
  /** How much it is for, in a few words. */
  readonly about: string;
  readonly files: readonly RackFile[];
  readonly fields: readonly MappedField[];
  /** What must be known before the files are used, as sentences. */
  readonly remarks: readonly string[];
  readonly commands: readonly RackCommand[];
}

/** What a target takes, or why it takes nothing. */
export type RackOutcome = RackExport | { readonly refused: readonly Diagnostic[] };

/** What became of a line of a job file of fio. */
export interface JobOption {
  readonly line: number;
  /** The section that it stands in. */
  readonly section: string;
  readonly option: string;
  /** Left out where the option stands alone. */
  readonly value?: string;
  /** The field that it became, and what was written there; empty: none. */
  readonly path: string;
  readonly to: string;
  readonly how: How;
  /** Why, or by which rule, as a sentence. */
  readonly why: string;
}

/** A scenario with the workloads of a job file of fio in the place of its own. */
export interface JobsOnto {
  readonly scenario: Scenario;
  readonly became: readonly JobOption[];
  /** What must be known before it is run, as sentences. */
  readonly remarks: readonly string[];
}

/** What the worker can be asked, and what it answers. Scenarios are given as JSON. */
export interface RackQuestions {
  targets(): readonly RackTarget[];
  to(scenario: string, target: string): RackExport;
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
