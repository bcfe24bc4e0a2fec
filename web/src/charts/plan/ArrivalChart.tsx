import type { KeyboardEvent, PointerEvent, ReactNode } from "react";
import { useId, useState } from "react";
import { useMedia } from "../../ui/media.ts";
import { fixed, formatDuration } from "../drawing/format.ts";
import { PlainChart } from "../frame/PlainChart.tsx";
import type { ExportStamp, Gutters } from "../types.ts";
import type { Promised } from "./arrivals.ts";
import {
  type ArrivalCurve,
  arrivalFrame,
  arrivalSentence,
  drawArrivals,
  HANDLE_PITCH,
  handlePlaces,
  through,
  valueAt,
} from "./arrivals.ts";
import "./PlanCharts.css";

type Part = "burst" | "rateIops";

interface ArrivalChartProps {
  readonly curve: ArrivalCurve;
  readonly width: number;
  readonly height: number;
  readonly gutters: Gutters;
  readonly header: ReactNode;
  readonly stamp: ExportStamp;
  /** A burst or rate of a class as somebody draws it: more may follow. */
  readonly onDraw: (at: number, part: Part, value: number) => void;
}

/** Steps of a key: a tenth, with Shift a hundredth. */
const STEP = 1.1;
const FINE = 1.01;

const UNITS: Readonly<Record<Part, string>> = { burst: "requests", rateIops: "requests a second" };
const NAMES: Readonly<Record<Part, string>> = { burst: "Burst", rateIops: "Rate" };

/** Arrivals of a tenant under the buckets of its contract, which are taken hold of. */
export function ArrivalChart({ curve, width, height, gutters, header, stamp, onDraw }: ArrivalChartProps) {
  const plot = arrivalFrame(width, height, gutters, curve);
  const isWindow = curve.axes === "window";
  const pitch = HANDLE_PITCH[useMedia("(pointer: coarse)") ? "coarse" : "fine"];
  return (
    <PlainChart
      id="arrivals"
      title="Arrivals"
      unit={isWindow ? "most requests in any window of a length" : "requests since the start of the picture"}
      header={header}
      height={height}
      stamp={stamp}
      sentence={arrivalSentence(curve)}
      keys="Bursts and rates are sliders."
      headers={[
        isWindow ? "window (us)" : "time (us)",
        "requests",
        ...curve.contract.map((_, i) => `class ${i + 1} (requests)`),
      ]}
      rows={() =>
        curve.points.map(([us, requests]) => [
          us,
          requests,
          ...curve.contract.map((item) => through(item, us)),
        ])
      }
      draw={(surface, wide, high, theme) => drawArrivals(surface, theme, wide, high, gutters, curve)}
      handles={handlePlaces(plot, curve.contract, pitch).map(({ part, at, x, y }) => (
        <Handle
          key={`${part} ${at}`}
          part={part}
          at={at}
          x={x}
          y={y}
          item={curve.contract[at] as Promised}
          onMove={(py) => onDraw(at, part, valueAt(plot, curve.contract[at] as Promised, part, x, py))}
          onStep={(value) => onDraw(at, part, value)}
        />
      ))}
    />
  );
}

interface HandleProps {
  readonly part: Part;
  readonly at: number;
  readonly x: number;
  readonly y: number;
  readonly item: Promised;
  readonly onMove: (y: number) => void;
  readonly onStep: (value: number) => void;
}

/** What a bucket is moved by: up and down. */
function Handle({ part, at, x, y, item, onMove, onStep }: HandleProps) {
  const [grabbed, setGrabbed] = useState(false);
  const hint = useId();
  const value = item[part];
  const move = ({ currentTarget, clientY }: PointerEvent<HTMLElement>) => {
    const box = currentTarget.parentElement?.getBoundingClientRect();
    if (box) onMove(clientY - box.top);
  };
  const key = (event: KeyboardEvent<HTMLElement>) => {
    const factor = event.shiftKey ? FINE : STEP;
    const up = event.key === "ArrowUp" || event.key === "ArrowRight";
    const down = event.key === "ArrowDown" || event.key === "ArrowLeft";
    if (!up && !down) return;
    event.preventDefault();
    event.stopPropagation();
    // A burst is a whole number: a step is at least one.
    const next = up ? value * factor : value / factor;
    const least = up ? value + 1 : value - 1;
    onStep(part === "burst" ? (up ? Math.max(next, least) : Math.min(next, least)) : next);
  };
  return (
    <div
      className="arrival-handle"
      role="slider"
      tabIndex={0}
      aria-label={`${NAMES[part]} of class ${at + 1}`}
      aria-orientation="vertical"
      aria-valuemin={part === "burst" ? 1 : 0.01}
      aria-valuemax={part === "burst" ? 100_000 : 1e9}
      aria-valuenow={value}
      aria-valuetext={`${fixed(value, part === "burst" ? 0 : 1)} ${UNITS[part]}`}
      aria-describedby={hint}
      style={{ left: x, top: y }}
      data-grabbed={grabbed || undefined}
      title={`${NAMES[part]} of class ${at + 1}, due within ${formatDuration(item.responseUs)}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setGrabbed(true);
        event.stopPropagation();
      }}
      onPointerMove={(event) => {
        if (grabbed) move(event);
      }}
      onPointerUp={() => setGrabbed(false)}
      onPointerCancel={() => setGrabbed(false)}
      onKeyDown={key}
    >
      <span aria-hidden="true">{at + 1}</span>
      {grabbed && (
        <output>
          {fixed(value, part === "burst" ? 0 : 1)}
          {part === "rateIops" && "/s"}
        </output>
      )}
      <span id={hint} className="visually-hidden">
        Arrows change it by a tenth, with Shift by a hundredth.
      </span>
    </div>
  );
}
