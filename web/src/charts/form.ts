import type { RunView } from "../run/types.ts";
import type { ChartModel, RangeKeeper } from "./time/chartModel.ts";
import type { TimeChartProps } from "./types.ts";

/** What a chart can show: an entry in the menu of its title. */
export interface Subject {
  /** Names it in links: no other subject of any form has the same. */
  readonly id: string;
  readonly title: string;
  /** A paper's symbol, after the title. */
  readonly symbol?: string;
  readonly unit: string;
}

/** Title and symbol in one text: "Quality factor Q". */
export const titleText = ({ title, symbol }: Subject): string => (symbol ? `${title} ${symbol}` : title);

/** Of whom a chart has a line: each class, or each connection that the engine samples. */
export type By = "class" | "connection";

/** What one chart of the page shows. */
export interface ChartChoice {
  /** The subject's `id`. */
  readonly subject: string;
  readonly by: By;
}

/** A form of chart over time, and what it takes: a function of the data of a run and of a size. */
export interface TimeForm<S extends Subject = Subject> {
  /** In the order of the menu. */
  readonly subjects: readonly S[];
  /** Whether a run has a line for each connection, too; absent where the form has none of single connections. */
  isByConnection?(run: RunView, subject: S): boolean;
  model(props: TimeChartProps, subject: S, by: By, range: RangeKeeper): ChartModel;
}
