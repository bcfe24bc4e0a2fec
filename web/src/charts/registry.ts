import { hasNetwork, outOfReach } from "../run/bottleneck.ts";
import type { RunView } from "../run/types.ts";
import type { ChartChoice, Subject, TimeForm } from "./form.ts";
import { linesForm } from "./time/lines.ts";
import { qualityForm } from "./time/quality.ts";
import { queueForm } from "./time/queue.ts";
import { shareForm } from "./time/share.ts";
import { throughputForm } from "./time/throughput.ts";

/**
 * The forms of charts over time. Menus, links and the page read them from here: a new form is a file of its own and an
 * entry in this list.
 */
export const FORMS: readonly TimeForm[] = [throughputForm, shareForm, qualityForm, queueForm, linesForm];

/** Everything that a chart over time can show, in the order of the menu. */
export const SUBJECTS: readonly Subject[] = FORMS.flatMap(({ subjects }) => subjects);

/** A subject with the form that draws it. */
export interface Shown {
  readonly subject: Subject;
  readonly form: TimeForm;
}

/** What an identifier stands for; undefined for one that no form knows. */
export function shownBy(id: string): Shown | undefined {
  for (const form of FORMS) {
    const subject = form.subjects.find((item) => item.id === id);
    if (subject) return { subject, form };
  }
  return undefined;
}

/** What runs side by side show in the place of a subject, and why. */
export interface Replacement {
  readonly subject: string;
  readonly reason: string;
}

/**
 * What stands in the place of a subject that says nothing of these runs; null where it does. Runs that are compared show the same, so
 * one of them decides for all.
 */
export function replacementOf(id: string, runs: readonly RunView[]): Replacement | null {
  if (id === "quality") {
    const reason = runs.map(outOfReach).find((text) => text !== null);
    return reason ? { subject: "share", reason: `no targets in Gb/s: ${reason}` } : null;
  }
  if (id === "queue" && runs.every((run) => !hasNetwork(run)))
    return { subject: "inDevice", reason: "nothing goes over the network" };
  return null;
}

/** Separates the subject from of whom its lines are, in a link. */
const OF = ":";

/** A choice as a link has it: "quality", "rateGbps:connection". */
export const choiceText = ({ subject, by }: ChartChoice): string =>
  by === "class" ? subject : `${subject}${OF}${by}`;

/** The choice that a link has; undefined where no form knows it. */
export function choiceOf(text: string): ChartChoice | undefined {
  const [subject = "", by, ...more] = text.split(OF);
  if (more.length > 0 || (by !== undefined && by !== "connection") || !shownBy(subject)) return undefined;
  return { subject, by: by ?? "class" };
}
