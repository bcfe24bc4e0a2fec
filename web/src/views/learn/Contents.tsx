import { useStore } from "zustand";
import { Button } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { chooseLesson } from "../../workbench/files/lessonFile.ts";
import type { Lesson } from "../../workbench/lesson/lesson.ts";
import { Line } from "../../workbench/lesson/Markup.tsx";
import { isDone, progress } from "../../workbench/lesson/progress.ts";
import { learnView } from "../../workbench/state/learnView.ts";
import { useViewState } from "../../workbench/view/viewContext.tsx";
import { LessonPicture } from "./LessonPicture.tsx";
import { durationText, LESSONS, lessonKey, nameOf } from "./lessons.ts";
import { Steps } from "./Steps.tsx";
import TeacherColumn from "./teacher/TeacherColumn.tsx";

/** All lessons: what one can do after each, what it takes, and how far one is. */
export function Contents() {
  const [, change] = useViewState(learnView);
  const { lessons, unkept } = useStore(progress.store);
  const of = (lesson: Lesson) => {
    const kept = lessons[lesson.id];
    return kept?.hash === lessonKey(lesson).hash ? kept : null;
  };
  const done = LESSONS.filter((lesson) => isDone(lesson, of(lesson) ?? { done: [] })).length;
  const begun = LESSONS.filter((lesson) => (of(lesson)?.done.length ?? 0) > 0).length - done;
  const minutes = LESSONS.reduce((sum, lesson) => sum + lesson.minutes, 0);
  return (
    <main className="learn-contents">
      <section className="learn-list" aria-labelledby="learn-title">
        <header>
          <h2 id="learn-title">Learn by predicting</h2>
          <span className="note">{countText(done, begun, LESSONS.length)}</span>
          <Button
            icon="open"
            title="A lesson of your own is a text file: choose it, or drop it anywhere on the page."
            onClick={() => chooseLesson((own) => change({ own, lesson: "", step: 0 }))}
          >
            Open a lesson from a file
          </Button>
        </header>
        <p className="learn-lead">
          Predict, run, explain. {LESSONS.length} lessons, {durationText(minutes)} in all. Under each title:
          what you can do afterwards.
        </p>
        {unkept && (
          <p className="learn-unkept" role="status">
            <Icon name="info" /> {unkept}
          </p>
        )}
        <ol
          className="lesson-cards"
          style={{ gridTemplateRows: `repeat(${Math.ceil(LESSONS.length / 2)}, auto)` }}
        >
          {LESSONS.map((lesson) => {
            const kept = of(lesson);
            return (
              <LessonCard
                key={lesson.id}
                lesson={lesson}
                done={kept?.done ?? []}
                step={kept?.step ?? 0}
                onOpen={(step) => change({ lesson: nameOf(lesson), step, own: "", seed: kept?.seed ?? "" })}
              />
            );
          })}
        </ol>
      </section>
      <TeacherColumn />
    </main>
  );
}

function countText(done: number, begun: number, all: number): string {
  if (done === 0 && begun === 0) return "Nothing is sent: your answers are kept in this browser";
  return `${done} of ${all} done, ${begun} begun; kept in this browser`;
}

interface LessonCardProps {
  readonly lesson: Lesson;
  readonly done: readonly number[];
  readonly step: number;
  readonly onOpen: (step: number) => void;
}

function LessonCard({ lesson, done, step, onOpen }: LessonCardProps) {
  const { id, number, title, outcome, minutes, papers = [], steps } = lesson;
  const finished = isDone(lesson, { done });
  const begun = !finished && done.length > 0;
  return (
    <li className="lesson-card" aria-labelledby={`lesson-${id}`}>
      <LessonPicture id={id} />
      <span className="lesson-number">{number}</span>
      <div className="lesson-about">
        <h3 id={`lesson-${id}`}>
          <button type="button" onClick={() => onOpen(begun ? Math.min(step, steps.length - 1) : 0)}>
            <Line text={title} />
          </button>
        </h3>
        <p>
          <Line text={outcome} />
        </p>
        {papers.length > 0 && <p className="note">{papers.join("; ")}</p>}
        <div className="lesson-state">
          <span className="note">
            {minutes} min, {steps.length} steps
          </span>
          {begun && (
            <>
              <b>
                step {Math.min(step, steps.length - 1) + 1} of {steps.length}
              </b>
              <Button look="primary" onClick={() => onOpen(Math.min(step, steps.length - 1))}>
                Continue
              </Button>
            </>
          )}
          {finished && (
            <b className="lesson-done">
              <Icon name="check" /> done
            </b>
          )}
        </div>
        <Steps lesson={lesson} done={done} />
      </div>
    </li>
  );
}
