import { type ReactNode, useEffect } from "react";
import { createPortal } from "react-dom";
import type {
  ChallengeStep,
  CurveQuestion,
  Lesson,
  LessonStep,
  NumberQuestion,
} from "../../../workbench/lesson/lesson.ts";
import { Line, Markup, plain } from "../../../workbench/lesson/Markup.tsx";
import { CurveAnswers, NumberAnswers } from "./AnswerChart.tsx";
import type { KeyStep } from "./lessonKey.ts";
import "./Sheets.css";

/** What is printed of a lesson. */
export type SheetKind = "handout" | "answers";

interface SheetsProps {
  readonly kind: SheetKind;
  readonly lesson: Lesson;
  readonly steps: readonly KeyStep[];
  /** The seed of the runs, in words. */
  readonly seed: string;
  readonly onPrinted: () => void;
}

/** Width of drawings on a sheet of A4, in CSS pixels. */
const WIDTH = 640;

/** Lines to write on, below a question and below what is to be watched. */
const LINES = { question: 3, other: 5 };

/** Prints a lesson: on the screen it is not to be seen, on paper nothing else is. */
export function Sheets({ kind, lesson, steps, seed, onPrinted }: SheetsProps) {
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset.sheets = kind;
    addEventListener("afterprint", onPrinted);
    print();
    return () => {
      delete dataset.sheets;
      removeEventListener("afterprint", onPrinted);
    };
  }, [kind, onPrinted]);
  const { number, title, outcome, papers = [] } = lesson;
  return createPortal(
    <article className="sheets" aria-label={kind === "handout" ? "Handout" : "Answer sheet"}>
      <header>
        <h1>
          {number !== undefined && `${number} `}
          <Line text={title} />
        </h1>
        <p>
          <Line text={outcome} />
        </p>
        {kind === "handout" ? (
          <p className="sheet-who">
            <span>Name</span>
            <span>Date</span>
          </p>
        ) : (
          <p>
            <b>Answer sheet.</b> Values of the lesson's own runs, {seed}. {papers.join("; ")}
          </p>
        )}
      </header>
      {lesson.steps.map((step, at) => {
        const key = steps[at];
        return (
          key && (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps stand in their order
            <section key={at}>
              <h2>
                {at + 1} <Line text={key.told.title} />
              </h2>
              <Markup text={key.told.text} />
              {kind === "handout" ? <ToDo step={step} of={key} /> : <Solved step={step} of={key} />}
            </section>
          )
        );
      })}
    </article>,
    document.body,
  );
}

interface StepProps {
  readonly step: LessonStep;
  readonly of: KeyStep;
}

/** What a student is to do, with room for it. */
function ToDo({ step, of: { told } }: StepProps): ReactNode {
  if (step.kind === "read") return null;
  if (step.kind === "predict") {
    const { question } = step;
    return (
      <>
        <p className="sheet-question">
          <Line text={told.prompt ?? ""} />
        </p>
        {question.kind === "choice" && <Boxes texts={[...told.options, "I don't know"]} />}
        {question.kind === "number" && (
          <>
            <NumberAnswers
              question={question}
              width={WIDTH}
              label={`Empty scale: ${plain(told.prompt ?? "")}`}
            />
            <p className="sheet-value">{question.unit}</p>
          </>
        )}
        {question.kind === "curve" && (
          <CurveAnswers
            question={question}
            width={WIDTH}
            label={`Empty chart: ${plain(told.prompt ?? "")}`}
          />
        )}
        <Ruled title="Why?" lines={LINES.question} />
      </>
    );
  }
  return (
    <>
      {step.kind === "explore" && <List texts={told.look} />}
      {step.kind === "challenge" && <Goals goals={told.goals} isSolved={false} />}
      <Ruled
        title={step.kind === "challenge" ? "What you set, and why" : "What you see"}
        lines={LINES.other}
      />
    </>
  );
}

/** What is right, with the values that the runs gave. */
function Solved({ step, of: { told, judgement } }: StepProps): ReactNode {
  return (
    <>
      {step.kind === "predict" && judgement && (
        <>
          <p className="sheet-question">
            <Line text={told.prompt ?? ""} />
          </p>
          {judgement.happened.kind === "choice" && (
            <Boxes texts={told.options} marked={judgement.happened.option} />
          )}
          {judgement.happened.kind === "none" && <p>{judgement.happened.text}</p>}
          {judgement.happened.kind === "number" && (
            <>
              <p>
                <b>{judgement.happened.text}</b>
              </p>
              <NumberAnswers
                question={step.question as NumberQuestion}
                happened={[[judgement.happened.value]]}
                width={WIDTH}
                label={`Measured: ${judgement.happened.text}`}
              />
            </>
          )}
          {judgement.happened.kind === "curve" && (
            <CurveAnswers
              question={step.question as CurveQuestion}
              happened={[judgement.happened.values]}
              width={WIDTH}
              label={`Measured: ${judgement.happened.values.join(", ")}`}
            />
          )}
        </>
      )}
      {step.kind === "explore" && <List texts={told.look} />}
      {step.kind === "challenge" && (
        <>
          <Goals goals={told.goals} isSolved />
          <Solution step={step} />
          <List texts={told.wrong} />
        </>
      )}
      {told.explain && <Markup text={told.explain} />}
      {told.asserts.length > 0 && (
        <>
          <h3>What the text relies on</h3>
          <Goals goals={told.asserts} isSolved />
        </>
      )}
    </>
  );
}

/** Options, each with a box to mark; on the answer sheet the right one is marked. */
const Boxes = ({ texts, marked }: { readonly texts: readonly string[]; readonly marked?: number }) => (
  <ul className="sheet-boxes">
    {texts.map((text, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: options stand in their order
      <li key={at} data-marked={at === marked}>
        <span className="sheet-box" aria-hidden="true">
          {at === marked ? "✓" : ""}
        </span>
        <span>
          <Line text={text} />
          {at === marked && <b> (what happened)</b>}
        </span>
      </li>
    ))}
  </ul>
);

const List = ({ texts }: { readonly texts: readonly string[] }) =>
  texts.length > 0 && (
    <ul className="sheet-list">
      {texts.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: texts stand in their order
        <li key={at}>
          <Line text={text} />
        </li>
      ))}
    </ul>
  );

/** Statements with their bounds, and what the lesson's own runs gave: of a challenge that is where it begins. */
function Goals({
  goals,
  isSolved,
}: {
  readonly goals: KeyStep["told"]["goals"];
  readonly isSolved: boolean;
}) {
  return (
    <ul className="sheet-list">
      {goals.map(({ says, wanted, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: goals stand in their order
        <li key={at}>
          <Line text={says} />: {wanted}
          {isSolved && <span className="note"> (in the lesson's own run {text})</span>}
        </li>
      ))}
    </ul>
  );
}

const Solution = ({ step: { solution, controls } }: { readonly step: ChallengeStep }) => (
  <p>
    <b>One solution:</b>{" "}
    {Object.entries(solution)
      .map(([path, value]) => {
        const title = controls.find((control) => control.path === path)?.title;
        return `${title ? plain(title) : path} = ${JSON.stringify(value)}`;
      })
      .join("; ")}
  </p>
);

const Ruled = ({ title, lines }: { readonly title: string; readonly lines: number }) => (
  <div className="sheet-ruled">
    <span>{title}</span>
    {Array.from({ length: lines }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: all lines are alike
      <i key={at} />
    ))}
  </div>
);
