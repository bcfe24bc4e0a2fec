import { useEffect } from "react";
import { isZoomed, type Stretch, type TimeZoom } from "../../charts/time/timeRange.ts";
import { middleOf, ZOOM_STEP, zoomed } from "../../charts/time/zooming.ts";
import { useSession } from "../../panels/context.tsx";
import { IconButton } from "../../ui/Button.tsx";
import { useCurrentView, useViews } from "../view/viewContext.tsx";
import { followTime } from "./followTime.ts";
import { timed } from "./timeRange.ts";
import "./ZoomButtons.css";

interface ZoomButtonsProps {
  readonly domainUs: Stretch;
  readonly zoom: TimeZoom;
}

/** Zooms in time, beside the axis: around the playhead where that is in sight, which then stays in sight. */
export function ZoomButtons({ domainUs, zoom }: ZoomButtonsProps) {
  const session = useSession();
  const views = useViews();
  const view = timed(useCurrentView());
  useEffect(() => (view ? followTime(session, views, view) : undefined), [session, views, view]);
  const by = (factor: number) => () => {
    const around = middleOf(domainUs, session.run.getState().nowUs);
    zoom.show(zoomed(domainUs, factor, around, zoom));
  };
  const zoomedIn = isZoomed(domainUs, zoom);
  return (
    <div className="zoom-buttons">
      {zoomedIn && <IconButton icon="wholeRun" label="Whole run" onClick={() => zoom.show(null)} />}
      {zoomedIn && <IconButton icon="zoomOut" label="Zoom out" onClick={by(ZOOM_STEP)} />}
      <IconButton icon="zoomIn" label="Zoom in" onClick={by(1 / ZOOM_STEP)} />
    </div>
  );
}
