import { type ComponentProps, useState } from "react";
import { flushSync } from "react-dom";
import type { DrawingRefs } from "../drawing/useDrawing.ts";

interface ChartPictureProps extends Omit<ComponentProps<"div">, "className" | "role" | "tabIndex"> {
  readonly picture: DrawingRefs;
  /** Drawn above the picture by itself: what follows the cursor. */
  readonly overlay?: DrawingRefs;
  /** Names what is drawn, for tests and for other programs that watch the page. */
  readonly "data-chart": string;
}

/** The drawing of a chart, an image to assistive technology that takes the keys of its chart. */
export function ChartPicture({ picture, overlay, children, ...rest }: ChartPictureProps) {
  return (
    <div
      ref={picture.box}
      className="chart-picture"
      role="img"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys work on the focused picture
      tabIndex={0}
      {...rest}
    >
      <Layers {...picture} />
      {overlay && (
        <div ref={overlay.box} className="chart-overlay">
          <Layers {...overlay} />
        </div>
      )}
      {children}
    </div>
  );
}

/** Paths below, texts above. */
const Layers = ({ canvas, text }: DrawingRefs) => (
  <>
    <canvas ref={canvas} />
    <svg ref={text} aria-hidden="true" className="chart-text" />
  </>
);

/** Whether tables stand for a picture. Focus returns to the picture when they are closed. */
export function useChartTable(picture: DrawingRefs) {
  const [shown, setShown] = useState(false);
  return {
    shown,
    open: () => setShown(true),
    toggle: () => setShown(!shown),
    close() {
      flushSync(() => setShown(false));
      picture.box.current?.focus();
    },
  };
}
