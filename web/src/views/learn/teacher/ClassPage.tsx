import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useStore } from "zustand";
import { formatPercent } from "../../../charts/drawing/format.ts";
import { Button } from "../../../ui/Button.tsx";
import { Icon } from "../../../ui/Icon.tsx";
import { Select } from "../../../ui/Select.tsx";
import { Toggle } from "../../../ui/Toggle.tsx";
import { useWidth } from "../../../ui/useWidth.ts";
import { chooseLesson } from "../../../workbench/files/lessonFile.ts";
import { isScored, type Lesson, type LessonEngine, type Told } from "../../../workbench/lesson/lesson.ts";
import { Line, plain } from "../../../workbench/lesson/Markup.tsx";
import { keyOf, scoreOf } from "../../../workbench/lesson/progress.ts";
import { saveFile } from "../../../workbench/save.ts";
import { learnView } from "../../../workbench/state/learnView.ts";
import { useViewState } from "../../../workbench/view/viewContext.tsx";
import { LESSONS, lessonKey, nameOf } from "../lessons.ts";
import { openPlay } from "../opening.ts";
import { CurveAnswers, NumberAnswers } from "./AnswerChart.tsx";
import { ANSWERS_NAME, type Answers, fileNameOf } from "./answersFile.ts";
import {
  type ClassState,
  classStore,
  collectFiles,
  collectLinks,
  forgetClass,
  replaceAnswers,
} from "./classStore.ts";
import {
  answersTo,
  challengeAt,
  csvOf,
  type Distribution,
  distributionAt,
  studentTitle,
} from "./collected.ts";
import { Cancelled, type Judging, judgeHere } from "./judging.ts";
import "./ClassPage.css";

/** Fewest pixels that a distribution is drawn in. */
const MIN_WIDTH = 280;

/** A class's answers: what was predicted, question by question, and what happened. Nothing leaves the tab. */
export default function ClassPage() {
  const state = useStore(classStore);
  const [{ answers: handedIn }, change] = useViewState(learnView);
  useFileDrops();
  // A link to answers has been opened: they are taken in once.
  useEffect(() => {
    if (handedIn === "") return;
    collectLinks(`#${ANSWERS_NAME}=${handedIn}`);
    change({ answers: "" });
  }, [handedIn, change]);
  const { answers, refused } = state.collected;
  const ids = [...new Set(answers.map(({ lesson }) => lesson.id))];
  const id = ids.includes(state.lesson) ? state.lesson : (ids[0] ?? "");
  const lesson = lessonOf(state, id);
  return (
    <main className="class-page">
      <header className="class-head">
        <Button look="quiet" icon="back" onClick={() => change({ page: "" })}>
          Lessons
        </Button>
        <h2>Class</h2>
        <span className="note">
          Everything stays in this tab: nothing is sent, and nothing is kept once you close it.
        </span>
      </header>
      <TakeIn isEmpty={answers.length + refused.length === 0} />
      <Refused list={refused} />
      <Twice state={state} />
      {ids.length > 0 && (
        <section className="class-part class-lesson" aria-label="Lesson">
          {ids.length > 1 ? (
            <Select
              aria-label="Lesson"
              value={id}
              options={ids.map((one) => ({ value: one, title: titleOf(answers, one) }))}
              onChange={(next) => classStore.setState({ lesson: next })}
            />
          ) : (
            <h3>{titleOf(answers, id)}</h3>
          )}
          {lesson === null && <Missing id={id} />}
        </section>
      )}
      {lesson && <OfLesson key={id} state={state} chosen={lesson} />}
    </main>
  );
}

/** Students who handed in more than once. */
function Twice({ state: { collected, named } }: { readonly state: ClassState }) {
  const { answers, replaced } = collected;
  if (replaced.length === 0) return null;
  return (
    <section className="class-part" aria-label="Handed in more than once">
      <ul>
        {replaced.map(({ kept, left }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they only grow
          <li key={at} className="note">
            {studentTitle(kept, answers, named)} handed in more than once:{" "}
            {kept.saved === left.saved
              ? "both are the same."
              : `the answers of ${timeOf(kept)} count, those of ${timeOf(left)} do not.`}
          </li>
        ))}
      </ul>
    </section>
  );
}

const timeOf = ({ saved }: Answers): string => new Date(saved).toLocaleString();

interface Chosen {
  readonly lesson: Lesson;
  /** As it was written. */
  readonly json: string;
}

/** The lesson that answers are about: one of QoScope's, or one that the teacher has given; null while it is not here. */
function lessonOf({ own }: ClassState, id: string): Chosen | null {
  const json = own[id];
  if (json !== undefined) return { lesson: JSON.parse(json) as Lesson, json };
  const lesson = LESSONS.find((one) => one.id === id);
  return lesson ? { lesson, json: JSON.stringify(lesson) } : null;
}

