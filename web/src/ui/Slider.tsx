import type { KeyboardEvent } from "react";
import { positionOf, type SliderScale, sliderTicks, valueAtPosition } from "./scale.ts";

interface SliderProps {
  readonly id?: string;
  readonly label: string;
  readonly scale: SliderScale;
  readonly value: number;
  readonly valueText: string;
  /** Recommended values, drawn as a block behind the track. */
  readonly band?: { readonly low: number; readonly high: number } | null;
  readonly ticks?: boolean;
  readonly inert?: boolean;
  /** A value for any position: rounds to what the field takes. */
  readonly round: (value: number) => number;
  /** The value a number of natural steps away. */
  readonly step: (value: number, steps: number) => number;
  /** Every value of a drag or of a burst of keys. */
  readonly onChange: (value: number) => void;
}

/** A slider with a recommended band and labelled ticks. Arrows move by natural steps, with Shift by ten. */
export function Slider(props: SliderProps) {
  const { label, scale, value, valueText, band, ticks, inert = false, round, step, onChange } = props;
  const position = positionOf(scale, value);
  const percent = (at: number) => `${(positionOf(scale, at) * 100).toFixed(2)}%`;
  const key = (event: KeyboardEvent<HTMLInputElement>) => {
    const direction = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[event.key];
    if (direction === undefined || inert) return;
    event.preventDefault();
    onChange(step(value, direction * (event.shiftKey ? 10 : 1)));
  };
  return (
    <div className="slider" data-inert={inert || undefined}>
      {band && (
        <span
          className="slider-band"
          style={{ left: percent(band.low), right: `calc(100% - ${percent(band.high)})` }}
        />
      )}
      <span className="slider-track" />
      <span className="slider-fill" style={{ width: `${(position * 100).toFixed(2)}%` }} />
      <input
        {...(props.id && { id: props.id })}
        type="range"
        min={0}
        max={1}
        step={0.001}
        value={position}
        aria-label={label}
        aria-valuetext={valueText}
        aria-disabled={inert}
        onKeyDown={key}
        onChange={(event) => {
          if (!inert) onChange(round(valueAtPosition(scale, Number(event.target.value))));
        }}
      />
      {value > scale.high && <span className="slider-beyond">beyond</span>}
      {ticks && (
        <span className="slider-ticks" aria-hidden="true">
          {sliderTicks(scale).map((tick) => (
            <span key={tick} style={{ left: percent(tick) }}>
              {tick}
            </span>
          ))}
        </span>
      )}
    </div>
  );
}
