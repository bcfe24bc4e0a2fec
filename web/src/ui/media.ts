import { useSyncExternalStore } from "react";

/** Whether a media query holds, kept up to date. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}

export type Frame = "desk" | "tablet" | "column" | "phone";

/** Which of the four frames of the page fits the window. */
export function useFrame(): Frame {
  const desk = useMedia("(width >= 1280px)");
  const tablet = useMedia("(width >= 960px)");
  const column = useMedia("(width >= 600px)");
  if (desk) return "desk";
  if (tablet) return "tablet";
  return column ? "column" : "phone";
}

/** Whether the views are in the bar at the top; in narrower frames they are along the lower edge. */
export const hasViewsOnTop = (frame: Frame): boolean => frame === "desk" || frame === "tablet";

export const prefersReducedMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Height of the window, for the charts to share. */
export function useWindowHeight(): number {
  return useSyncExternalStore(
    (listener) => {
      addEventListener("resize", listener);
      return () => removeEventListener("resize", listener);
    },
    () => innerHeight,
  );
}
