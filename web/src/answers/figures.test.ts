import { describe, expect, it } from "vitest";
import type { FigureRow, RowOutcome } from "../generated/answers.d.ts";
import { causesOf, countsOf, countsText, paperOf, rowsThatMatter, sumOf, verdictOf } from "./figures.ts";

const row = (outcome: RowOutcome, quantity = "", cause: string | null = null): FigureRow => ({
  case: "",
  quantity,
  reference: "",
  ours: "",
  band: "",
  distance: "",
  verdict: outcome,
  outcome,
  cause,
  published: null,
  mean: null,
  low: null,
  high: null,
  bandLow: null,
  bandHigh: null,
});
const rows = (...outcomes: RowOutcome[]) => outcomes.map((outcome) => row(outcome));
const told = (...outcomes: RowOutcome[]) => {
  const counts = countsOf(rows(...outcomes));
  return [verdictOf(counts), countsText(counts)];
};

describe("the verdict of a figure", () => {
  it("is that of its worst published row", () => {
    expect(told("reproduced", "reproduced")).toEqual(["reproduced", "All 2 rows reproduced"]);
    expect(told("reproduced", "inOrder")).toEqual(["inOrder", "1 of 2 rows reproduced, 1 in order only"]);
    expect(told("reproduced", "inOrder", "notReproduced")).toEqual([
      "not",
      "1 of 3 rows reproduced, 1 in order only, 1 not",
    ]);
  });

  it("is not to have come out where a row is missed that nobody knew of", () => {
    expect(told("reproduced", "missed")[0]).toBe("not");
  });

  it("is none where nothing was published, whatever controls say", () => {
    expect(told("control", "arithmetic", "control")).toEqual([
      "unpublished",
      "Nothing published to compare with: 1 row of arithmetic, 2 controls",
    ]);
    expect(told("reproduced", "control")).toEqual(["reproduced", "1 of 1 row reproduced"]);
  });
});

describe("rows of figures", () => {
  it("are counted over papers", () => {
    const tally = [
      countsOf(rows("reproduced", "inOrder")),
      countsOf(rows("reproduced", "missed", "control")),
    ];
    expect(sumOf(tally)).toEqual({ reproduced: 2, inOrder: 1, not: 1, arithmetic: 0, controls: 1 });
  });

  it("that matter are published ones, and one that is not reproduced among them", () => {
    const all = [
      row("control", "a"),
      row("reproduced", "b"),
      row("reproduced", "c"),
      row("reproduced", "d"),
      row("notReproduced", "e"),
    ];
    expect(rowsThatMatter(all, 3).map(({ quantity }) => quantity)).toEqual(["b", "c", "e"]);
    expect(rowsThatMatter(all.slice(0, 3), 3).map(({ quantity }) => quantity)).toEqual(["b", "c", "a"]);
  });

  it("share causes, each of which is told once", () => {
    const all = [row("notReproduced", "a", "One"), row("notReproduced", "b", "One"), row("reproduced")];
    expect(causesOf(all)).toEqual(["One"]);
  });
});

it.each([
  ["Paper 1, fig. 12a", "Paper 1"],
  ["ns-3 (commit 14064644), A1", "ns-3"],
  ["Paper 5", "Paper 5"],
])("the paper of %s is %s", (source, paper) => {
  expect(paperOf(source)).toBe(paper);
});
