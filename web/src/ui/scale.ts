/** Maps a range of values to slider positions 0..1 and back, linear or logarithmic. */
export interface SliderScale {
  readonly low: number;
  readonly high: number;
  readonly scale: "log" | "linear";
}

/** Position of a value; values beyond the range stand at its ends. */
export function positionOf({ low, high, scale }: SliderScale, value: number): number {
  const position =
    scale === "log" ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.min(1, Math.max(0, position));
}

export function valueAtPosition({ low, high, scale }: SliderScale, position: number): number {
  return scale === "log" ? low * (high / low) ** position : low + (high - low) * position;
}

/** Three to five round values to write under a slider, its ends first and last. */
export function sliderTicks({ low, high, scale }: SliderScale): number[] {
  if (scale === "linear") return [low, (low + high) / 2, high];
  const inner: number[] = [];
  for (let decade = 10 ** Math.floor(Math.log10(low)); decade < high; decade *= 10) {
    for (const multiple of [1, 3]) {
      const value = decade * multiple;
      const clear = positionOf({ low, high, scale }, value);
      if (clear > 0.1 && clear < 0.9) inner.push(Number(value.toPrecision(3)));
    }
  }
  const every = Math.ceil(inner.length / 3);
  return [low, ...inner.filter((_, i) => i % every === 0), high];
}
