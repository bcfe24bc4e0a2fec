import { crisp, drawAxisLabels, drawAxisLine } from "../drawing/frame.ts";
import { timePlot } from "../drawing/plot.ts";
import { textWidth } from "../drawing/surface.ts";
import { useDrawing } from "../drawing/useDrawing.ts";
import type { TimeAxisProps } from "../types.ts";

const BASELINE = 11;

/** Labels of the shared time axis, under the last stacked chart. */
export function TimeAxis({ domainUs, gutters, height = 24, line = false, run, zoom }: TimeAxisProps) {
  const drawing = useDrawing((surface, width, high, theme) => {
    const plot = timePlot(theme, width, high, gutters, domainUs);
    if (line) drawAxisLine(surface, theme, { ...plot, bottom: 0.5 }, plot.time);
    const labels = drawAxisLabels(surface, theme, plot, plot.time, BASELINE);
    if (!run) return;
    const x = plot.x(run.nowUs);
    if (x < plot.left || x > plot.right + 0.5) return;
    // The line must not stand between a number and its unit.
    const isBehind = labels.some((label) => Math.abs(label.x - x) < textWidth(label.text, theme) / 2 + 2);
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
