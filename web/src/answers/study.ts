/** What a study has come to, as the engine tells it: its table and its answer. The forms are those of `qoscope study run --format json`. */

/** The table of a study, as far as results reach. */
export interface StudyTable {
  /** What varies. */
  readonly factors: readonly StudyFactor[];
  /** What is measured, those of every class written out. */
  readonly measures: readonly StudyMeasure[];
  /** The first seed; those of a point follow it. */
  readonly firstSeed: number;
  /** In the order of the study's values, the first factor changing slowest; those of a search in the order in which it came to them. */
  readonly points: readonly StudyPoint[];
}

/** A value of a factor: a number, a word, or the title of an alternative. */
export type StudyValue = number | string | boolean;

/** How the values of an axis lie. */
export type StudyScale = "even" | "log";

/** Something that varies. */
export interface StudyFactor {
  readonly title: string;
  /** In the papers. */
  readonly symbol: string | null;
  readonly unit: string | null;
  /** The fields that it changes. */
  readonly paths: readonly string[];
  /** Its values are words or alternatives, not numbers. */
  readonly isWords: boolean;
  /** The names of words or alternatives on the screen, by value; empty for numbers. */
  readonly names: Readonly<Record<string, string>>;
  readonly scale: StudyScale;
  /** The value that the scenario has; null where that is none of its own. */
  readonly present: StudyValue | null;
  /** What theory recommends: from and to. */
  readonly recommended: readonly [from: number, to: number] | null;
}

/** Something that is measured. */
export interface StudyMeasure {
  /** With its class: `p99 latency, High`. */
  readonly title: string;
  /** What it is called in the study: `p99 latency`. */
  readonly group: string;
  /** Its class, where it is one of every class. */
  readonly class: string | null;
  readonly unit: string | null;
}

/** One value of everything that varies. */
export interface StudyPoint {
  /** A value of each factor. */
  readonly values: readonly StudyValue[];
  /** The fields that differ from the scenario of the study, by path. */
  readonly set: Readonly<Record<string, unknown>>;
  /** Why the engine refuses it; no run is made then. */
  readonly refused: string | null;
  /** Seeds whose results there are. */
  readonly seeds: number;
  /** Seeds that are wanted as far as is known. */
  readonly wanted: number;
  /** It was added where a curve bends. */
  readonly isAdded: boolean;
  /** Of every measure. */
  readonly cells: readonly StudyCell[];
}

/** A measure at a point. */
export interface StudyCell {
  /** The mean over the seeds; null where there is none yet, or no value. */
  readonly mean: number | null;
  /** The ends of its 95 % interval; null with fewer than two seeds. */
  readonly low: number | null;
  readonly high: number | null;
  /** What each seed gave, from the first one on; null where a run failed or there is no value. */
  readonly numbers: readonly (number | null)[];
  /** Why there is no value, where there is none. */
  readonly why: string | null;
}

/** What a study costs. */
export interface StudyCost {
  /** Points that are known of. */
  readonly points: number;
  /** Runs that are made in any case; of a search, what it usually takes. */
  readonly runs: number;
  /** Runs that may be made at most. */
  readonly maxRuns: number;
  /** `runs` is what such a search usually takes. */
  readonly isUsual: boolean;
  /** Events of all of `runs`, as the engine estimates them beforehand. */
  readonly events: number;
  /** Memory of one run, at most of all points looked at. */
  readonly memoryBytes: number;
  /** What keeping all results takes. */
  readonly keptBytes: number;
}

/** How far a study is. */
export interface StudyProgress {
  /** Runs whose results there are. */
  readonly known: number;
  /** Runs that are wanted in all, as far as is known. */
  readonly wanted: number;
  /** What is being done, in a few words: "Narrowing down". */
  readonly doing: string;
  /** Of a search what it thinks of each point of the table by now; empty for other kinds. */
  readonly candidates: readonly Standing[];
}

/**
 * What a search thinks of a point by now. `open`: it may be the answer. `beaten`: it meets the targets and another one is better.
 * `misses`: it misses a target. `leading`: it is being confirmed, or is.
 */
export type Standing = "open" | "beaten" | "misses" | "leading";

/** The answer of a study that is done. */
export type StudyAnswer = SweepAnswer | SensitivityAnswer | SearchAnswer;

