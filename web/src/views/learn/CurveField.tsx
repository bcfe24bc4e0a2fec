import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { formatField } from "../../scenario/units.ts";
import { useWidth } from "../../ui/useWidth.ts";
import type { Answer, CurveAxis, CurveQuestion, Judgement } from "../../workbench/lesson/lesson.ts";
import { plain } from "../../workbench/lesson/Markup.tsx";
import { ticksOf } from "./answerAxes.ts";

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

/** Where a value lies on an axis, from 0 to 1, and which value lies there. */
interface Scale {
  readonly at: (value: number) => number;
  readonly value: (at: number) => number;
}

/** Least value of a logarithmic axis that begins at zero, as a part of its greatest. */
const FIRST_OF_LOG = 1e-3;

function scaleOf({ log = false }: CurveAxis, min: number, max: number): Scale {
  if (!log) return { at: (value) => (value - min) / (max - min || 1), value: (at) => min + at * (max - min) };
  const low = min > 0 ? min : max * FIRST_OF_LOG;
  const span = Math.log(max / low) || 1;
  return {
    at: (value) => Math.log(Math.max(value, low) / low) / span,
    value: (at) => low * Math.exp(at * span),
  };
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
  const across = scaleOf(x, first, last);
  const up = scaleOf(y, y.min, y.max);
  const right = width - EDGES.right;
  const bottom = HEIGHT - EDGES.bottom;
  const left = (value: number) => EDGES.left + 12 + across.at(value) * (right - EDGES.left - 24);
  const top = (value: number) => bottom - up.at(value) * (bottom - EDGES.top);
  const round = (at: number) => Number(up.value(Math.min(1, Math.max(0, at))).toPrecision(3));

  const put = (changes: ReadonlyMap<number, number>) => {
    const next = latest.current.map((value, at) => changes.get(at) ?? value);
    latest.current = next;
    setDraft(next);
    onDraft(next.every((value) => value !== null) ? { kind: "curve", values: next as number[] } : null);
  };
  /** The point nearest to the pointer, and those that it passed since it was last seen. */
  const draw = (event: PointerEvent) => {
    const area = plot.current?.getBoundingClientRect();
    if (!area) return;
    const [px, py] = [event.clientX - area.left, event.clientY - area.top];
    const nearest = xs.reduce(
      (best, value, at) => (Math.abs(left(value) - px) < Math.abs(left(xs[best] as number) - px) ? at : best),
      0,
    );
    const value = round((bottom - py) / (bottom - EDGES.top));
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
      put(new Map([[at, round((value === null ? 0.5 : up.at(value)) + move)]]));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const named = apart(xs, left);
  const unit = y.unit ? ` ${y.unit}` : "";
  const acrossAt = (value: number) => `M${EDGES.left} ${Math.round(top(value)) + 0.5}H${right}`;
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
          {ticksOf(y, y.log ? 6 : 4).map(({ value, label }) => (
            <g key={value}>
              <path className="curve-grid" d={acrossAt(value)} />
              <text x={EDGES.left - 8} y={top(value) + 4} textAnchor="end">
                {label}
              </text>
            </g>
          ))}
          <path className="curve-axis" d={acrossAt(y.min)} />
          {named.map((value) => (
            <text key={value} x={left(value)} y={bottom + 16} textAnchor="middle">
              {formatField(value)}
            </text>
          ))}
          <text x={right} y={HEIGHT - 4} textAnchor="end">
            {plain(x.title)}
            {x.unit ? `, ${x.unit}` : ""}
          </text>
          <path className="curve-given" d={pathOf(xs, given, left, top)} />
          {happened && <path className="curve-happened" d={pathOf(xs, happened, left, top)} />}
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
                  cy={own === null ? (bottom + EDGES.top) / 2 : top(own)}
                  r="6"
                  role="slider"
                  tabIndex={0}
                  aria-label={`${plain(x.title)} ${formatField(value)}${x.unit ? ` ${x.unit}` : ""}`}
                  aria-orientation="vertical"
                  aria-valuemin={y.min}
                  aria-valuemax={y.max}
                  aria-valuenow={own ?? round(0.5)}
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

/** The line through the points that there are. */
function pathOf(
  xs: readonly number[],
  values: readonly (number | null)[],
  left: (value: number) => number,
  top: (value: number) => number,
): string {
  return xs
    .flatMap((x, at) => {
      const value = values[at];
      return value == null ? [] : [`${left(x).toFixed(1)} ${top(value).toFixed(1)}`];
    })
    .map((place, at) => `${at === 0 ? "M" : "L"}${place}`)
    .join("");
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
