import { scaleLinear, scaleLog } from "d3-scale";
import type { Slider } from "../generated/answers.d.ts";

/** Maps a range of values to slider positions 0..1 and back, linear or logarithmic. */
export type SliderScale = Slider;

const scaleOf = ({ low, high, scale }: SliderScale) =>
  (scale === "log" ? scaleLog([low, high], [0, 1]) : scaleLinear([low, high], [0, 1])).clamp(true);

/** Position of a value; values beyond the range stand at its ends. */
export const positionOf = (scale: SliderScale, value: number): number => scaleOf(scale)(value);

export const valueAtPosition = (scale: SliderScale, position: number): number =>
  scaleOf(scale).invert(position);

/** Three to five round values to write under a slider, its ends first and last. */
export function sliderTicks(range: SliderScale): number[] {
  const { low, high, scale } = range;
  if (scale === "linear") return [low, (low + high) / 2, high];
  const at = scaleOf(range);
  const inner = scaleLog([low, high], [0, 1])
    .ticks()
    .filter((value) => /^[13]/.test(value.toExponential()) && at(value) > 0.1 && at(value) < 0.9);
  const every = Math.ceil(inner.length / 3);
  return [low, ...inner.filter((_, i) => i % every === 0), high];
}
