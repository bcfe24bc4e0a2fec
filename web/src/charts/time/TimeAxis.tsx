import { crisp, drawAxisLabels, drawAxisLine, timePlot } from "../drawing/plot.ts";
import { textWidth } from "../drawing/surface.ts";
import { timeTicks } from "../drawing/ticks.ts";
import { useDrawing } from "../drawing/useDrawing.ts";
import type { TimeAxisProps } from "../types.ts";

const BASELINE = 11;

/** Labels of the shared time axis, under the last stacked chart. */
export function TimeAxis({ domainUs, gutters, height = 24, line = false, run, zoom }: TimeAxisProps) {
  const drawing = useDrawing((surface, width, high, theme) => {
    const plot = timePlot(theme, width, high, gutters, domainUs);
    const ticks = timeTicks(domainUs[0], domainUs[1], plot.right - plot.left);
    if (line) drawAxisLine(surface, plot, 0.5, ticks);
    drawAxisLabels(surface, plot, BASELINE, ticks);
    if (!run) return;
    const x = plot.x(run.nowUs);
    if (x < plot.left || x > plot.right + 0.5) return;
    // The line must not stand between a number and its unit.
    const isBehind = ticks.some(
      (tick) => Math.abs(plot.x(tick.value) - x) < textWidth(tick.label, theme) / 2 + 2,
    );
    surface.begin();
    surface.moveTo(crisp(x), 0);
    if (isBehind) {
      surface.lineTo(crisp(x), 1);
      surface.moveTo(crisp(x), BASELINE + 4);
    }
    surface.lineTo(crisp(x), high);
    surface.stroke({ colour: theme.ink, width: 1 });
  }, run);
  return (
    <div
      ref={drawing.box}
      className="chart-axis"
      style={{ height }}
      aria-hidden="true"
      onDoubleClick={() => zoom?.show(null)}
    >
      <canvas ref={drawing.canvas} />
      <svg ref={drawing.text} className="chart-text" />
    </div>
  );
}
