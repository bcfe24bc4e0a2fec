import { type Field, oneOf, placeBelow, text } from "../view/linkedState.ts";
import { defineView } from "../view/views.ts";

/** Longest study that a link holds, in letters. */
const STUDY = 20_000;

/** Measures and slices that a link names, by their places. */
const PLACES = 1000;

/** A number, or none, which is how it is at first. */
const level: Field<number | null> = {
  initial: null,
  write: (value) => value,
  read: (json) => (json === null || (typeof json === "number" && Number.isFinite(json)) ? json : undefined),
};

/** A question to many runs of the scenario: how its measures depend on settings, which settings matter, which meet targets. */
export const sweepView = defineView({
  id: "sweep",
  title: "Sweep",
  icon: "sweep",
  isWithoutRun: true,
  isOfScenario: true,
  fields: {
    /** The study as JSON, without its scenario, which is that of the page; a first one is suggested while it is empty. */
    study: text(STUDY),
    /** The measure that is shown where there is room for one, by its place; the first, while there is none. */
    measure: placeBelow(PLACES),
    /** The value of the third thing that varies, by its place; the one nearest to that of the scenario, while there is none. */
    slice: placeBelow(PLACES),
    /** How two things that vary are drawn. */
    form: oneOf(["heat", "curves"], "heat"),
    /** Where the line between better and worse runs over a heat map; through the value of the scenario, while there is none. */
    level,
  },
});
