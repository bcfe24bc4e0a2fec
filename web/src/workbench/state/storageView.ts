import { OPERATIONS, STATISTICS } from "../../run/stages.ts";
import { flag, oneOf, placeBelow } from "../view/linkedState.ts";
import { defineView } from "../view/views.ts";

/** Devices that a scenario has at most, as far as a link names them. */
const DEVICES = 65_536;

/** One storage device: its queues, its chips over time, and what becomes of the classes in it. */
export const storageView = defineView({
  id: "storage",
  title: "Storage",
  icon: "storage",
  fields: {
    /** The device that is shown, by its place among all of them; the first, while there is none. */
    device: placeBelow(DEVICES),
    /** What of the times of requests the stages show, and of which requests. */
    stages: oneOf(STATISTICS, "mean"),
    requests: oneOf(OPERATIONS, "all"),
    /** In its place, how a drive is fitted to measurements. */
    fit: flag(false),
  },
});
