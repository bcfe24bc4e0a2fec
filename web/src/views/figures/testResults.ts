import type { FigureResults, FigureRow, RowOutcome } from "../../generated/answers.d.ts";

/** For tests of the view: results of two figures, made up. */
const row = (quantity: string, outcome: RowOutcome, rest: Partial<FigureRow> = {}): FigureRow => ({
  case: "paper1-fig12a-qtcp",
  quantity,
  reference: "48.00",
  ours: "47.42 ± 0.43",
  band: "±3",
  distance: "-0.58",
  verdict: outcome === "notReproduced" ? "not reproduced" : "reproduced",
  outcome,
  cause: outcome === "notReproduced" ? "The gain of paper 1" : null,
  published: 48,
  mean: 47.42,
  low: 46.99,
  high: 47.85,
  bandLow: 45,
  bandHigh: 51,
  ...rest,
});

export const TEST_RESULTS: FigureResults = {
  figures: {
    "paper1-fig12a": {
      rows: [
        row("total, Gb/s", "reproduced"),
        row("High, Gb/s", "reproduced"),
        row("Medium, Gb/s", "reproduced"),
        row("High, g = 1/2, Gb/s", "notReproduced", { ours: "42.17 ± 1.02", distance: "-5.83" }),
      ],
      picture: {
        kind: "bars",
        x: { title: "" },
        y: { title: "Carried", unit: "Gb/s" },
        groups: ["QTCP"],
        series: [{ title: "High", class: "High", points: [[0, 47.4]], published: [[0, 48]] }],
      },
      plot: "5c8d3e2f",
      events: 1_000_000,
      digest: "57df2678ca4d70b4",
    },
    "ref-mqsim-gc": {
      rows: [row("writes", "reproduced", { case: "" })],
      picture: null,
      plot: "",
      events: 2_000_000,
      digest: "0123456789abcdef",
    },
  },
  tally: [
    { paper: "Paper 1", reproduced: 3, inOrder: 0, not: 1, arithmetic: 0, controls: 0 },
    { paper: "MQSim", reproduced: 1, inOrder: 0, not: 0, arithmetic: 0, controls: 0 },
  ],
  causes: { "The gain of paper 1": "*With g = 1/2.*\n\nCuts are deep." },
};
