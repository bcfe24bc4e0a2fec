import { describe, expect, it } from "vitest";
import { causesOf, countsOf, sumOf } from "../../answers/figures.ts";
import { FIGURE_FILES, PAPERS, RESULTS, scenarioOfRun } from "./figureFiles.ts";

describe("the figures of the page", () => {
  it.each(FIGURE_FILES)("$id has a result with a picture, and its causes their text", ({ id }) => {
    const { rows = [], picture = null, events = 0 } = RESULTS.figures[id] ?? {};
    expect(rows.length).toBeGreaterThan(0);
    expect(picture?.series.length).toBeGreaterThan(0);
    expect(events).toBeGreaterThanOrEqual(0);
    for (const cause of causesOf(rows)) expect(RESULTS.causes[cause], cause).toBeTruthy();
  });

  it("are all that there are results of, and counted so", () => {
    expect(FIGURE_FILES.map(({ id }) => id).toSorted()).toEqual(Object.keys(RESULTS.figures).toSorted());
    const all = Object.values(RESULTS.figures).flatMap(({ rows }) => rows);
    expect(sumOf(RESULTS.tally)).toEqual(countsOf(all));
  });

  it("stand paper by paper, what is of our own last", () => {
    expect(PAPERS.slice(0, 5)).toEqual(["Paper 1", "Paper 2", "Paper 3", "Paper 4", "Paper 5"]);
    expect(PAPERS.at(-1)).toMatch(/^(Own|Our)\b/);
    const ids = FIGURE_FILES.map(({ id }) => id);
    expect(ids.indexOf("paper1-fig9")).toBeLessThan(ids.indexOf("paper1-fig10"));
  });

  it("have scenarios that can be opened, with what their runs change", () => {
    for (const figure of FIGURE_FILES) {
      for (const run of figure.runs ?? []) {
        const { name } = scenarioOfRun(figure, run);
        if (Object.keys(run.set ?? {}).length > 0) expect(name).toContain(figure.source);
      }
    }
  });
});
