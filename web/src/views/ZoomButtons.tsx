import { middleOf, type Stretch, type TimeZoom, ZOOM_STEP, zoomed } from "../charts/timeRange.ts";
import { useSession } from "../panels/context.tsx";
import { IconButton } from "../ui/Button.tsx";
import "./ZoomButtons.css";

interface ZoomButtonsProps {
  readonly domainUs: Stretch;
  readonly zoom: TimeZoom;
}

/** Zooms in time, beside the axis: around the playhead where that is in sight. */
export function ZoomButtons({ domainUs, zoom }: ZoomButtonsProps) {
  const session = useSession();
  const by = (factor: number) => () => {
    const around = middleOf(domainUs, session.run.getState().nowUs);
    zoom.show(zoomed(domainUs, factor, around, zoom));
  };
  const isZoomed = domainUs[1] - domainUs[0] < zoom.wholeUs;
  return (
    <div className="zoom-buttons">
      {isZoomed && <IconButton icon="wholeRun" label="Whole run" onClick={() => zoom.show(null)} />}
      {isZoomed && <IconButton icon="zoomOut" label="Zoom out" onClick={by(ZOOM_STEP)} />}
      <IconButton icon="zoomIn" label="Zoom in" onClick={by(1 / ZOOM_STEP)} />
    </div>
  );
}
