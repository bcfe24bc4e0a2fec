import type { ChartChoice } from "../../charts/form.ts";
import { choiceOf, choiceText } from "../../charts/registry.ts";
import { OPERATIONS, STATISTICS } from "../../run/stages.ts";
import type { Scenario } from "../../scenario/types.ts";
import { flag, listOf, numbers, oneOf, placeBelow } from "../view/linkedState.ts";
import { defineView } from "../view/views.ts";
import { timeField } from "./timeField.ts";
import { wishField } from "./wishField.ts";

/** What the stacked charts show at first, from the top: subjects that every run has. */
export const STACK: readonly ChartChoice[] = ["throughput", "quality", "queue"].map((subject) => ({
  subject,
  by: "class",
}));

/** What says much the same: Q as well as shares compare with targets. */
const ALIKE: Readonly<Record<string, string>> = { quality: "share" };

/** What the stacked charts show of a scenario that is opened: what its story names, and the usual below. */
export function openingCharts({ story }: Scenario): readonly ChartChoice[] {
  const named = (story?.charts ?? []).flatMap((text) => choiceOf(text) ?? []);
  const isNamed = (subject: string | undefined) => named.some((choice) => choice.subject === subject);
  const others = STACK.filter(({ subject }) => !isNamed(subject) && !isNamed(ALIKE[subject]));
  return [...named, ...others].slice(0, STACK.length);
}

/** Classes that a scenario has at most. */
const CLASSES = 16;

/** One scenario and its run: settings, network, charts, results. */
export const exploreView = defineView({
  id: "explore",
  title: "Explore",
  icon: "queue",
  fields: {
    /** What the stacked charts show, from the top. */
    charts: listOf(STACK, choiceText, choiceOf),
    /** The stretch of time that they show; all of it, while there is none. */
    time: timeField,
    /** What the links of the network show. */
    links: oneOf(["utilisation", "classes"], "utilisation"),
    /** How much of its picture is shown, and which part: scale, left, top. */
    zoom: numbers([1, 0, 0], [0, 8]),
    /** The network as tables. */
    tables: flag(false),
    /** The network is drawn, not watched. */
    edit: flag(false),
    /** What of the times of requests the stages show. */
    stages: oneOf(STATISTICS, "mean"),
    /** Of which of them. */
    requests: oneOf(OPERATIONS, "all"),
    /** The request that is followed; none while the charts show all of them. */
    follow: wishField,
    /** The class whose settings are unfolded, by its place. */
    class: placeBelow(CLASSES),
  },
  opening: (scenario) => ({ charts: openingCharts(scenario) }),
});
