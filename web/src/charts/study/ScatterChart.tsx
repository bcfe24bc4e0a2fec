import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { PlainChart } from "../frame/PlainChart.tsx";
import type { ExportStamp } from "../types.ts";
import { drawScatter, markAt, markPlace, type ScatterPicture, scatterFrame } from "./scatter.ts";
import "./ScatterChart.css";

interface ScatterChartProps {
  readonly id: string;
  readonly title: string;
  /** What is drawn, and its unit. */
  readonly unit: string;
  readonly header?: ReactNode;
  readonly height: number;
  readonly picture: ScatterPicture;
  readonly sentence: string;
  readonly headers: readonly string[];
  readonly rows: () => Iterable<readonly (string | number)[]>;
  readonly stamp: ExportStamp;
  /** What is said of a point: a term and what it is, line by line. */
  readonly read: (point: number) => readonly (readonly [term: string, text: string])[];
  /** What a click on a mark, or Enter, does. */
  readonly onChoose?: (point: number, at: { readonly x: number; readonly y: number }) => void;
  /** What that is, in words: "Enter opens it". */
  readonly choosing?: string;
}

/** What was tried as marks, each of which can be read and chosen. Arrows go from one to the next. */
export function ScatterChart(props: ScatterChartProps) {
  const { picture, height, read, onChoose } = props;
  const [cursor, setCursor] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const size = () => box.current?.clientWidth ?? 0;
  const plot = () => scatterFrame(size(), height, picture);
  const under = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLDivElement>) => {
    const { left, top } = currentTarget.getBoundingClientRect();
    return markAt(plot(), picture, clientX - left, clientY - top);
  };
  const mark = cursor === null ? undefined : picture.marks[cursor];
  const place = mark && markPlace(plot(), mark);
  const choose = (at: number | null) => {
    const chosen = at === null ? undefined : picture.marks[at];
    if (chosen) onChoose?.(chosen.point, markPlace(plot(), chosen));
  };
  const key = (event: KeyboardEvent<HTMLDivElement>): boolean => {
    const along = picture.marks
      .map(({ x, y }, at) => ({ x, y: y ?? 0, at }))
      .toSorted((a, b) => a.x - b.x || a.y - b.y)
      .map(({ at }) => at);
    const from = cursor === null ? -1 : along.indexOf(cursor);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape" && cursor !== null) setCursor(null);
    else if (event.key === "Enter" && cursor !== null) choose(cursor);
    else if (event.key === "Home") setCursor(along[0] ?? null);
    else if (event.key === "End") setCursor(along.at(-1) ?? null);
    else if (step) setCursor(along[Math.min(along.length - 1, Math.max(0, from + step))] ?? null);
    else return false;
    return true;
  };
  return (
    <div ref={box} className="scatter" data-chosen={cursor !== null || undefined}>
      <PlainChart
        id={props.id}
        title={props.title}
        unit={props.unit}
        header={props.header}
        height={height}
        stamp={props.stamp}
        sentence={props.sentence}
        keys={`Left and right arrow go from mark to mark.${props.choosing ? ` ${props.choosing}` : ""}`}
        headers={props.headers}
        rows={props.rows}
        draw={(surface, width, high, theme) => drawScatter(surface, theme, width, high, picture)}
        drawOver={(surface, width, high, theme) => {
          if (!mark) return;
          const { x, y } = markPlace(scatterFrame(width, high, picture), mark);
          surface.begin();
          surface.circle(x, y, 7.5);
          surface.stroke({ colour: theme.ink, width: 1.5 });
        }}
        onPointerMove={(event) => setCursor(under(event))}
        onPointerLeave={() => setCursor(null)}
        onPointerUp={(event) => choose(under(event))}
        onKey={key}
      >
        {mark && place && (
          <div
            className="chart-readout"
            style={place.x > size() / 2 ? { right: size() - place.x + 14 } : { left: place.x + 14 }}
          >
            <dl className="scatter-readout">
              {read(mark.point).map(([term, text]) => (
                <div key={term}>
                  <dt>{term}</dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </div>
        )}
      </PlainChart>
      <p className="visually-hidden" aria-live="polite">
        {mark &&
          read(mark.point)
            .map(([term, text]) => `${term} ${text}`)
            .join(", ")}
      </p>
    </div>
  );
}
