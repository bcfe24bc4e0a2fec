import type { ChartChoice, Subject, TimeForm } from "./form.ts";
import { linesForm } from "./lines.ts";
import { qualityForm } from "./quality.ts";
import { queueForm } from "./queue.ts";
import { shareForm } from "./share.ts";
import { throughputForm } from "./throughput.ts";

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
