import { encodeFragment } from "../../../scenario/codec.ts";
import { firstScenario } from "../../../scenario/first.ts";
import type { Lesson } from "../../../workbench/lesson/lesson.ts";
import { learnView } from "../../../workbench/state/learnView.ts";
import { nameOf } from "../lessons.ts";
import { BY_NAME } from "./student.ts";

/** How the runs of a class are drawn. */
export const SEEDS = [
  { value: "lesson", title: "Same runs for all" },
  { value: "fixed", title: "Same runs, another seed" },
  { value: "name", title: "Own runs for each student" },
] as const;
export type SeedChoice = (typeof SEEDS)[number]["value"];

/** What a teacher chooses of a link for a class. */
export interface ClassLink {
  /** From 1. */
  readonly step: number;
  readonly hide: boolean;
  readonly lock: boolean;
  readonly seed: SeedChoice;
  /** Of `fixed`. */
  readonly number: number;
}

export const FIRST_LINK: ClassLink = { step: 1, hide: false, lock: false, seed: "lesson", number: 1 };

/** The seed as links have it: empty, a number, or the word that asks for a name. */
export const seedText = ({ seed, number }: ClassLink): string =>
  seed === "lesson" ? "" : seed === "fixed" ? String(number) : BY_NAME;

/** A lesson, and its text where it is none of QoScope's. */
export interface Chosen {
  readonly lesson: Lesson;
  readonly own: string;
}

/** What the view shows of a link. */
export const stateOf = ({ lesson, own }: Chosen, link: ClassLink) => ({
  lesson: own === "" ? nameOf(lesson) : "",
  own,
  step: link.step - 1,
  hide: link.hide,
  lock: link.lock,
  seed: seedText(link),
  projector: false,
  page: "" as const,
  answers: "",
});

/** The fragment of a link, `#` included: a short one for a lesson of QoScope, else one that has the lesson in it. */
export function classFragment(chosen: Chosen, link: ClassLink): string {
  const state = stateOf(chosen, link);
  const short = learnView.short?.write(state) ?? null;
  if (short !== null) return `#${short}`;
  const said = Object.fromEntries(
    Object.entries(state).filter(([, value]) => value !== "" && value !== false && value !== 0),
  );
  return encodeFragment(firstScenario, JSON.stringify({ view: learnView.id, state: said }));
}
