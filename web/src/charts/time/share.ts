import { presentShare, targetShare, throughputShares } from "../../run/shares.ts";
import type { RunView } from "../../run/types.ts";
import { amountAxis, roundEnd } from "../drawing/axis.ts";
import { formatDuration, formatMilliseconds, formatPercent, percentTick } from "../drawing/format.ts";
import { drawGrid, horizontal } from "../drawing/frame.ts";
import {
  drawEmpty,
  drawInstants,
  emptyReason,
  hasValues,
  type Plot,
  REFERENCE_DASH,
} from "../drawing/plot.ts";
import type { TimeForm } from "../form.ts";
import type { TimeChartProps } from "../types.ts";
import type { ChartModel, RangeKeeper, TableColumn } from "./chartModel.ts";
import {
  type ClassQuantity,
  classMarks,
  classReadout,
  classSeries,
  drawClassGutter,
  drawClassLines,
  measuredAt,
  measuredColumn,
  presentOf,
} from "./classLines.ts";

const SHARE: ClassQuantity = {
  measured: throughputShares,
  present: presentShare,
  format: formatPercent,
};

/** What each class has of all that is carried, against its part of the targets: it shows shares whatever the bottleneck is. */
export const shareForm: TimeForm = {
  subjects: [{ id: "share", title: "Throughput share", unit: "of all payload" }],
  model: (props, _subject, _by, range) => shareModel(props, range),
};

function shareModel({ run, events = [], ghost }: TimeChartProps, range: RangeKeeper): ChartModel {
  /** At least what the axis needs for the largest target, at most all there is. */
  function maximum(): number {
    const targets = run.classes.map((_, i) => targetShare(run, i)).filter(Number.isFinite);
    const seen = range.observe(
      run,
      classSeries(run, SHARE).map(({ values }) => values),
    );
    return range.settle(Math.min(1, roundEnd(Math.max(0.5, 1.2 * Math.max(0, ...targets), seen))));
  }

  const axisOf = (plot: Plot) => amountAxis(maximum(), [plot.bottom, plot.top], percentTick);

  return {
    note: `mean over ${formatDuration(run.layout.nowUs)}`,

    draw(surface, plot) {
      const axis = axisOf(plot);
      const y = axis.scale;
      drawGrid(surface, plot.theme, plot, axis);
      drawInstants(surface, plot, run.nowUs, events);
      for (const i of run.classes.keys()) {
        const target = targetShare(run, i);
        if (!Number.isFinite(target)) continue;
        horizontal(surface, plot.left, plot.right, y(target));
        surface.stroke({ colour: plot.theme.t2, width: 1, dash: REFERENCE_DASH });
      }
      drawClassLines(surface, plot, run, ghost, SHARE, y, null);
      if (!hasValues(run, plot, classSeries(run, SHARE)))
        drawEmpty(surface, plot, emptyReason(run, plot, "nothing is carried"));
      drawClassGutter(surface, plot, run, SHARE, (i) => {
        const target = targetShare(run, i);
        return Number.isFinite(target)
          ? { y: y(target), detail: `target ${formatPercent(target)}` }
          : { y: y(presentOf(run, SHARE, i) || 0) };
      });
    },

    cursorMarks: (plot, sample) => classMarks(run, SHARE, sample, axisOf(plot).scale),

    readout: (sample) => classReadout(run, SHARE, sample, (i) => targetShare(run, i)),

    table: run.classes.flatMap(({ name }, i): TableColumn[] => [
      measuredColumn(run, SHARE, i, `${name} share`),
      { header: `${name} target share`, value: () => targetShare(run, i), format: formatPercent },
    ]),

    sentence(sample) {
      const parts = run.classes.map(
        ({ name }, i) => `${name} ${formatPercent(measuredAt(run, SHARE, i, sample))}${targetText(run, i)}`,
      );
      return `Throughput share at ${formatMilliseconds(run.timeUs[sample] as number)} ms: ${parts.join("; ")}.`;
    },
  };
}

/** ", target 50 %"; nothing where there is none. */
function targetText(run: RunView, i: number): string {
  const target = targetShare(run, i);
  return Number.isFinite(target) ? `, target ${formatPercent(target)}` : "";
}
