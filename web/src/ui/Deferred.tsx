import { type ReactNode, startTransition, useEffect, useState } from "react";

/** Parts that wait for their turn, in the order in which they stand on the page. */
const waiting: (() => void)[] = [];
let planned = false;

/** One part after each frame, so that the page answers between two of them. */
function next() {
  planned = false;
  waiting.shift()?.();
  plan();
}

function plan() {
  if (planned || waiting.length === 0) return;
  planned = true;
  requestAnimationFrame(() => setTimeout(next));
}

/** Shows a part of the page in a task of its own, after what stands before it: the page appears at once and fills up. */
export function Deferred({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const show = () => startTransition(() => setShown(true));
    waiting.push(show);
    plan();
    return () => {
      const at = waiting.indexOf(show);
      if (at >= 0) waiting.splice(at, 1);
    };
  }, []);
  return shown ? children : null;
}
