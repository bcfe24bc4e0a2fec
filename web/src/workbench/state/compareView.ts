import { choiceOf, choiceText } from "../../charts/registry.ts";
import { type Field, listOf, oneOf } from "../view/linkedState.ts";
import { defineView } from "../view/views.ts";
import { openingCharts, STACK } from "./exploreView.ts";
import { timeField } from "./timeField.ts";

/** Runs that the current one is compared with at a time. */
export const MAX_BASELINES = 3;

/** Scenarios to compare with, as JSON has them: the engine has still to accept each. */
const baselines: Field<readonly object[]> = {
  initial: [],
  isKept: true,
  write: (value) => value,
  read: (json) =>
    Array.isArray(json) &&
    json.length <= MAX_BASELINES &&
    json.every((item) => typeof item === "object" && item !== null && !Array.isArray(item))
      ? json
      : undefined,
};

/** The current run beside others, in step. */
export const compareView = defineView({
  id: "compare",
  title: "Compare",
  icon: "compare",
  fields: {
    /** What the run is compared with, from the left. */
    baselines,
    /** What the stacked charts show, from the top. */
    charts: listOf(STACK, choiceText, choiceOf),
    /** The stretch of time that they show; all of it, while there is none. */
    time: timeField,
    /** On a phone: the figures of all, or one of the runs, by its place from the left. */
    shown: oneOf(["figures", "0", "1", "2", "3"], "figures"),
  },
  opening: (scenario) => ({ charts: openingCharts(scenario) }),
});
