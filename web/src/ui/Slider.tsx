import { Slider as Base } from "@base-ui/react/slider";
import type { KeyboardEvent } from "react";
import { useDisabled } from "./lock.ts";
import { positionOf, type SliderScale, sliderTicks, valueAtPosition } from "./scale.ts";
import "./Slider.css";

interface SliderProps {
  readonly label: string;
  readonly scale: SliderScale;
  readonly value: number;
  readonly valueText: string;
  /** Recommended values, drawn as a block behind the track. */
  readonly band?: { readonly low: number; readonly high: number } | null;
  readonly ticks?: boolean;
  /** Kept visible, and reached by the keyboard, but without effect. */
  readonly disabled?: boolean;
  /** A value for any position: rounds to what the field takes. */
  readonly round: (value: number) => number;
  /** The value a number of natural steps away. */
  readonly step: (value: number, steps: number) => number;
  /** Every value of a drag or of a burst of keys. */
  readonly onChange: (value: number) => void;
}

const DIRECTIONS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
};

/** A slider with a recommended band and labelled ticks. Arrows move by natural steps, with Shift by ten. */
export function Slider(props: SliderProps) {
  const { label, scale, value, valueText, band, ticks, round, step, onChange } = props;
  const { disabled, ...reason } = useDisabled(props.disabled ?? false);
  const percent = (at: number) => `${(positionOf(scale, at) * 100).toFixed(2)}%`;
  // Steps are those of the value; all that is left to the slider are positions under a pointer, Home and End.
  const key = (event: KeyboardEvent) => {
    const direction = DIRECTIONS[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    if (!disabled) onChange(step(value, direction * (event.shiftKey ? 10 : 1)));
  };
  return (
    <Base.Root
      className="slider"
      min={0}
      max={1}
      step={0.001}
      value={positionOf(scale, value)}
      data-disabled={disabled || undefined}
      {...reason}
      onValueChange={(position) => {
        if (!disabled) onChange(round(valueAtPosition(scale, position)));
      }}
    >
      <Base.Control className="slider-control">
        <Base.Track className="slider-track">
          {band && (
            <span
              className="slider-band"
              style={{ left: percent(band.low), right: `calc(100% - ${percent(band.high)})` }}
            />
          )}
          <span className="slider-rest" />
          <Base.Indicator className="slider-fill" />
          <Base.Thumb
            className="slider-thumb"
            inputRef={(input) => input?.setAttribute("aria-disabled", String(disabled))}
            aria-label={label}
            aria-valuetext={valueText}
            onKeyDown={key}
          />
        </Base.Track>
      </Base.Control>
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
    </Base.Root>
  );
}
