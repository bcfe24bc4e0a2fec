import { useId, useState } from "react";
import { NumberField } from "../../panels/NumberField.tsx";
import type { Field } from "../../scenario/schema.ts";
import { formatField, stepped } from "../../scenario/units.ts";
import { Icon } from "../../ui/Icon.tsx";
import { Slider } from "../../ui/Slider.tsx";
import type { SliderScale } from "../../ui/scale.ts";
import type { Answer, Judgement, NumberQuestion, Question } from "../../workbench/lesson/lesson.ts";
import { Line } from "../../workbench/lesson/Markup.tsx";
import { answerAxis } from "./answerAxes.ts";
import { CurveField } from "./CurveField.tsx";

interface QuestionFieldProps {
  readonly question: Question;
  /** What may be chosen, with numbers in it. */
  readonly options: readonly string[];
  /** What was locked in; null while nothing is. */
  readonly answer: Answer | null;
  readonly judgement: Judgement | null;
  /** What is being answered; null while that is nothing yet. */
  readonly onDraft: (answer: Answer | null) => void;
}

/** What a question is answered with; once it is locked in, what was answered beside what happened. */
export function QuestionField(props: QuestionFieldProps) {
  const { question } = props;
  switch (question.kind) {
    case "choice":
      return <ChoiceField {...props} />;
    case "number":
      return <NumberAnswer {...props} question={question} />;
    case "curve":
      return <CurveField {...props} question={question} />;
  }
}

function ChoiceField({ options, answer, judgement, onDraft }: QuestionFieldProps) {
  const name = useId();
  const [draft, setDraft] = useState<number | null>(null);
  const chosen = answer ? (answer.kind === "choice" ? answer.option : null) : draft;
  const happened = judgement?.happened.kind === "choice" ? judgement.happened.option : null;
  return (
    <div className="choices">
      {options.map((text, option) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: options stand in their order, and may read alike until their numbers are there
        <label key={option} className="choice" data-chosen={option === chosen || undefined}>
          <input
            type="radio"
            name={name}
            checked={option === chosen}
            disabled={answer !== null}
            onChange={() => {
              setDraft(option);
              onDraft({ kind: "choice", option });
            }}
          />
          <span className="choice-text">
            <Line text={text} />
          </span>
          {answer && option === chosen && <span className="note">your prediction</span>}
          {option === happened && (
            <b className="happened">
              <Icon name="check" /> what happened
            </b>
          )}
        </label>
      ))}
    </div>
  );
}

/** Digits that an answer on a scale is rounded to. */
const DIGITS = 3;

function NumberAnswer({
  question,
  answer,
  judgement,
  onDraft,
}: QuestionFieldProps & { readonly question: NumberQuestion }) {
  const { scale, unit } = question;
  const [draft, setDraft] = useState<number | null>(null);
  const range: SliderScale = { low: scale.min, high: scale.max, scale: scale.log ? "log" : "linear" };
  const middle = scale.log ? Math.sqrt(scale.min * scale.max) : (scale.min + scale.max) / 2;
  const round = (value: number) => Number(value.toPrecision(DIGITS));
  const choose = (value: number | null) => {
    setDraft(value);
    onDraft(value === null ? null : { kind: "number", value });
  };
  if (answer) return <OnScale question={question} answer={answer} judgement={judgement} />;
  const field: Field = {
    title: "Your prediction",
    type: "number",
    optional: true,
    live: false,
    minimum: scale.min,
    maximum: scale.max,
    ...(unit && { unit }),
  };
  return (
    <div className="number-answer" data-empty={draft === null || undefined}>
      <Slider
        label="Your prediction, slider"
        scale={range}
        value={draft ?? middle}
        valueText={draft === null ? "nothing chosen yet" : `${formatField(draft)} ${unit}`}
        ticks
        round={round}
        step={(from, steps) => stepped(from, steps, false, scale.min, scale.max)}
        onChange={choose}
      />
      <NumberField
        label="Your prediction"
        field={field}
        value={draft ?? undefined}
        fallback={middle}
        placeholder="?"
        onCommit={(value) => choose(value)}
      />
    </div>
  );
}

/** An answer and what happened on the scale of the question, the difference between them. */
function OnScale({
  question: { scale, unit },
  answer,
  judgement,
}: {
  readonly question: NumberQuestion;
  readonly answer: Answer;
  readonly judgement: Judgement | null;
}) {
  const { min, max } = scale;
  const position = answerAxis(scale, [0, 100], 1).scale;
  const given = answer.kind === "number" ? answer.value : null;
  const happened = judgement?.happened.kind === "number" ? judgement.happened : null;
  const [from, to] = [given, happened?.value ?? null].map((value) =>
    value === null ? null : position(value),
  );
  return (
    <div className="on-scale">
      <div className="on-scale-line" aria-hidden="true">
        {from != null && to != null && (
          <i
            className="on-scale-off"
            style={{ left: `${Math.min(from, to)}%`, width: `${Math.abs(to - from)}%` }}
          />
        )}
        {from != null && <i className="on-scale-given" style={{ left: `${from}%` }} />}
        {to != null && <i className="on-scale-happened" style={{ left: `${to}%` }} />}
      </div>
      <div className="on-scale-ends note" aria-hidden="true">
        <span>{formatField(min)}</span>
        <span>
          {formatField(max)} {unit}
        </span>
      </div>
      <dl>
        {given !== null && (
          <div>
            <dt>
              <i className="key-given" /> your prediction
            </dt>
            <dd>
              {formatField(given)} {unit}
            </dd>
          </div>
        )}
        {happened && (
          <div>
            <dt>
              <i className="key-happened" /> measured
            </dt>
            <dd>{happened.text}</dd>
          </div>
        )}
        {judgement?.distance && (
          <div>
            <dt />
            <dd className="note">{judgement.distance}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}
