import { drawAxisLabels, drawAxisLine, timePlot, vertical } from "./plot.ts";
import { timeTicks } from "./ticks.ts";
import type { TimeAxisProps } from "./types.ts";
import { useDrawing } from "./useDrawing.ts";

/** Labels of the shared time axis, under the last stacked chart. */
export function TimeAxis({ domainUs, gutters, height = 24, line = false, run }: TimeAxisProps) {
  const drawing = useDrawing((surface, width, high, theme) => {
    const plot = timePlot(theme, width, high, gutters, domainUs);
    const ticks = timeTicks(domainUs[0], domainUs[1], plot.right - plot.left);
    if (line) drawAxisLine(surface, plot, 0.5, ticks);
    drawAxisLabels(surface, plot, 11, ticks);
    if (!run) return;
    const x = plot.x(run.nowUs);
    if (x > plot.right + 0.5) return;
    vertical(surface, x, 0, high);
    surface.stroke({ colour: theme.ink, width: 1 });
  }, run);
  return (
    <div ref={drawing.box} className="chart-axis" style={{ height }} aria-hidden="true">
      <canvas ref={drawing.canvas} />
      <svg ref={drawing.text} className="chart-text" />
    </div>
  );
}
