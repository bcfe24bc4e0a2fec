import references from "../generated/references.json";
import type { Scenarios } from "./themes.ts";

/** Scenarios of cases of other simulators, by the names of their files. The menu does not have them. */
export const REFERENCES = references as unknown as Scenarios;
