import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { cancelDraw, requestDraw } from "./scheduler.ts";
import { ScreenSurface, type Surface, TextLayer } from "./surface.ts";
import { currentTheme, subscribeTheme, type Theme } from "./theme.ts";

export type Draw = (surface: Surface, width: number, height: number, theme: Theme) => void;

interface Subscribable {
  subscribe(listener: () => void): () => void;
}

/** Elements a drawing needs: a box that gives the size, a canvas and an SVG of the same size inside it. */
export interface DrawingRefs {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly text: RefObject<SVGSVGElement | null>;
  readonly redraw: () => void;
}

/**
 * Keeps a canvas drawn: again when React renders, when a source changes, when the size or the theme changes; never more
 * than once per animation frame, and without rendering React.
 */
export function useDrawing(
  draw: Draw,
  source: Subscribable | null | undefined,
  other?: Subscribable | null,
): DrawingRefs {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<SVGSVGElement>(null);
  const latest = useRef(draw);
  const paint = useRef<() => void>(() => {});
  latest.current = draw;

  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    const room = box.current;
    if (!element || !context || !room || !text.current) return;
    const layer = new TextLayer(text.current);
    const surface = new ScreenSurface(context, layer);
    let width = 0;
    let height = 0;

    const now = () => {
      if (width === 0 || height === 0) return;
      const ratio = window.devicePixelRatio || 1;
      const wide = Math.round(width * ratio);
      const high = Math.round(height * ratio);
      if (element.width !== wide || element.height !== high) {
        element.width = wide;
        element.height = high;
      }
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width, height);
      layer.start();
      latest.current(surface, width, height, currentTheme());
      layer.finish();
    };
    paint.current = now;
    const again = () => requestDraw(now);
    const measure = new ResizeObserver(([entry]) => {
      width = entry?.contentRect.width ?? 0;
      height = entry?.contentRect.height ?? 0;
      again();
    });
    measure.observe(room);
    const stopTheme = subscribeTheme(again);
    return () => {
      measure.disconnect();
      stopTheme();
      cancelDraw(now);
    };
  }, []);

  useEffect(() => {
    const stops = [source, other].map((item) => item?.subscribe(() => requestDraw(paint.current)));
    return () => {
      for (const stop of stops) stop?.();
    };
  }, [source, other]);

  useLayoutEffect(() => requestDraw(paint.current));

  return { box, canvas, text, redraw: () => requestDraw(paint.current) };
}
