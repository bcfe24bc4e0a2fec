import { deviceColumn } from "../../run/devices.ts";
import { samplesUntilNow } from "../../run/read.ts";
import { amountAxis, roundEnd } from "../drawing/axis.ts";
import { fixed, formatMilliseconds, formatPercent, percentTick } from "../drawing/format.ts";
import { drawAxisLine, drawGrid, horizontal } from "../drawing/frame.ts";
import {
  drawEmpty,
  drawInstants,
  emptyReason,
  type Plot,
  REFERENCE_DASH,
  traceSamples,
} from "../drawing/plot.ts";
import { pushApart } from "../drawing/pushApart.ts";
import type { Subject } from "../form.ts";
import type { ChartModel, RangeKeeper } from "../time/chartModel.ts";
import type { TimeChartProps } from "../types.ts";

export const FREE_BLOCKS: Subject = {
  id: "freeBlocks",
  title: "Free blocks",
  unit: "share of all blocks",
};

/** A share of free blocks at which garbage collection changes what it does. */
export interface Threshold {
  readonly share: number;
  readonly label: string;
}

interface FreeBlocksProps extends TimeChartProps {
  readonly device: number;
  readonly blocksPerPlane: number;
  readonly collection: readonly Threshold[];
}

/** Free blocks of an SSD over time, with the thresholds of its garbage collection. */
export function freeBlocksModel(props: FreeBlocksProps, range: RangeKeeper): ChartModel {
  const { run, device, blocksPerPlane, collection, events = [] } = props;
  const values = () => deviceColumn(run, "freeBlocks", device);
  const share = (sample: number) => (values()?.[sample] ?? Number.NaN) / blocksPerPlane;
  const amplification = (sample: number) =>
    deviceColumn(run, "writeAmplification", device)?.[sample] ?? Number.NaN;

  const maximum = () => {
    const column = values() as unknown as Float64Array | undefined;
    const seen = range.observe(run, [column]) / blocksPerPlane;
    return Math.min(1, roundEnd(1.05 * Math.max(0.01, seen, ...collection.map((item) => item.share))));
  };
  const axisOf = (plot: Plot) => amountAxis(maximum(), [plot.bottom, plot.top], percentTick);

  return {
    warmup: "named",
    draw(surface, plot) {
      const { theme } = plot;
      const axis = axisOf(plot);
      const y = axis.scale;
      drawGrid(surface, theme, plot, axis);
      for (const { share: at } of collection) {
        horizontal(surface, plot.left, plot.right, y(at));
        surface.stroke({ colour: theme.t2, width: 1, dash: REFERENCE_DASH });
      }
      drawInstants(surface, plot, run.nowUs, events);
      const column = values();
      if (column) {
        const series = { key: `freeBlocks.${device}`, values: column };
        traceSamples(surface, run, plot, series, (blocks) => y(blocks / blocksPerPlane));
        surface.stroke({ colour: theme.ink, width: 1.25, join: "round" });
      }
      if (samplesUntilNow(run) === 0) drawEmpty(surface, plot, emptyReason(run, plot, ""));
      drawAxisLine(surface, theme, plot, null);
      const places = pushApart(
        collection.map((item) => y(item.share)),
        15,
        plot.top,
        plot.bottom - 2,
      );
      collection.forEach(({ label }, i) => {
        const style = i === 0 ? { colour: theme.ink, bold: true } : { colour: theme.t3 };
        surface.text({ text: label, ...style }, plot.right + 12, (places[i] as number) + 4);
      });
    },

    cursorMarks: (plot, sample) => [{ y: axisOf(plot).scale(share(sample)), kindIndex: null }],

    readout: (sample) => ({
      columns: [""],
      rows: [
        { name: "free", kindIndex: null, values: [formatPercent(share(sample))] },
        ...collection.map((item) => ({
          name: item.label.replace(/ [\d.]+.%$/, ""),
          kindIndex: null,
          values: [formatPercent(item.share)],
        })),
        { name: "write amplification", kindIndex: null, values: [fixed(amplification(sample), 2)] },
      ],
    }),

    table: [
      { header: "free blocks (share)", value: share, format: formatPercent },
      { header: "write amplification", value: amplification, format: (value) => fixed(value, 2) },
    ],

    sentence: (sample) =>
      `At ${formatMilliseconds(run.timeUs[sample] as number)} ms ${formatPercent(share(sample))} of the blocks are free; ` +
      `${collection.map(({ label }) => label).join(", ")}; write amplification ${fixed(amplification(sample), 2)}.`,
  };
}
