import { line } from "d3-shape";
import { Fragment, type ReactNode } from "react";
import type { Axis } from "../../../charts/drawing/axis.ts";
import { type Box, boxOf, crisp } from "../../../charts/drawing/frame.ts";
import { pushApart } from "../../../charts/drawing/pushApart.ts";
import { SvgAxis, SvgGrid } from "../../../charts/drawing/SvgFrame.tsx";
import type { CurveQuestion, NumberQuestion } from "../../../workbench/lesson/lesson.ts";
import { answerAxis, binned, rangeOf } from "../answerAxes.ts";
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
  const box = { width, height, left, right, top: 0, bottom: baseline };
  const axis = answerAxis(question.scale, [left, right], ticksIn(left, right));
  const x = axis.scale;
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
          textAnchor={anchorOf(box, x(mean(measured)))}
        >
          measured
        </text>
      )}
      <LowerAxis box={box} axis={axis} title={question.unit} />
    </svg>
  );
}

/** Labels that a lower axis has room for. */
const ticksIn = (left: number, right: number): number => Math.max(2, Math.floor((right - left) / TICK_PITCH));

/** On which side of a place its name has room. */
const anchorOf = ({ left, right }: Box, x: number): "start" | "middle" | "end" => {
  const share = (x - left) / (right - left);
  return share < 0.12 ? "start" : share > 0.88 ? "end" : "middle";
};

/** Curves that were drawn, thin, over what the runs measured, thick; without any an empty chart. */
export function CurveAnswers(props: AnswersDrawn & { readonly question: CurveQuestion }) {
  const { question, given = [], happened = [], label, scale = 1 } = props;
  const width = props.width / scale;
  const height = Math.round(Math.min(280, Math.max(200, width * 0.45)));
  const box = boxOf(width, height, { ...MARGIN, ...(happened.length > 0 && { right: 72 }) });
  const { left, right, top, bottom } = box;
  const xs = question.points.map((point) => point.x);
  const across = answerAxis(rangeOf(xs, question.x.log), [left, right], ticksIn(left, right));
  const up = answerAxis(question.y, [bottom, top], 4);
  const [x, y] = [across.scale, up.scale];
  const path = line<number>(
    (_, at) => x(xs[at] ?? 0),
    (value) => y(value),
  ).digits(1);
  const lineOf = (values: readonly number[]) => path(values as number[]) ?? "";
  const ends = happened.map((values) => y(values.at(-1) ?? 0));
  const [nameAt = 0] = pushApart(ends.length > 0 ? [mean(ends)] : [], 15, top, bottom);
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
      <SvgGrid box={box} axis={up} />
      {given.map((values, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: students stand in their order
        <path key={at} className="answer-given" d={lineOf(values)} />
      ))}
      {happened.map((values, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <path key={at} className="answer-measured" d={lineOf(values)} />
      ))}
      {happened.length > 0 && (
        <text className="answer-name" x={right + 8} y={nameAt + 4}>
          measured
        </text>
      )}
      <LowerAxis box={box} axis={across} title={axisTitle(question.x.title, question.x.unit)} />
    </svg>
  );
}

interface LowerAxisProps {
  readonly box: Box;
  readonly axis: Axis;
  readonly title: string | null | undefined;
}

function LowerAxis({ box, axis, title }: LowerAxisProps): ReactNode {
  return (
    <g>
      <SvgAxis box={box} axis={axis} />
      <text x={(box.left + box.right) / 2} y={box.bottom + 32} textAnchor="middle">
        {title}
      </text>
    </g>
  );
}
