import storageThreeClasses from "../../../scenarios/presets/storage-three-classes.json";
import type { Scenario } from "./types.ts";

/** The scenario that stands first, by the name of its file. */
export const FIRST = "storage-three-classes";

/** What a page opened without a link shows; the others are fetched when somebody looks for them. */
export const firstScenario = storageThreeClasses as unknown as Scenario;