export interface SweepAnswer {
  readonly kind: "sweep";
  /** What there is to be said of the table, a sentence each. */
  readonly says: readonly string[];
}

export interface SensitivityAnswer {
  readonly kind: "sensitivity";
  /** One for each measure of the table. */
  readonly rankings: readonly Ranking[];
}

export interface SearchAnswer extends Found {
  readonly kind: "search";
}

/** What moves a measure, most first. */
export interface Ranking {
  /** The measure, by its place. */
  readonly measure: number;
  /** "K moves p99 latency of High most; buffer size does nothing here." */
  readonly says: string;
  /** What another seed moves it by: what does not exceed this is not told from chance. */
  readonly chance: number;
  /** Of all factors, most first. */
  readonly effects: readonly Effect[];
}

/** What a factor does to a measure over its whole range, in the unit of the measure. */
export interface Effect {
  /** The factor, by its place. */
  readonly factor: number;
  /** Mean of the absolute elementary effects (µ*); null where all steps of it were refused. */
  readonly mean: number | null;
  /** The ends of its 95 % interval. */
  readonly low: number | null;
  readonly high: number | null;
  /** Mean of the elementary effects with their signs (µ). */
  readonly signed: number | null;
  /** Their standard deviation (σ): large beside µ* where the effect depends on where one stands. */
  readonly deviation: number | null;
  /** Steps that count. */
  readonly steps: number;
  readonly role: Role;
}

/**
 * What a factor does to a measure. `either`: it moves it one way here and the other way there. `chance`: not told from what another
 * seed does. `nothing`: nothing changed in any step.
 */
export type Role = "raises" | "lowers" | "either" | "chance" | "nothing";

/** What a search found. */
export interface Found {
  /** Whether there are settings that meet all targets, confirmed. */
  readonly isMet: boolean;
  /** No answer was found, and there may be one: the runs ended before all settings were looked at, or before one was confirmed. */
  readonly isStopped: boolean;
  /** The answer in a few words. */
  readonly headline: string;
  /** What to set and how sure that is, or which target cannot be met and what comes nearest. */
  readonly says: string;
  /** The point of the table that answers, or that comes nearest; null where every point is refused. */
  readonly point: number | null;
  /** How each target fares there. */
  readonly targets: readonly TargetView[];
  /** What is preferred, there: of each preference the value, and its 95 % interval where it is a measure. */
  readonly preferred: readonly StudyCell[];
  /** Unseen seeds under which all targets hold together. */
  readonly held: number;
  /** Unseen seeds that were run. */
  readonly of: number;
  /** Share of all seeds under which they hold at least, with 95 % confidence. */
  readonly atLeast: number;
  /** How far each factor may move, alone, before a target breaks. */
  readonly margins: readonly Margin[];
  /** Where two things are preferred: points of the table, none of which is better in both, from the best in the first on. */
  readonly tradeOff: readonly number[];
  /** The point that is the model's first guess: the scenario with what theory recommends; null where theory says nothing. */
  readonly firstGuess: number | null;
  /** How many settings there are. */
  readonly settings: number;
  /** How many of them were looked at. */
  readonly lookedAt: number;
  /** Without an answer, values of settings that were not looked at: of all of them if they are few, else of some. */
  readonly notLookedAt: readonly (readonly StudyValue[])[];
}

/** How a target fares. */
export interface TargetView {
  /** The measure, by its place. */
  readonly measure: number;
  /** "p99 latency, High at most 300 us in 95 % of seeds" */
  readonly says: string;
  /** The mean over the unseen seeds with its interval, with the digits that tell them from the bounds. */
  readonly measured: string | null;
  /** Over the unseen seeds. */
  readonly cell: StudyCell;
  /** Unseen seeds under which it holds. */
  readonly held: number;
  /** How far the worst of the seeds that count lies on the good side of the bound; negative where it misses. */
  readonly margin: number | null;
  /** No other setting tried keeps it while the others hold. */
  readonly isBinding: boolean;
}

/** How far a factor may move, alone, from the answer. */
export interface Margin {
  /** The factor, by its place. */
  readonly factor: number;
  /** The least of its values tried for which all targets still hold; null for words. */
  readonly from: number | null;
  /** The greatest. */
  readonly to: number | null;
  /** What limits it below, as a sentence: what breaks, or that the range ends; null if what is below was not tried. */
  readonly below: string | null;
  /** What limits it above. */
  readonly above: string | null;
}
