import { type RefObject, useEffect, useRef } from "react";
import { fetchedWhenIdle } from "../../ui/onDemand.tsx";
import type { Zoomable } from "./zoomable.ts";

type PointerZoom = typeof import("./pointerZoom.ts");

let arrived: (module: PointerZoom) => void;
const pointerZoom = new Promise<PointerZoom>((resolve) => {
  arrived = resolve;
});
/** D3 zooms; the page appears without it. */
const fetchPointerZoom = fetchedWhenIdle(async () => arrived(await import("./pointerZoom.ts")));

/** Wheel, mouse, fingers and keys over an element zoom what `zoomableOf` says; none do if it is null. */
export function useZoom(
  box: RefObject<HTMLElement | null>,
  zoomableOf: ((element: HTMLElement) => Zoomable) | null,
): void {
  const latest = useRef(zoomableOf);
  latest.current = zoomableOf;
  const isZoomable = zoomableOf !== null;
  useEffect(() => {
    const element = box.current;
    if (!element || !isZoomable) return;
    const over = new AbortController();
    const { signal } = over;
    const zoomable = () => latest.current?.(element) ?? null;
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !zoomable()?.byKey(event)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    element.addEventListener("keydown", pressed, { signal });
    element.addEventListener("pointerenter", () => void fetchPointerZoom().catch(() => {}), {
      signal,
      once: true,
    });
    void pointerZoom.then(({ zoomByPointers }) => {
      if (!signal.aborted) zoomByPointers(element, zoomable, signal);
    });
    return () => over.abort();
  }, [box, isZoomable]);
}
