import type { Lesson } from "../../workbench/lesson/lesson.ts";
import { keyOf, type LessonKey } from "../../workbench/lesson/progress.ts";

/** The lessons of QoScope as they were written, in their order. */
export const LESSONS: readonly Lesson[] = Object.values(
  import.meta.glob<Lesson>("../../../../scenarios/lessons/*.json", { eager: true, import: "default" }),
).sort((a, b) => (a.number ?? 0) - (b.number ?? 0));

const KEYS = new Map(LESSONS.map((lesson) => [lesson.id, keyOf(lesson)]));

/** The version of a lesson of QoScope. */
export const lessonKey = (lesson: Lesson): LessonKey => KEYS.get(lesson.id) ?? keyOf(lesson);

/** The lesson that a link names by its number or its id. */
export const lessonNamed = (name: string): Lesson | undefined =>
  LESSONS.find(({ id, number }) => id === name || String(number) === name);

/** How a link names it: by its number where it has one. */
export const nameOf = ({ id, number }: Lesson): string => (number == null ? id : String(number));

/** "2 h 33 min" */
export function durationText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}
