import type { RefObject } from "react";
import { Button } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { isScored, type Lesson } from "../../workbench/lesson/lesson.ts";
import { Line } from "../../workbench/lesson/Markup.tsx";
import { isDone, type LessonProgress, scoreOf } from "../../workbench/lesson/progress.ts";
import { learnView } from "../../workbench/state/learnView.ts";
import { useInLms, useViewState } from "../../workbench/view/viewContext.tsx";
import { LESSONS, nameOf } from "./lessons.ts";
import HandIn from "./teacher/HandIn.tsx";

interface LessonEndProps {
  readonly lesson: Lesson;
  readonly kept: LessonProgress;
  readonly titleRef: RefObject<HTMLHeadingElement | null>;
  readonly onGo: (step: number) => void;
  readonly onAgain: () => void;
}

/** What one has done in a lesson, and where to go on. */
export function LessonEnd({ lesson, kept, titleRef, onGo, onAgain }: LessonEndProps) {
  const [{ hide }, change] = useViewState(learnView);
  const { points, of } = scoreOf(lesson, kept);
  const answered = Object.keys(kept.answers).length + Object.keys(kept.challenges).length;
  const inLms = useInLms();
  const next = inLms ? undefined : LESSONS.find(({ follows }) => follows === lesson.id);
  return (
    <>
      <h2 id="step-title" ref={titleRef} tabIndex={-1}>
        {hide ? `${answered} of ${of} answered` : `${points} of ${of}`}
      </h2>
      <div className="learn-prose">
        <p>
          {hide
            ? "What happened is hidden until your teacher gives you the link that shows it. Then you can:"
            : isDone(lesson, kept)
              ? "Right predictions and solved challenges, of all. Now you can:"
              : "Right predictions and solved challenges, of all. With the steps that are left open you can:"}
        </p>
        <p>
          <b>
            <Line text={lesson.outcome} />
          </b>
        </p>
      </div>
      <section className="learn-part" aria-labelledby="steps-title">
        <header>
          <h3 id="steps-title">Step by step</h3>
        </header>
        <ul className="learn-summary">
          {lesson.steps.map((step, at) =>
            isScored(step) ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: steps stand in their order
              <li key={at}>
                <button type="button" className="link" onClick={() => onGo(at)}>
                  {at + 1} <Line text={step.title.replace(/\{[^}]*\}/g, "…")} />
                </button>
                <Outcome kept={kept} at={at} hide={hide} />
              </li>
            ) : null,
          )}
        </ul>
      </section>
      <div className="button-row">
        {next && (
          <Button look="primary" onClick={() => change({ lesson: nameOf(next), step: 0, own: "" })}>
            Next lesson
          </Button>
        )}
        {!inLms && <Button onClick={() => change({ lesson: "", own: "", step: 0 })}>All lessons</Button>}
        <Button look="quiet" onClick={onAgain}>
          Start again
        </Button>
      </div>
      <p className="note">Starting again deletes your answers to this lesson.</p>
      {!inLms && <HandIn lesson={lesson} progress={kept} />}
    </>
  );
}

/** What became of a step. */
function Outcome({
  kept: { answers, challenges },
  at,
  hide,
}: {
  readonly kept: LessonProgress;
  readonly at: number;
  readonly hide: boolean;
}) {
  const answered = answers[at];
  const challenge = challenges[at];
  if (hide && answered) return <span className="note">answered</span>;
  const right = answered?.judgement?.right || challenge?.solved;
  const text = right
    ? challenge
      ? "solved"
      : "right"
    : challenge?.shown
      ? "solution shown"
      : answered?.answer.kind === "unknown"
        ? "not known"
        : answered
          ? "not as predicted"
          : "left open";
  return (
    <span className={right ? "happened" : "note"}>
      {right && <Icon name="check" />} {text}
    </span>
  );
}
