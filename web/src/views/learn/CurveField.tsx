import { line } from "d3-shape";
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import type { Axis, Ends } from "../../charts/drawing/axis.ts";
import { boxOf } from "../../charts/drawing/frame.ts";
import { nearestWithin } from "../../charts/drawing/hit.ts";
import { SvgAxis, SvgGrid } from "../../charts/drawing/SvgFrame.tsx";
import { formatField } from "../../scenario/units.ts";
import { useWidth } from "../../ui/useWidth.ts";
import type { Answer, CurveAxis, CurveQuestion, Judgement } from "../../workbench/lesson/lesson.ts";
import { plain } from "../../workbench/lesson/Markup.tsx";
import { answerAxis } from "./answerAxes.ts";

interface CurveFieldProps {
  readonly question: CurveQuestion;
  readonly answer: Answer | null;
  readonly judgement: Judgement | null;
  readonly onDraft: (answer: Answer | null) => void;
}

const HEIGHT = 220;
const EDGES = { left: 44, right: 14, top: 10, bottom: 34 };
/** Steps of a key from one end of the axis to the other, and of Page Up and Page Down. */
const STEPS = 50;
const PAGES = 10;

/** Least value of a logarithmic axis that begins at zero, as a part of its greatest. */
const FIRST_OF_LOG = 1e-3;

function axisOf({ log = false }: CurveAxis, min: number, max: number, pixels: Ends): Axis {
  const low = log && min <= 0 ? max * FIRST_OF_LOG : min;
  return answerAxis({ min: low, max, log }, pixels, log ? 6 : 4);
}

/**
 * A curve that is drawn over empty axes: with a pointer or a finger across them, or point by point, each a slider. Locked in, the
 * measured curve is drawn over it.
 */
