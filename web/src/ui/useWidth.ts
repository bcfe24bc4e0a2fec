import { useEffect, useRef, useState } from "react";

/** Before anything has been measured: the middle of a page 1440 pixels wide. */
const FIRST = 744;

/** A box, and how wide it is now. */
export function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(FIRST);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width || FIRST));
    measure.observe(element);
    return () => measure.disconnect();
  }, []);
  return [box, width] as const;
}