const titleOf = (answers: readonly Answers[], id: string): string => {
  const known = LESSONS.find((one) => one.id === id);
  return plain(
    known
      ? `${nameOf(known)} ${known.title}`
      : (answers.find((one) => one.lesson.id === id)?.lesson.title ?? id),
  );
};

/** Takes what is dropped on this page; what is dropped on others opens a scenario or a lesson. */
function useFileDrops(): void {
  useEffect(() => {
    const drop = (event: DragEvent) => {
      const files = event.dataTransfer?.files;
      if (!files?.length) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      void collectFiles(files);
    };
    // Before the page's own listener, which opens one file.
    addEventListener("drop", drop, { capture: true });
    return () => removeEventListener("drop", drop, { capture: true });
  }, []);
}

function TakeIn({ isEmpty }: { readonly isEmpty: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const [pasting, setPasting] = useState(false);
  const [links, setLinks] = useState("");
  const id = useId();
  return (
    <section className="class-part class-take" aria-label="Collect answers" data-empty={isEmpty}>
      <p>
        {isEmpty
          ? "Drop the students' answer files anywhere on this page: all at once, or as they come."
          : "Drop more answer files anywhere on this page."}
      </p>
      <div className="button-row">
        <Button icon="open" look={isEmpty ? "primary" : "default"} onClick={() => input.current?.click()}>
          Choose files
        </Button>
        <input
          ref={input}
          className="visually-hidden"
          type="file"
          multiple
          accept=".json,application/json"
          aria-label="Answer files"
          tabIndex={-1}
          onChange={({ target }) => {
            void collectFiles([...(target.files ?? [])]);
            target.value = "";
          }}
        />
        <Button icon="link" aria-expanded={pasting} onClick={() => setPasting(!pasting)}>
          Paste links
        </Button>
        {!isEmpty && (
          <Button look="quiet" icon="trash" onClick={forgetClass}>
            Forget all
          </Button>
        )}
      </div>
      {pasting && (
        <form
          className="class-links"
          onSubmit={(event) => {
            event.preventDefault();
            collectLinks(links);
            setLinks("");
            setPasting(false);
          }}
        >
          <label htmlFor={id}>Links to answers, as the students sent them</label>
          <textarea id={id} rows={4} value={links} onChange={(event) => setLinks(event.target.value)} />
          <Button type="submit">Take these in</Button>
        </form>
      )}
    </section>
  );
}

function Refused({ list }: { readonly list: ClassState["collected"]["refused"] }) {
  if (list.length === 0) return null;
  return (
    <section className="class-part class-refused" aria-labelledby="class-refused">
      <h3 id="class-refused">
        <Icon name="warning" /> Not taken: {list.length}
      </h3>
      <ul>
        {list.map(({ name, faults }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they only grow
          <li key={at}>
            <b>{name}</b>
            <ul>
              {faults.map((fault) => (
                <li key={fault}>{fault}</li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <p className="note">All others count. Ask for these again.</p>
    </section>
  );
}

/** Answers to a lesson that is not here. */
function Missing({ id }: { readonly id: string }) {
  const [fault, setFault] = useState("");
  const take = (text: string) => {
    // Whether it is a lesson at all the engine says where it is opened.
    if (idIn(text) === id) classStore.setState(({ own }) => ({ own: { ...own, [id]: text } }));
    else setFault(`That file is not the lesson “${id}”.`);
  };
  return (
    <p>
      This lesson is none of QoScope's.{" "}
      <Button look="link" onClick={() => chooseLesson(take)}>
        Open its file
      </Button>{" "}
      to see the questions. <span role="status">{fault}</span>
    </p>
  );
}

function idIn(text: string): string {
  try {
    return String((JSON.parse(text) as { readonly id?: unknown }).id);
  } catch {
    return "";
  }
}

/** Texts of a lesson's steps, without results of runs until some have been made here. */
function useTold({ json, lesson }: Chosen): {
  readonly told: readonly Told[] | null;
  readonly fault: string;
} {
  const [told, setTold] = useState<readonly Told[] | null>(null);
  const [fault, setFault] = useState("");
  useEffect(() => {
    let play: LessonEngine | null = null;
    let over = false;
    const open = async () => {
      play = await openPlay(json);
      const opened = play;
      const all = await Promise.all(lesson.steps.map((_, at) => opened.told(at)));
      if (!over) setTold(all);
      opened.end();
    };
    open().catch(
      (error: unknown) => !over && setFault(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      over = true;
      play?.end();
    };
  }, [json, lesson]);
  return { told, fault };
}

/** What a class answered to one lesson. */
function OfLesson({ state, chosen }: { readonly state: ClassState; readonly chosen: Chosen }) {
  const { lesson, json } = chosen;
  const key = LESSONS.includes(lesson) ? lessonKey(lesson) : keyOf(lesson);
  const { same, other } = answersTo(lesson, key, state.collected);
  const { told, fault } = useTold(chosen);
  const title = (one: Answers) => studentTitle(one, state.collected.answers, state.named);
  const scored = lesson.steps.flatMap((step, at) => (isScored(step) ? [at] : []));
  return (
    <>
      <Acts lesson={lesson} json={json} all={same} titleOf={title} named={state.named} />
      {fault && <p className="class-part">{fault}</p>}
      {other.length > 0 && (
        <section className="class-part class-refused" aria-labelledby="class-other">
          <h3 id="class-other">
            <Icon name="warning" /> Not counted: {other.length}
          </h3>
          <p>
            They answer another version of this lesson, or have answers that its questions cannot have
            {state.named ? `: ${other.map((one) => one.student || fileNameOf(one)).join(", ")}` : ""}.
          </p>
        </section>
      )}
      <ol className="class-questions">
        {scored.map((at) => (
          <li key={at}>
            <OfStep lesson={lesson} at={at} told={told?.[at] ?? null} all={same} />
          </li>
        ))}
      </ol>
      {same.length > 0 && <Students lesson={lesson} scored={scored} all={same} titleOf={title} />}
    </>
  );
}

interface ActsProps {
  readonly lesson: Lesson;
  readonly json: string;
  readonly all: readonly Answers[];
  readonly titleOf: (one: Answers) => string;
  readonly named: boolean;
}

/** What a teacher does with the answers of a class. */
function Acts({ lesson, json, all, titleOf, named }: ActsProps) {
  const [part, setPart] = useState<number | null>(null);
  const [said, setSaid] = useState("");
  const judging = useRef<Judging | null>(null);
  useEffect(() => () => judging.current?.cancel(), []);
  const id = useId();
  const seeds = new Set(all.map(({ seed }) => seed)).size;
  const judge = async () => {
    setSaid("");
    setPart(0);
    judging.current = judgeHere(json, all, setPart);
    try {
      replaceAnswers(all, await judging.current.done);
      setSaid(`Judged here by ${seeds === 1 ? "runs under 1 seed" : `runs under ${seeds} seeds`}.`);
    } catch (error) {
      setSaid(
        error instanceof Cancelled ? "Cancelled: nothing has changed." : String((error as Error).message),
      );
    }
    setPart(null);
  };
  return (
    <section className="class-part class-acts" aria-label="What to do with them">
      <b>
        {all.length} {all.length === 1 ? "student" : "students"}
      </b>
      <span className="class-named">
        <label htmlFor={id}>Show names</label>
        <Toggle id={id} on={named} onChange={(on) => classStore.setState({ named: on })} />
      </span>
      <div className="button-row">
        {part === null ? (
          <Button icon="restart" onClick={judge}>
            Judge here
          </Button>
        ) : (
          <Button icon="close" onClick={() => judging.current?.cancel()}>
            Cancel
          </Button>
        )}
        <Button
          icon="download"
          onClick={() => saveFile(csvOf(lesson, all, titleOf, named), `${lesson.id}-class.csv`, "text/csv")}
        >
          Save table
        </Button>
        <Button icon="print" onClick={() => print()}>
          Print
        </Button>
      </div>
      <p className="note" role="status">
        {part === null ? (
          said ||
          "What happened is as the files say. Judge here runs the lesson under each student's seed: then nothing depends on them."
        ) : (
          <>
            <progress value={part} /> Runs under {seeds === 1 ? "1 seed" : `${seeds} seeds`}:{" "}
            {formatPercent(part)}
          </>
        )}
      </p>
    </section>
  );
}

interface OfStepProps {
  readonly lesson: Lesson;
  readonly at: number;
  readonly told: Told | null;
  readonly all: readonly Answers[];
}

/** What a class said to a question, or how its challenge went. */
function OfStep({ lesson, at, told, all }: OfStepProps) {
  const step = lesson.steps[at];
  const distribution = distributionAt(lesson, at, all);
  if (!step) return null;
  return (
    <section className="class-question" aria-labelledby={`class-step-${at}`}>
      <h3 id={`class-step-${at}`}>
        <span className="class-place">{at + 1}</span> <Line text={told?.title ?? step.title} />
      </h3>
      {distribution ? (
        <Predictions of={distribution} told={told} />
      ) : (
        <p>{challengeSentence(challengeAt(at, all), all.length)}</p>
      )}
    </section>
  );
}

function challengeSentence(
  { tried, solved, shown, hints }: ReturnType<typeof challengeAt>,
  students: number,
): string {
  if (tried === 0) return `Nobody of ${students} has tried it.`;
  const each = [`${solved} of ${students} solved it`, shown > 0 && `${shown} had the solution shown`];
  return `${each.filter(Boolean).join(", ")}; ${hints} hints were read.`;
}

/** How many said what, and what is right. */
function Predictions({ of, told }: { readonly of: Distribution; readonly told: Told | null }) {
  const [box, width] = useWidth();
  const { question, answered, unknown, right, unjudged, given, happened } = of;
  const prompt = told?.prompt ?? question.prompt;
  const label = `${plain(prompt)} ${sentenceOf(of)}`;
  const drawn = { given, happened: distinct(happened), width: Math.max(MIN_WIDTH, width), label };
  return (
    <>
      <p className="class-prompt">
        <Line text={prompt} />
      </p>
      {question.kind === "choice" && (
        <Options of={of} texts={told?.options ?? question.options.map(({ text }) => text)} />
      )}
      <div ref={box}>
        {question.kind === "number" && <NumberAnswers question={question} {...drawn} />}
        {question.kind === "curve" && <CurveAnswers question={question} {...drawn} />}
      </div>
      <p className="note">
        {answered === 0 ? (
          "Nobody has answered."
        ) : (
          <>
            <b>
              {right} of {answered} right
            </b>
            {unknown > 0 && `, ${unknown} ${unknown === 1 ? "does" : "do"} not know`}
            {unjudged > 0 && `, ${unjudged} not judged yet: press Judge here`}
          </>
        )}
      </p>
    </>
  );
}

/** Runs of one seed give one curve: it is drawn once. */
const distinct = (all: readonly (readonly number[])[]): readonly (readonly number[])[] => [
  ...new Map(all.map((values) => [values.join(), values])).values(),
];

/** A distribution in words, for those who do not see it. */
function sentenceOf({ question, options, given, answered, unknown }: Distribution): string {
  const counts =
    question.kind === "choice"
      ? question.options.map(({ text }, at) => `${options[at] ?? 0} said ${plain(text)}`)
      : question.kind === "number"
        ? given.map(([value]) => `${value} ${question.unit ?? ""}`.trim())
        : [`${given.length} curves`];
  return `${answered} answered, ${unknown} do not know: ${counts.join(", ")}.`;
}

/** Bars of a choice, in the form of the question: the right one is marked by what the lesson says holds under every seed. */
function Options({ of, texts }: { readonly of: Distribution; readonly texts: readonly string[] }): ReactNode {
  const { question, options, answered } = of;
  if (question.kind !== "choice") return null;
  return (
    <ul className="class-options">
      {question.options.map(({ right = false }, at) => {
        const count = options[at] ?? 0;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: options stand in their order
          <li key={at} data-right={right}>
            <span
              className="class-bar"
              style={{ width: `${answered > 0 ? (count / answered) * 100 : 0}%` }}
            />
            <span>
              <Line text={texts[at] ?? ""} />
            </span>
            {right && (
              <span className="class-right">
                <Icon name="check" /> right
              </span>
            )}
            <b>{count}</b>
          </li>
        );
      })}
    </ul>
  );
}

interface StudentsProps {
  readonly lesson: Lesson;
  readonly scored: readonly number[];
  readonly all: readonly Answers[];
  readonly titleOf: (one: Answers) => string;
}

/** Who got what right, one row per student. */
function Students({ lesson, scored, all, titleOf }: StudentsProps) {
  return (
    <section className="class-part class-students" aria-labelledby="class-students">
      <h3 id="class-students">Students</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className="class-table" aria-label="Table of students" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Student</th>
              {scored.map((at) => (
                <th key={at} scope="col">
                  Step {at + 1}
                </th>
              ))}
              <th scope="col">Score</th>
            </tr>
          </thead>
          <tbody>
            {all.map((one, place) => {
              const { points, of } = scoreOf(lesson, one);
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: students stand in the order in which they came
                <tr key={place}>
                  <th scope="row">{titleOf(one)}</th>
                  {scored.map((at) => (
                    <td key={at}>{markOf(one, at)}</td>
                  ))}
                  <td>
                    {points} of {of}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </section>
  );
}

/** How a student fared at a step, in a word. */
function markOf({ answers, challenges }: Answers, at: number): string {
  const record = challenges[at];
  if (record) return record.solved ? "solved" : record.shown ? "shown" : "tried";
  const given = answers[at];
  if (!given) return "–";
  if (given.answer.kind === "unknown") return "don't know";
  return given.judgement === null ? "answered" : given.judgement.right ? "right" : "wrong";
}
