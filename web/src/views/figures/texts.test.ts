import { expect, it } from "vitest";
import { countsOf } from "../../answers/figures.ts";
import { figuresView } from "../../workbench/state/figuresView.ts";
import { readShort } from "../../workbench/view/shortLinks.ts";
import { FIGURE_FILES, RESULTS, runTitle } from "./figureFiles.ts";
import { claimText, distanceText, hereText, withMinus } from "./texts.ts";

it("numbers have a true minus, ranges and words none", () => {
  expect(withMinus("-66 ± 7")).toBe("−66 ± 7");
  expect(withMinus("at least -5 (-3 to 4)")).toBe("at least −5 (−3 to 4)");
  expect(withMinus("17-98 blocks, ns-3")).toBe("17-98 blocks, ns-3");
});

it("claims of a paper are reported as such, and the outcome follows from the verdicts", () => {
  const late = FIGURE_FILES.find(({ id }) => id === "paper1-fig10");
  if (!late) throw new Error("the figure is gone");
  expect(claimText(late)).toMatch(/^Paper 1 reports: When two classes enter late/);
  expect(hereText(countsOf(RESULTS.figures[late.id]?.rows ?? []))).toBe(
    "Here: 0 of 2 rows reproduced, 2 not.",
  );
  expect(claimText({ source: "Own scenario", claim: "Both." })).toBe("Expected: Both.");
});

it("runs are titled in words, never by the names that expressions read", () => {
  for (const { runs = [] } of FIGURE_FILES)
    for (const run of runs) if (!run.title) expect(runTitle(run)).not.toBe(run.name);
});

it.each([
  ["Wait, µs", "-36.1", "−36.1 µs"],
  ["Missed, %", "+4.2", "+4.2 points"],
  ["Carried, Gb/s", "+1.0", "+1.0 Gb/s"],
  ["Wait, µs", "+1730.2 %", "+1730.2 %"],
  ["Slots, g = 1/2", "+3", "+3"],
  ["Wait, µs", "", ""],
])("the distance of %s, %s, is %s", (quantity, distance, text) => {
  expect(distanceText({ quantity, distance })).toBe(text);
});

it.each([
  ["#figure=paper1-fig12a", { figure: "paper1-fig12a" }],
  ["#figures", { paper: "", verdict: "all", search: "" }],
  [
    "#figures&paper=Paper%201&verdict=not&search=even%20shares",
    { paper: "Paper 1", verdict: "not", search: "even shares" },
  ],
  ["#figures&verdict=nonsense", { paper: "", verdict: "all", search: "" }],
])("the link %s opens what it says, and is written so", (fragment, state) => {
  const reached = readShort([figuresView], fragment);
  expect(reached).toEqual({ view: figuresView, state });
  const whole = { figure: "", paper: "", verdict: "all", search: "", ...state } as const;
  const written = figuresView.short?.write(whole as Parameters<typeof figuresView.short.write>[0]);
  if (!fragment.includes("nonsense")) expect(`#${written}`).toBe(fragment);
});
