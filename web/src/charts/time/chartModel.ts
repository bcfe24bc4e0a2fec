import type { RunView } from "../../run/types.ts";
import type { Plot } from "../drawing/plot.ts";
import type { Surface } from "../drawing/surface.ts";

/** A hollow marker or tick on a line under the time cursor; `kindIndex` null is ink. */
export interface CursorMark {
  readonly y: number;
  readonly kindIndex: number | null;
}

/** Popover's table: one row per class or quantity. */
export interface Readout {
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly name: string;
    readonly kindIndex: number | null;
    readonly values: readonly string[];
  }[];
}

/** A column of the table twin and of the CSV file. */
export interface TableColumn {
  /** With unit, e.g. "High (Gb/s)". */
  readonly header: string;
  /** NaN does not apply. */
  readonly value: (sample: number) => number;
  readonly format: (value: number) => string;
}

/** All that distinguishes one stacked time chart from another. Built anew when props change; cheap. */
export interface ChartModel {
  /** More exact than that of the subject: "packets, port e3.0 to s12". */
  readonly unit?: string;
  /** How the warm-up is marked: not at all where data cover the plot, or with its name also where another chart is first. */
  readonly warmup?: "hidden" | "named";
  /** Stands at the right end of the row of the title. */
  readonly note?: string;
  /** Grid, data and gutter; title, warm-up and time axis are those of every chart. */
  draw(surface: Surface, plot: Plot): void;
  cursorMarks(plot: Plot, sample: number): CursorMark[];
  /** The height of a value of what is shown; absent where the axis is none of its unit. */
  level?(plot: Plot, value: number): number;
  /** The line that passes nearest to a height at a sample; only where single lines can be pointed at. */
  nearest?(plot: Plot, sample: number, y: number): number | null;
  /** Draws one line so that it stands out. */
  drawFocus?(surface: Surface, plot: Plot, line: number): void;
  /** `line` is the one pointed at. */
  readout(sample: number, line: number | null): Readout;
  readonly table: readonly TableColumn[];
  /** The picture in one sentence, as at a sample. */
  sentence(sample: number): string;
}

/** Largest value of some columns, kept up incrementally: an axis grows when exceeded and never shrinks in a run. */
export interface RangeKeeper {
  /** Largest value seen in the run so far; 0 before any. */
  observe(run: RunView, columns: readonly (ArrayLike<number> | undefined)[]): number;
  /** The end of the axis: what the chart needs, or what those beside it that share its axis need. */
  settle(end: number): number;
}

/** The axis that charts of one quantity in several runs share. */
export interface SharedAxis {
  /** The largest end that any of the charts has asked for. */
  widen(end: number): number;
  /** Calls back when the axis has grown; returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

export function createSharedAxis(): SharedAxis {
  let shared = 0;
  const listeners = new Set<() => void>();
  return {
    widen(end) {
      if (end > shared) {
        shared = end;
        for (const listener of listeners) listener();
      }
      return shared;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function createRangeKeeper(axis?: SharedAxis): RangeKeeper {
  let seen: RunView | null = null;
  let upTo = 0;
  let maximum = 0;
  return {
    observe(run, columns) {
      if (run !== seen) {
        seen = run;
        upTo = 0;
        maximum = 0;
      }
      upTo = Math.min(upTo, run.n);
      for (const values of columns) {
        if (!values) continue;
        for (let i = upTo; i < run.n; i++) if ((values[i] as number) > maximum) maximum = values[i] as number;
      }
      upTo = run.n;
      return maximum;
    },
    settle: (end) => axis?.widen(end) ?? end,
  };
}
