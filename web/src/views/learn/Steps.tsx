import type { Lesson } from "../../workbench/lesson/lesson.ts";

interface StepsProps {
  readonly lesson: Pick<Lesson, "steps">;
  readonly done: readonly number[];
  /** The step that is shown; absent where none is. */
  readonly current?: number;
  /** Goes to a step; absent where the bar only shows. */
  readonly onGo?: (step: number) => void;
  /** Whether a step can be gone to. */
  readonly isOpen?: (step: number) => boolean;
}

/** The steps of a lesson, each a segment: dark where it is done. */
export function Steps({ lesson, done, current, onGo, isOpen = () => true }: StepsProps) {
  return (
    <ol className="lesson-steps" aria-label="Steps">
      {lesson.steps.map((step, at) => {
        const state = done.includes(at) ? "done" : at === current ? "current" : "to come";
        const label = `Step ${at + 1}, ${state}: ${step.title.replaceAll("*", "").replace(/\{[^}]*\}/g, "…")}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps stand in their order
          <li key={at} data-state={at === current ? "current" : state}>
            {onGo && isOpen(at) ? (
              <button
                type="button"
                aria-label={label}
                title={label}
                aria-current={at === current ? "step" : undefined}
                onClick={() => onGo(at)}
              />
            ) : (
              <span className="visually-hidden">{label}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
