import threeWriters from "../../../scenarios/three-writers.json";
import type { Scenario } from "./types.ts";

/** The scenario that stands first, by the name of its file. */
export const FIRST = "three-writers";

/** What a page opened without a link shows; the others are fetched when somebody looks for them. */
export const firstScenario = threeWriters as unknown as Scenario;
