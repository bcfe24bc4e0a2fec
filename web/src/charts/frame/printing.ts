import { type RefObject, useEffect, useRef } from "react";
import { SvgSurface } from "../drawing/surface.ts";
import { readTheme } from "../drawing/theme.ts";
import type { Exportable } from "./export.ts";
import "./printing.css";

/** The charts on the page: something inside each, and what it can be saved as. */
const charts = new Set<{
  readonly inside: RefObject<HTMLElement | null>;
  readonly latest: RefObject<() => Exportable>;
}>();

/** Has a chart on paper as a drawing of lines and letters: a printer would get the pixels of a screen, in its theme. */
export function usePrinted(inside: RefObject<HTMLElement | null>, exportable: () => Exportable): void {
  const latest = useRef(exportable);
  latest.current = exportable;
  useEffect(() => {
    const chart = { inside, latest };
    charts.add(chart);
    return () => void charts.delete(chart);
  }, [inside]);
}

/** Draws all charts for paper, in the theme of the page. Returns what takes the drawings away again. */
export function drawForPrint(): () => void {
  const theme = readTheme();
  const drawings = [...charts].flatMap(({ inside, latest }, number) => {
    const place = inside.current?.closest(".chart");
    if (!place) return [];
    const { draw, width, height } = latest.current();
    const surface = new SvgSurface(theme, `print-${number}-`);
    draw(surface, theme);
    const { documentElement: drawing } = new DOMParser().parseFromString(
      surface.picture(width, height),
      "image/svg+xml",
    );
    drawing.classList.add("chart-print");
    // Enlarged, its letters would outgrow those around it.
    (drawing as HTMLElement).style.maxWidth = `${width}px`;
    place.append(drawing);
    return [drawing];
  });
  return () => {
    for (const drawing of drawings) drawing.remove();
  };
}
