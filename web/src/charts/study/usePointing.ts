import { type PointerEvent, useRef } from "react";

const isTouch = ({ pointerType }: { readonly pointerType: string }): boolean => pointerType === "touch";

type At = PointerEvent<HTMLDivElement>;

interface Pointing<T> {
  /** What lies there; null where there is nothing. */
  readonly under: (event: At) => T | null;
  readonly isShown: (found: T | null) => boolean;
  /** Shows the numbers of what was found, or none. */
  readonly show: (found: T | null) => void;
  readonly open: (found: T | null) => void;
}

/** Shows the numbers of what lies under the pointer, and opens its menu. A finger reads them first, and opens the menu when it taps there again. */
export function usePointing<T>({ under, isShown, show, open }: Pointing<T>) {
  const wasRead = useRef(true);
  return {
    onPointerMove: (event: At) => {
      if (!isTouch(event)) show(under(event));
    },
    onPointerDown(event: At) {
      const found = under(event);
      wasRead.current = !isTouch(event) || isShown(found);
      show(found);
    },
    onPointerLeave: (event: At) => {
      if (!isTouch(event)) show(null);
    },
    onPointerUp: (event: At) => {
      if (wasRead.current) open(under(event));
    },
  };
}
