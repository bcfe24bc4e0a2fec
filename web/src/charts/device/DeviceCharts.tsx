import { type ReactNode, useMemo } from "react";
import { timePlot } from "../drawing/plot.ts";
import { createRangeKeeper } from "../time/chartModel.ts";
import { cellPace, heatModel, heatSubject, opacityOf } from "../time/heatMap.ts";
import { TimeChart } from "../time/TimeChart.tsx";
import type { TimeChartProps } from "../types.ts";
import { FREE_BLOCKS, freeBlocksModel, type Threshold } from "./freeBlocks.ts";
import "./DeviceCharts.css";

interface OfDevice extends TimeChartProps {
  readonly device: number;
}

/** The chips of an SSD, or the banks of a memory, over time. */
export function HeatMapChart(props: OfDevice & { readonly width: number }) {
  const { run, device, gutters, domainUs, width, height } = props;
  const subject = heatSubject(run, device);
  const pace = useMemo(
    () => cellPace(run, () => timePlot(NO_THEME, width, height, gutters, domainUs)),
    [run, width, height, gutters, domainUs],
  );
  const own = run.layout.devices[device];
  const perChannel = own ? Math.round(own.units / Math.max(1, own.channels)) : 0;
  const isFlash = own?.kind === "ssd";
  return (
    <TimeChart
      {...props}
      subject={subject}
      model={heatModel(props, device)}
      pace={pace}
      header={
        <>
          <b className="chart-title">{subject.title}</b>
          <span className="note">
            {subject.unit}
            {isFlash && width >= ROOMY && `, ${perChannel} per channel`}
          </span>
          <HeatLegend gc={isFlash} />
        </>
      }
    />
  );
}

/** Below this width there is no room for all that may stand beside the title. */
const ROOMY = 640;

const NO_THEME = {} as Parameters<typeof timePlot>[0];

function HeatLegend({ gc }: { readonly gc: boolean }) {
  return (
    <span className="note chart-note heat-legend">
      idle{" "}
      <svg width="64" height="8" viewBox="0 0 64 8" aria-hidden="true">
        {Array.from({ length: 8 }, (_, step) => (
          <rect
            key={opacityOf(step)}
            x={8 * step}
            width="8"
            height="8"
            fill="var(--ink)"
            opacity={opacityOf(step)}
          />
        ))}
      </svg>{" "}
      busy
      {gc && (
        <>
          <svg width="20" height="8" viewBox="0 0 20 8" aria-hidden="true">
            <path
              d="M-4 8 4 0M0 8 8 0M4 8l8-8M8 8l8-8M12 8l8-8M16 8l8-8"
              stroke="var(--ink)"
              strokeWidth="1.25"
            />
          </svg>
          garbage collection
        </>
      )}
    </span>
  );
}

interface FreeBlocksChartProps extends OfDevice {
  readonly blocksPerPlane: number;
  readonly collection: readonly Threshold[];
  /** Follows the unit. */
  readonly note: ReactNode;
}

/** Free blocks of an SSD over time. */
export function FreeBlocksChart(props: FreeBlocksChartProps) {
  const { run, device } = props;
  // A range belongs to what is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const range = useMemo(createRangeKeeper, [run, device]);
  return (
    <TimeChart
      {...props}
      subject={FREE_BLOCKS}
      model={freeBlocksModel(props, range)}
      header={
        <>
          <b className="chart-title">{FREE_BLOCKS.title}</b>
          <span className="note">
            <span className="free-blocks-unit">{FREE_BLOCKS.unit}, </span>
            {props.note}
          </span>
        </>
      }
    />
  );
}
