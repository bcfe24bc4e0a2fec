import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { PathRecorder } from "./displayList.ts";
import { type Raster, rasterOf } from "./raster.ts";
import { cancelDraw, requestDraw } from "./scheduler.ts";
import type { Surface, TextOptions, TextRun } from "./surface.ts";
import { TextLayer } from "./textLayer.ts";
import { currentTheme, subscribeTheme, type Theme } from "./theme.ts";
import "./drawing.css";

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

/** Surface of the screen: paths for a canvas below, a layer of text above. */
class ScreenSurface extends PathRecorder implements Surface {
  constructor(private readonly layer: TextLayer) {
    super();
  }

  text(runs: TextRun | readonly TextRun[], x: number, y: number, options?: TextOptions) {
    this.layer.text(runs, x, y, options);
  }
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
  /** Texts must not wait: something other than the data has changed. */
  const urgent = useRef(true);
  latest.current = draw;

  useEffect(() => {
    const element = canvas.current;
    const room = box.current;
    if (!element || !room || !text.current) return;
    const layer = new TextLayer(text.current);
    const surface = new ScreenSurface(layer);
    let raster: Raster | null = null;
    let gone = false;
    let width = 0;
    let height = 0;

    const now = () => {
      if (width === 0 || height === 0 || !raster) return;
      layer.start();
      latest.current(surface, width, height, currentTheme());
      layer.finish(urgent.current);
      urgent.current = false;
      raster.draw(surface.take(), width, height);
    };
    paint.current = now;
    const again = () => {
      urgent.current = true;
      requestDraw(now);
    };
    void rasterOf(element).then((made) => {
      if (gone) return made?.release();
      raster = made;
      again();
    });
    const measure = new ResizeObserver(([entry]) => {
      width = entry?.contentRect.width ?? 0;
      height = entry?.contentRect.height ?? 0;
      again();
    });
    measure.observe(room);
    const stopTheme = subscribeTheme(again);
    return () => {
      gone = true;
      measure.disconnect();
      stopTheme();
      cancelDraw(now);
      layer.stop();
      raster?.release();
    };
  }, []);

  useEffect(() => {
    const stops = [source, other].map((item) => item?.subscribe(() => requestDraw(paint.current)));
    return () => {
      for (const stop of stops) stop?.();
    };
  }, [source, other]);

  const redraw = () => {
    urgent.current = true;
    requestDraw(paint.current);
  };
  useLayoutEffect(redraw);

  return { box, canvas, text, redraw };
}
