import { Fragment, type ReactNode } from "react";
import { crisp } from "../../../charts/drawing/plot.ts";
import { pushApart } from "../../../charts/drawing/pushApart.ts";
import type { CurveQuestion, NumberQuestion } from "../../../workbench/lesson/lesson.ts";
import { binned, type Range, rangeOf, shareIn, ticksOf } from "../answerAxes.ts";
import "./AnswerChart.css";

interface AnswersDrawn {
  /** What was said, one value per point; none on an empty sheet. */
  readonly given?: readonly (readonly number[])[];
  /** What happened in each run, likewise. */
  readonly happened?: readonly (readonly number[])[];
  /** What it shows, in a sentence. */
  readonly label: string;
  readonly width: number;
  /** How much larger than usual it is, for a room. */
  readonly scale?: number;
}

/** Distance of ticks that have room for their labels. */
const TICK_PITCH = 64;

/** Bins of a histogram: fine enough to see two opinions, coarse enough for thirty answers. */
const BINS = 20;

const MARGIN = { left: 48, right: 16, top: 20, bottom: 40 };

const axisTitle = (title: string, unit: string | null | undefined): string =>
  unit ? `${title}, ${unit}` : title;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Predictions of a number over its scale, as a histogram, and what the runs measured; without any an empty scale. */
export function NumberAnswers(props: AnswersDrawn & { readonly question: NumberQuestion }) {
  const { question, given = [], happened = [], label, scale = 1 } = props;
  const width = props.width / scale;
  const height = given.length > 0 ? 132 : 76;
  const [left, right] = [16, width - 16];
  const baseline = height - 36;
  const x = (value: number) =>
    left + Math.min(1, Math.max(0, shareIn(question.scale, value))) * (right - left);
  const counts = binned(given.flat(), question.scale, BINS);
  const most = Math.max(1, ...counts);
  const step = (right - left) / BINS;
  const tallest = baseline - 24;
  const measured = happened.flat();
  return (
    <svg
      className="answer-chart"
      width={props.width}
      height={height * scale}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      {counts.map((count, at) => {
        const tall = (count / most) * tallest;
        const place = left + at * step;
        return (
          count > 0 && (
            // biome-ignore lint/suspicious/noArrayIndexKey: bins stand in their order
            <Fragment key={at}>
              <rect
                className="answer-bar"
                x={place + 0.5}
                y={baseline - tall}
                width={step - 1}
                height={tall}
              />
              <text x={place + step / 2} y={baseline - tall - 4} textAnchor="middle">
                {count}
              </text>
            </Fragment>
          )
        );
      })}
      {measured.map((value, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: runs stand in their order
        <path key={at} className="answer-measured" d={`M${crisp(x(value))} ${baseline}V14`} />
      ))}
      {measured.length > 0 && (
        <text
          className="answer-name"
          x={x(mean(measured))}
          y={10}
          textAnchor={anchorOf(question.scale, mean(measured))}
        >
          measured
        </text>
      )}
      <XAxis range={question.scale} title={axisTitle("", question.unit)} {...{ left, right, baseline }} />
    </svg>
  );
}

/** On which side of a place its name has room. */
const anchorOf = (range: Range, value: number): "start" | "middle" | "end" => {
  const share = shareIn(range, value);
  return share < 0.12 ? "start" : share > 0.88 ? "end" : "middle";
};

/** Curves that were drawn, thin, over what the runs measured, thick; without any an empty chart. */
export function CurveAnswers(props: AnswersDrawn & { readonly question: CurveQuestion }) {
  const { question, given = [], happened = [], label, scale = 1 } = props;
  const width = props.width / scale;
  const height = Math.round(Math.min(280, Math.max(200, width * 0.45)));
  const [left, right] = [MARGIN.left, width - (happened.length > 0 ? 72 : MARGIN.right)];
  const [top, baseline] = [MARGIN.top, height - MARGIN.bottom];
  const xs = question.points.map((point) => point.x);
  const across = rangeOf(xs, question.x.log);
  const x = (value: number) => left + shareIn(across, value) * (right - left);
  const y = (value: number) =>
    baseline - Math.min(1, Math.max(0, shareIn(question.y, value))) * (baseline - top);
  const line = (values: readonly number[]) =>
    `M${values.map((value, at) => `${x(xs[at] ?? 0).toFixed(1)} ${y(value).toFixed(1)}`).join("L")}`;
  const ends = happened.map((values) => y(values.at(-1) ?? 0));
  const [nameAt = 0] = pushApart(ends.length > 0 ? [mean(ends)] : [], 15, top, baseline);
  return (
    <svg
      className="answer-chart"
      width={props.width}
      height={height * scale}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <text className="answer-title" x={0} y={10}>
        {axisTitle(question.y.title, question.y.unit)}
      </text>
      {ticksOf(question.y, 4).map(({ value, label: text }) => (
        <g key={value}>
          <path className="answer-grid" d={`M${left} ${crisp(y(value))}H${right}`} />
          <text x={left - 8} y={y(value) + 4} textAnchor="end">
            {text}
          </text>
        </g>
      ))}
      {given.map((values, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: students stand in their order
        <path key={at} className="answer-given" d={line(values)} />
      ))}
      {happened.map((values, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <path key={at} className="answer-measured" d={line(values)} />
      ))}
      {happened.length > 0 && (
        <text className="answer-name" x={right + 8} y={nameAt + 4}>
          measured
        </text>
      )}
      <XAxis
        range={across}
        title={axisTitle(question.x.title, question.x.unit)}
        {...{ left, right, baseline }}
      />
    </svg>
  );
}

interface XAxisProps {
  readonly range: Range;
  readonly title: string;
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
}

function XAxis({ range, title, left, right, baseline }: XAxisProps): ReactNode {
  const all = ticksOf(range, Math.max(2, Math.floor((right - left) / TICK_PITCH)));
  return (
    <g>
      <path className="answer-axis" d={`M${left} ${crisp(baseline)}H${right}`} />
      {all.map(({ value, label }) => {
        const at = left + shareIn(range, value) * (right - left);
        return (
          <g key={value}>
            <path className="answer-axis" d={`M${crisp(at)} ${baseline}v4`} />
            <text x={at} y={baseline + 16} textAnchor="middle">
              {label}
            </text>
          </g>
        );
      })}
      <text x={(left + right) / 2} y={baseline + 32} textAnchor="middle">
        {title.replace(/^, /, "")}
      </text>
    </g>
  );
}
