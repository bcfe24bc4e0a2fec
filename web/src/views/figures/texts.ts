import { type Counts, countsText, type FigureVerdict, paperOf } from "../../answers/figures.ts";
import type { FigureRun } from "../../engine/campaign/figures/figureRuns.ts";
import type { FigureRow } from "../../generated/answers.d.ts";
import type { FigureFile } from "./figureFiles.ts";

/** What each verdict of a figure as a whole is called where figures are chosen by it. */
export const VERDICT_TITLES: Readonly<Record<FigureVerdict, string>> = {
  reproduced: "Every row reproduced",
  inOrder: "Some in order only",
  not: "Some not reproduced",
  unpublished: "Nothing published",
};

/** What the papers are about; other sources speak for themselves. */
const SUBJECTS: Readonly<Record<string, string>> = {
  "Paper 1": "End-to-end QoS",
  "Paper 2": "QTCP",
  "Paper 3": "DIRS",
  "Paper 4": "Nested QoS",
  "Paper 5": "NVMe-oF",
};

export const paperTitle = (paper: string): string => {
  const subject = SUBJECTS[paper];
  return subject ? `${paper.replace("Paper ", "")} ${subject}` : paper;
};

/** The claim of a figure, with whose claim it is: our runs may deny it. */
export const claimText = ({ source, claim }: Pick<FigureFile, "source" | "claim">): string =>
  `${source.startsWith("Paper ") ? `${paperOf(source)} reports` : "Expected"}: ${claim}`;

/** The outcome of our runs, from the verdicts of the rows. */
export const hereText = (counts: Counts): string => `Here: ${countsText(counts)}.`;

/** The unit at the end of a quantity: "Queue, packets". */
const UNIT = /, (%|[a-zµ]+|[kMG]?[bB]\/s)$/;

/** The distance of a row with its unit: a percentage, or the unit that the quantity ends with. */
export function distanceText({ distance, quantity }: Pick<FigureRow, "distance" | "quantity">): string {
  const unit = distance === "" || distance.endsWith("%") ? "" : (UNIT.exec(quantity)?.[1] ?? "");
  return withMinus(unit === "" ? distance : `${distance}${unit === "%" ? " points" : ` ${unit}`}`);
}

/** A text of a table as the screen writes numbers: with a true minus. */
export const withMinus = (text: string): string => text.replace(/(^|[\s(])-(?=\d)/g, "$1−");

/** What running a figure again has come to, beside the digest that is kept; empty where there is nothing to say. */
export function outcomeText(run: FigureRun | undefined, kept: string): string {
  if (run?.phase === "failed") return `It stopped: ${run.sentence}`;
  if (run?.phase === "cancelled")
    return `Cancelled after ${run.finished} of ${run.wanted} runs. What they gave is in the table.`;
  if (run?.phase !== "done" || run.digest === null) return "";
  return run.digest === kept
    ? `The same digest as the command line and as the kept result: ${run.digest}.`
    : `The digest here is ${run.digest}, that of the kept result ${kept}: this page did not compute the same.`;
}