export function CurveField({ question, answer, judgement, onDraft }: CurveFieldProps) {
  const { x, y, points } = question;
  const [box, width] = useWidth();
  const plot = useRef<SVGSVGElement>(null);
  const [draft, setDraft] = useState<readonly (number | null)[]>(() => points.map(() => null));
  /** Several moves may come before the next drawing. */
  const latest = useRef(draft);
  const drawing = useRef<number | null>(null);
  const given = answer === null ? draft : answer.kind === "curve" ? answer.values : points.map(() => null);
  const happened = judgement?.happened.kind === "curve" ? judgement.happened.values : null;
  const xs = points.map((point) => point.x);
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  const area = boxOf(width, HEIGHT, EDGES);
  const { right, bottom } = area;
  const up = axisOf(y, y.min, y.max, [bottom, area.top]);
  const left = axisOf(x, first, last, [area.left + 12, right - 12]).scale;
  const top = up.scale;
  const valueAt = (height: number) => Number(top.invert(height).toPrecision(3));
  const path = line<number | null>(
    (_, at) => left(xs[at] as number),
    (value) => top(value as number),
  )
    .defined((value) => value !== null)
    .digits(1);
  const pathOf = (values: readonly (number | null)[]) => path(values as (number | null)[]) ?? "";

  const middle = (bottom + area.top) / 2;

  const put = (changes: ReadonlyMap<number, number>) => {
    const next = latest.current.map((value, at) => changes.get(at) ?? value);
    latest.current = next;
    setDraft(next);
    onDraft(next.every((value) => value !== null) ? { kind: "curve", values: next as number[] } : null);
  };
  /** The point nearest to the pointer, and those that it passed since it was last seen. */
  const draw = (event: PointerEvent) => {
    const drawn = plot.current?.getBoundingClientRect();
    if (!drawn) return;
    const nearest = nearestWithin(xs, (value) => Math.abs(left(value) - (event.clientX - drawn.left))) ?? 0;
    const value = valueAt(event.clientY - drawn.top);
    const from = drawing.current ?? nearest;
    const passed = xs.flatMap((_, at) =>
      at >= Math.min(from, nearest) && at <= Math.max(from, nearest) && (at !== from || from === nearest)
        ? [at]
        : [],
    );
    drawing.current = nearest;
    put(new Map(passed.map((at) => [at, value])));
  };
  const key = (at: number) => (event: KeyboardEvent<SVGElement>) => {
    const step = (event.shiftKey ? PAGES : 1) / STEPS;
    const moves: Readonly<Record<string, number>> = {
      ArrowUp: step,
      ArrowDown: -step,
      PageUp: PAGES / STEPS,
      PageDown: -PAGES / STEPS,
      Home: -1,
      End: 1,
    };
    const beside = { ArrowLeft: at - 1, ArrowRight: at + 1 }[event.key];
    const move = moves[event.key];
    if (beside !== undefined) plot.current?.querySelectorAll<SVGElement>("[role=slider]")[beside]?.focus();
    else if (move !== undefined) {
      const value = draft[at] ?? draft.slice(0, at).findLast((item) => item !== null) ?? null;
      put(new Map([[at, valueAt((value === null ? middle : top(value)) - move * (bottom - area.top))]]));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const named = apart(xs, left);
  const unit = y.unit ? ` ${y.unit}` : "";
  return (
    <div className="curve-field">
      <p className="note">
        <b>{plain(y.title)}</b> {y.unit}
      </p>
      <div ref={box}>
        {/* biome-ignore lint/a11y/useSemanticElements: a drawing, in which no fieldset can stand */}
        <svg
          ref={plot}
          width={width}
          height={HEIGHT}
          role="group"
          aria-label={`Your curve: ${plain(y.title)} over ${plain(x.title)}`}
          data-locked={answer !== null || undefined}
          onPointerDown={(event) => {
            if (answer) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            drawing.current = null;
            draw(event);
          }}
          onPointerMove={(event) => drawing.current !== null && draw(event)}
          onPointerUp={() => {
            drawing.current = null;
          }}
          onPointerCancel={() => {
            drawing.current = null;
          }}
        >
          <SvgGrid box={area} axis={up} />
          <SvgAxis box={area} axis={null} />
          {named.map((value) => (
            <text key={value} x={left(value)} y={bottom + 16} textAnchor="middle">
              {formatField(value)}
            </text>
          ))}
          <text x={right} y={HEIGHT - 4} textAnchor="end">
            {plain(x.title)}
            {x.unit ? `, ${x.unit}` : ""}
          </text>
          <path className="curve-given" d={pathOf(given)} />
          {happened && <path className="curve-happened" d={pathOf(happened)} />}
          {happened?.map((value, at) => (
            <circle
              key={xs[at]}
              className="curve-happened-point"
              cx={left(xs[at] as number)}
              cy={top(value)}
              r="3.2"
            />
          ))}
          {answer === null &&
            xs.map((value, at) => {
              const own = draft[at] ?? null;
              return (
                <circle
                  key={value}
                  className="curve-point"
                  data-empty={own === null || undefined}
                  cx={left(value)}
                  cy={own === null ? middle : top(own)}
                  r="6"
                  role="slider"
                  tabIndex={0}
                  aria-label={`${plain(x.title)} ${formatField(value)}${x.unit ? ` ${x.unit}` : ""}`}
                  aria-orientation="vertical"
                  aria-valuemin={y.min}
                  aria-valuemax={y.max}
                  aria-valuenow={own ?? valueAt(middle)}
                  aria-valuetext={own === null ? "not drawn yet" : `${formatField(own)}${unit}`}
                  onKeyDown={key(at)}
                />
              );
            })}
        </svg>
      </div>
      {answer === null && (
        <p className="note">
          Draw across the chart, or go from point to point with ← → and set each with ↑ ↓.{" "}
          {draft.filter((value) => value !== null).length} of {points.length} points drawn.
        </p>
      )}
      {answer !== null && (
        <table className="curve-table">
          <thead>
            <tr>
              <th scope="col">
                {plain(x.title)}
                {x.unit ? `, ${x.unit}` : ""}
              </th>
              {xs.map((value) => (
                <th key={value} scope="col">
                  {formatField(value)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {answer.kind === "curve" && (
              <tr>
                <th scope="row">
                  <i className="key-given" /> your prediction
                </th>
                {answer.values.map((value, at) => (
                  <td key={xs[at]}>{formatField(value)}</td>
                ))}
              </tr>
            )}
            {happened && (
              <tr>
                <th scope="row">
                  <i className="key-happened" /> measured
                </th>
                {happened.map((value, at) => (
                  <td key={xs[at]}>{formatField(Number(value.toPrecision(3)))}</td>
                ))}
              </tr>
            )}
          </tbody>
        </table>
      )}
      {judgement?.distance && <p className="note">{judgement.distance}</p>}
    </div>
  );
}

/** Room for a number below the axis. */
const NUMBER = 30;

/** The values whose places keep apart, from the right: the last one is among them. */
function apart(xs: readonly number[], left: (value: number) => number): readonly number[] {
  const kept: number[] = [];
  for (const value of xs.toReversed()) {
    const beside = kept.at(-1);
    if (beside === undefined || left(beside) - left(value) >= NUMBER) kept.push(value);
  }
  return kept;
}
