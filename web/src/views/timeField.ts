import type { Stretch } from "../charts/timeRange.ts";
import { type Field, stretch } from "./linkedState.ts";

/** A day. */
const LONGEST_US = 86_400e6;

/** The stretch of time that the charts of a view show; all of it, while there is none. */
export const timeField: Field<Stretch | null> = stretch(LONGEST_US);
