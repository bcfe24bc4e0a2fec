import { useMemo } from "react";
import { Segmented } from "../ui/Segmented.tsx";
import { createRangeKeeper } from "./chartModel.ts";
import { QuantityMenu } from "./QuantityMenu.tsx";
import { qualityModel } from "./quality.ts";
import { isRecordedByFlow, type QuantityId, quantity } from "./quantities.ts";
import { type By, signalModel } from "./signal.ts";
import { TimeChart } from "./TimeChart.tsx";
import type { TimeChartProps } from "./types.ts";

interface SignalChartProps extends TimeChartProps {
  readonly chosen: QuantityId;
  readonly by: By;
  /** Why a quantity cannot show anything in this scenario; null where it can. */
  readonly reason: (id: QuantityId) => string | null;
  readonly onChoose: (id: QuantityId) => void;
  readonly onBy: (by: By) => void;
}

/** A chart whose quantity can be chosen, of classes or single connections. */
export function SignalChart(props: SignalChartProps) {
  const { run, chosen, reason, onChoose, onBy } = props;
  const shown = quantity(reason(chosen) === null ? chosen : "quality");
  const single = isRecordedByFlow(run, shown);
  const by: By = single ? props.by : "class";
  const id = shown.id;
  // A range belongs to what is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const range = useMemo(createRangeKeeper, [id, by]);
  const model =
    id === "quality" && by === "class"
      ? qualityModel(props)
      : signalModel({ ...props, quantity: shown, by }, range);
  return (
    <TimeChart
      {...props}
      model={model}
      header={
        <>
          <QuantityMenu chosen={shown} reason={reason} onChoose={onChoose} />
          <span className="note">{shown.unit}</span>
          {single && (
            <div className="chart-by" data-quiet={(id === "quality" && by === "class") || undefined}>
              <Segmented
                label="Lines per"
                value={by}
                options={[
                  { value: "class", title: "Classes" },
                  { value: "connection", title: "Connections" },
                ]}
                onChange={onBy}
              />
            </div>
          )}
        </>
      }
    />
  );
}
