/** A picture of results, as the engine's crate of figures makes it: a plot of a figure or a lesson with its numbers. */
export interface Picture {
  /** Bars stand in groups at 0, 1, 2 and so on; curves over time are in milliseconds, tails over microseconds. */
  readonly kind: "bars" | "lines" | "time" | "tail";
  readonly x: PictureAxis;
  readonly y: PictureAxis;
  readonly groups?: readonly string[];
  readonly series: readonly PictureSeries[];
  readonly references?: readonly { readonly title: string; readonly y: number }[];
}

export interface PictureAxis {
  readonly title: string;
  readonly unit?: string | undefined;
  /** Equal lengths are equal ratios. */
  readonly log?: boolean;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

export interface PictureSeries {
  readonly title: string;
  /** The class whose colour it has. */
  readonly class: string | null;
  /** It is what a model says, not a simulation. */
  readonly model?: boolean;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Half the width of the 95 % interval of every point. */
  readonly halfWidths?: readonly number[];
  /** What the source has: x and y, or x and the two ends of a range. */
  readonly published?: readonly (readonly number[])[];
}
