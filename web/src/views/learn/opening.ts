import { openLesson, seedOf } from "../../engine/campaign/lessons/lessons.ts";
import type { Refusal } from "../../engine/files/opening.ts";
import { EngineRefused } from "../../engine/rpc/errors.ts";
import { scenarioNamed } from "../../scenario/named.ts";
import type { LessonEngine } from "../../workbench/lesson/lesson.ts";

/** Has the engine read a lesson; it is refused with all that is wrong in it. */
export const openPlay = (json: string): Promise<LessonEngine> => openLesson(json, scenarioNamed);

/** The seed that a text stands for: a number is one, a name gives one; null where the scenarios have theirs. */
export async function seedNumber(text: string): Promise<number | null> {
  if (text === "") return null;
  return /^\d{1,9}$/.test(text) ? Number(text) : seedOf(text);
}

/** Why a lesson was not opened, as the page says it of scenarios. */
export function refusalOf(error: unknown, what: string): Refusal {
  const title = `${what} was not opened`;
  if (error instanceof EngineRefused) {
    const { diagnostics } = error;
    const sentence =
      diagnostics.length === 1
        ? "An error keeps it from being taken."
        : "These errors keep it from being taken.";
    return { kind: "invalid", title, sentence, diagnostics };
  }
  return {
    kind: "broken",
    title,
    sentence: error instanceof Error ? error.message : String(error),
    diagnostics: [],
  };
}
