import { useEffect, useRef, useState } from "react";

/** A box, and how high it is now; before it has been measured as high as said. */
export function useHeight(first: number) {
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(first);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = new ResizeObserver(([entry]) =>
      setHeight(Math.floor(entry?.contentRect.height || first)),
    );
    measure.observe(element);
    return () => measure.disconnect();
  }, [first]);
  return [box, height] as const;
}
