import { type RefObject, useEffect, useRef } from "react";
import { fetchedWhenIdle } from "../../ui/onDemand.tsx";
import type { TimeChartProps } from "../types.ts";

const gestures = fetchedWhenIdle(() => import("./zoomGestures.ts"));

/** Has a chart zoomed by wheel and keys, once the page has appeared. */
export function useZoomGestures(box: RefObject<HTMLElement | null>, props: TimeChartProps): void {
  const latest = useRef(props);
  latest.current = props;
  const isFixed = props.zoom === undefined;
  useEffect(() => {
    const element = box.current;
    if (!element || isFixed) return;
    const over = new AbortController();
    gestures().then(
      ({ listen }) => listen(element, () => latest.current, over.signal),
      () => {}, // Without them the buttons beside the axis zoom.
    );
    return () => over.abort();
  }, [box, isFixed]);
}
