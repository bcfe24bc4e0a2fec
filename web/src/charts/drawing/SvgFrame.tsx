import type { Axis } from "./axis.ts";
import { type Box, crisp, placedLabels, TICK } from "./frame.ts";
import { roomFor } from "./letters.ts";
import "./drawing.css";

/** `drawGrid` in a drawing that is SVG. */
export function SvgGrid({ box: { left, right }, axis }: { readonly box: Box; readonly axis: Axis }) {
  return (
    <g className="plot-grid">
      {axis.ticks.map(({ value, label }) => {
        const y = axis.scale(value);
        return (
          label !== "" && (
            <g key={value}>
              <path d={`M${left} ${crisp(y)}H${right}`} />
              <text x={left - TICK.toLabel} y={y + TICK.middle} textAnchor="end">
                {label}
              </text>
            </g>
          )
        );
      })}
    </g>
  );
}

/** `drawAxis` in a drawing that is SVG; without an axis only its line. */
export function SvgAxis({ box, axis }: { readonly box: Box; readonly axis: Axis | null }) {
  const { left, right, bottom, width } = box;
  const marks = axis?.ticks.map(
    ({ value, label }) => `M${crisp(axis.scale(value))} ${bottom}v${label === "" ? TICK.short : TICK.long}`,
  );
  return (
    <g className="plot-axis">
      <path d={`M${left} ${crisp(bottom)}H${right}${marks?.join("") ?? ""}`} />
      {axis &&
        placedLabels(axis, width, roomFor).map(({ value, text, x }) => (
          <text key={value} x={x} y={bottom + TICK.below} textAnchor="middle">
            {text}
          </text>
        ))}
    </g>
  );
}
