import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from "react";
import { fixed, formatDuration } from "../drawing/format.ts";
import { vertical } from "../drawing/frame.ts";
import { PlainChart } from "../frame/PlainChart.tsx";
import type { ExportStamp, Gutters } from "../types.ts";
import {
  type Decomposition,
  decompositionSentence,
  drawDecomposition,
  rowsOf,
  stripFrame,
} from "./decomposition.ts";
import "./PlanCharts.css";

interface DecompositionChartProps {
  readonly data: Decomposition;
  readonly width: number;
  readonly height: number;
  readonly gutters: Gutters;
  readonly header: ReactNode;
  readonly stamp: ExportStamp;
  /** All there is to be seen. */
  readonly wholeUs: number;
  /** Another stretch of time; null: all of it. */
  readonly onRange: (range: readonly [fromUs: number, toUs: number] | null) => void;
}

/** Pixels that a stretch must have to be meant. */
const MIN_STRETCH_PIXELS = 6;

/** Requests of a tenant over time by nested class. A stretch that is drawn across it is shown closer. */
export function DecompositionChart(props: DecompositionChartProps) {
  const { data, width, height, gutters, wholeUs, onRange } = props;
  const rows = rowsOf(data);
  const plot = stripFrame(width, height, gutters, data, rows.length);
  const [at, setAt] = useState<number | null>(null);
  const [from, setFrom] = useState<number | null>(null);
  const inPlot = (x: number) => Math.min(plot.right, Math.max(plot.left, x));
  const place = (event: PointerEvent<HTMLDivElement>) =>
    event.clientX - event.currentTarget.getBoundingClientRect().left;
  const range = (one: number, other: number): void => {
    const [left, right] = [Math.min(one, other), Math.max(one, other)];
    if (right - left >= MIN_STRETCH_PIXELS) onRange([plot.x.scale.invert(left), plot.x.scale.invert(right)]);
  };
  const key = (event: KeyboardEvent<HTMLDivElement>): boolean => {
    const length = data.toUs - data.fromUs;
    const shown = (fromUs: number, long: number) => {
      const start = Math.max(0, Math.min(fromUs, wholeUs - long));
      onRange(long >= wholeUs ? null : [start, start + long]);
    };
    if (event.key === "+" || event.key === "=") shown(data.fromUs + length / 4, length / 2);
    else if (event.key === "-") shown(data.fromUs - length / 2, Math.min(wholeUs, 2 * length));
    else if (event.key === "ArrowLeft") shown(data.fromUs - length / 4, length);
    else if (event.key === "ArrowRight") shown(data.fromUs + length / 4, length);
    else if (event.key === "Escape" || event.key === "0") onRange(null);
    else return false;
    return true;
  };
  const bin =
    at === null ? -1 : Math.floor(((inPlot(at) - plot.left) / (plot.right - plot.left)) * data.bins);
  return (
    <PlainChart
      id="decomposition"
      title="Classes over time"
      unit="requests a second"
      header={props.header}
      height={height}
      stamp={props.stamp}
      sentence={decompositionSentence(data)}
      keys="Plus and minus show less and more of the time, left and right arrow go along it, Escape shows all."
      headers={["time (us)", ...rows.map(({ label, note }) => `${label}${note && `, ${note}`} (requests)`)]}
      rows={() =>
        Array.from({ length: data.bins }, (_, part) => [
          data.fromUs + ((data.toUs - data.fromUs) * part) / data.bins,
          ...rows.map(({ count }) => count(part)),
        ])
      }
      draw={(surface, wide, high, theme) => drawDecomposition(surface, theme, wide, high, gutters, data)}
      drawOver={(surface, _, __, theme) => {
        const top = plot.strips[0]?.top ?? 0;
        if (from !== null && at !== null) {
          const [left, right] = [Math.min(from, inPlot(at)), Math.max(from, inPlot(at))];
          surface.begin();
          surface.rect(left, top, right - left, plot.bottom - top);
          surface.fill(theme.ink, 0.1);
        } else if (at !== null) {
          vertical(surface, inPlot(at), top, plot.bottom);
          surface.stroke({ colour: theme.t2, width: 1 });
        }
      }}
      onKey={key}
      onPointerDown={(event) => {
        if (event.pointerType === "touch") return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom(inPlot(place(event)));
        setAt(place(event));
      }}
      onPointerMove={(event) => {
        const x = place(event);
        setAt(from !== null || (x >= plot.left - 8 && x <= plot.right + 8) ? x : null);
      }}
      onPointerUp={(event) => {
        if (from !== null) range(from, inPlot(place(event)));
        setFrom(null);
      }}
      onPointerLeave={() => {
        setAt(null);
        setFrom(null);
      }}
    >
      {at !== null && from === null && bin >= 0 && bin < data.bins && (
        <div
          className="chart-readout"
          style={at > width / 2 ? { right: width - at + 10 } : { left: at + 10 }}
          aria-live="polite"
        >
          <table>
            <caption>
              <span>
                <b>{formatDuration(data.fromUs + ((data.toUs - data.fromUs) * bin) / data.bins, 5)}</b>
                <span>requests in {formatDuration((data.toUs - data.fromUs) / data.bins, 3)}</span>
              </span>
            </caption>
            <tbody>
              {rows.map(({ label, count }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td>{fixed(count(bin), 0)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </PlainChart>
  );
}
