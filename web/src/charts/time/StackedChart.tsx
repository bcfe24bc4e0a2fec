import { useCallback, useMemo, useSyncExternalStore } from "react";
import { outOfReach } from "../../run/bottleneck.ts";
import type { RunView } from "../../run/types.ts";
import { Segmented } from "../../ui/Segmented.tsx";
import type { ChartChoice } from "../form.ts";
import { replacementOf, type Shown, shownBy } from "../registry.ts";
import type { TimeChartProps } from "../types.ts";
import { createRangeKeeper } from "./chartModel.ts";
import { QuantityMenu } from "./QuantityMenu.tsx";
import { TimeChart } from "./TimeChart.tsx";

interface StackedChartProps extends TimeChartProps {
  readonly choice: ChartChoice;
  /** The subject that is shown where the chosen one cannot be: one that every run has. */
  readonly otherwise: string;
  /** Why a subject cannot show anything in this scenario; null where it can. */
  readonly reason: (subject: string) => string | null;
  readonly onChoose: (choice: ChartChoice) => void;
  /** The runs that it is compared with, of which a chart beside it shows the same; absent where there are none. */
  readonly beside?: readonly RunView[];
}

/** A chart over time whose title is the menu of what it may show, of classes or single connections. */
export function StackedChart(props: StackedChartProps) {
  const { run, choice, otherwise, reason, onChoose, axis, beside = ALONE } = props;
  const runs = useMemo(() => [run, ...beside], [run, beside]);
  useOutOfReach(runs);
  const wanted = reason(choice.subject) === null ? choice.subject : otherwise;
  const possible = replacementOf(wanted, runs)?.subject ?? wanted;
  const { subject, form } = (shownBy(possible) ?? shownBy(otherwise)) as Shown;
  const single = form.isByConnection?.(run, subject) ?? false;
  const by = single ? choice.by : "class";
  const { id } = subject;
  // A range belongs to what is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const range = useMemo(() => createRangeKeeper(axis), [id, by, axis]);
  const model = form.model(props, subject, by, range);
  return (
    <TimeChart
      {...props}
      subject={subject}
      model={model}
      header={
        <>
          <QuantityMenu
            chosen={subject}
            reason={(subject) => reason(subject) ?? replacementOf(subject, runs)?.reason ?? null}
            onChoose={(next) => onChoose({ ...choice, subject: next })}
          />
          <span className="note">{model.unit ?? subject.unit}</span>
          {single && (
            <div className="chart-by" data-quiet={id === otherwise && by === "class" ? true : undefined}>
              <Segmented
                label="Lines per"
                value={by}
                options={[
                  { value: "class", title: "Classes" },
                  { value: "connection", title: "Connections" },
                ]}
                onChange={(next) => onChoose({ subject: id, by: next })}
              />
            </div>
          )}
        </>
      }
    />
  );
}

const ALONE: readonly RunView[] = [];

/** Renders anew when the rates of the network come within reach of one of the runs, or out of it. */
function useOutOfReach(runs: readonly RunView[]): void {
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = runs.map((run) => run.subscribe(listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [runs],
  );
  useSyncExternalStore(subscribe, () => runs.map((run) => outOfReach(run) ?? "").join());
}
