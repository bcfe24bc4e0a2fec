import type { Stretch } from "../../charts/time/timeRange.ts";
import { type Field, MAX_TIME_US, stretch } from "../view/linkedState.ts";

/** The stretch of time that the charts of a view show; all of it, while there is none. */
export const timeField: Field<Stretch | null> = stretch(MAX_TIME_US);
