import type { FigureRun } from "../../engine/campaign/figures/figureRuns.ts";
import { FIGURE_FILES, RESULTS } from "./figureFiles.ts";

/** The report of all figures for other programs: what is kept, and what this page found where it ran them again. */
export const reportOf = (
  engineVersion: string,
  runs: Readonly<Record<string, FigureRun>>,
  made = new Date(),
) => ({
  title: "Published figures, run again",
  engineVersion,
  made: made.toISOString(),
  tally: RESULTS.tally,
  figures: FIGURE_FILES.map(({ id, source, title, claim }) => {
    const { rows = [], digest = null } = RESULTS.figures[id] ?? {};
    const run = runs[id];
    const here =
      run?.phase === "done" ? { digest: run.digest, same: run.digest === digest, rows: run.rows } : null;
    return { id, source, title, claim, digest, rows, runHere: here };
  }),
});
