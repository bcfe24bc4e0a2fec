import { MAX_TIME_US, numbers, oneOf, placeBelow, stretch, word } from "../view/linkedState.ts";
import { defineView } from "../view/views.ts";

/** Classes that a scenario has at most, and nested classes that a contract has. */
const CLASSES = 16;
const NESTED = 8;

/** What a server must do to keep what its tenants are promised, and who keeps it. */
export const planView = defineView({
  id: "plan",
  title: "Plan",
  icon: "plan",
  fields: {
    /** The tenant that is looked at, by its place; the first, while there is none. */
    tenant: placeBelow(CLASSES),
    /** Arrivals by length of window, or as time goes by. */
    arrivals: oneOf(["window", "time"], "window"),
    /** The time that is looked at; all of it, while there is none. */
    range: stretch(MAX_TIME_US),
    /** The scheduler whose response times are shown; that of the scenario, while it is empty. */
    scheduler: word(""),
    /** The nested class by whose response time schedulers are compared; the first, while there is none. */
    promise: placeBelow(NESTED),
    /** The ladder of bursts is shown. */
    ladder: oneOf(["off", "on"], "off"),
    /** Its amount, the ends of its first two parts, its last step, and the length of a step in milliseconds. */
    steps: numbers([10, 5, 10, 30, 100], [1, 10_000]),
    /** The group of each class, by number. */
    groups: numbers(new Array(CLASSES).fill(0), [0, CLASSES - 1]),
  },
});
