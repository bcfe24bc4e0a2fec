import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { Button, IconButton } from "../../ui/Button.tsx";
import { pageStore } from "../../workbench/pageStore.ts";
import "./Tour.css";

/** Where a step points, what that is, and what to do there. */
interface TourStep {
  readonly at: string;
  readonly title: string;
  readonly text: string;
}

const STEPS: readonly TourStep[] = [
  {
    at: ".sidebar, .icon-bar, .pinned",
    title: "The cause",
    text: "Each class of traffic asks for a share of the bottleneck, its ratio, or for a latency. Change anything: the run answers at once and records what you did.",
  },
  {
    at: ".main-pane",
    title: "The machine and its signals",
    text: "The network as it runs: width and darkness are load, small bars are queues, the marks in hosts are their classes. Below, charts over one time axis. Q is target divided by achieved: at 1 a class has what it should.",
  },
  {
    at: ".results",
    title: "The verdict",
    text: "What each class gets now, how long its requests take, and where that time goes. p99 is the latency that one request in a hundred exceeds.",
  },
  {
    at: ".playback-bar, .phone-playback",
    title: "Time",
    text: "Play, step, drag back. Change something in the past and the run goes on from there; the old future stays as a thin line.",
  },
];

const leave = () => pageStore.setState({ tour: null });

/** Four steps that show what is where, beside what they speak of. Nothing else on the page waits for them. */
export default function Tour() {
  const step = useStore(pageStore, (page) => page.tour) ?? 0;
  const shown = STEPS[step];
  const card = useRef<HTMLDialogElement>(null);
  const [box, setBox] = useState<DOMRect | null>(null);
  useLayoutEffect(() => {
    const measure = () => {
      const target = document.querySelector(shown?.at ?? "body");
      target?.scrollIntoView({ block: "nearest" });
      setBox(target?.getBoundingClientRect() ?? null);
    };
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, [shown]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every step is read out
  useEffect(() => card.current?.focus(), [step]);
  if (!shown) return null;
  const key = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    leave();
  };
  return (
    <>
      {box && (
        <div
          className="tour-ring"
          style={{ left: box.left, top: box.top, width: box.width, height: box.height }}
        />
      )}
      <dialog
        open
        ref={card}
        className="tour"
        tabIndex={-1}
        aria-labelledby="tour-title"
        style={box ? placeBeside(box) : undefined}
        onKeyDown={key}
      >
        <header>
          <h2 id="tour-title">{shown.title}</h2>
          <IconButton icon="close" label="Leave the tour" onClick={leave} />
        </header>
        <p>{shown.text}</p>
        <footer>
          <span className="note">
            {step + 1} of {STEPS.length}
          </span>
          {step > 0 && <Button onClick={() => pageStore.setState({ tour: step - 1 })}>Back</Button>}
          <Button
            look="primary"
            onClick={() => (step + 1 < STEPS.length ? pageStore.setState({ tour: step + 1 }) : leave())}
          >
            {step + 1 < STEPS.length ? "Next" : "Done"}
          </Button>
        </footer>
      </dialog>
    </>
  );
}

const WIDTH = 320;
const HEIGHT = 190;
const GAP = 12;

/** Where the card has room: right of what it speaks of, left of it, above it, or in its middle. */
function placeBeside(box: DOMRect): { readonly left: number; readonly top: number } {
  const top = Math.max(GAP, Math.min(box.top + 48, innerHeight - HEIGHT - GAP));
  const width = Math.min(WIDTH, innerWidth - 2 * GAP);
  if (box.right + GAP + width < innerWidth) return { left: box.right + GAP, top };
  if (box.left - GAP - width > 0) return { left: box.left - GAP - width, top };
  if (box.top - GAP - HEIGHT > 0)
    return { left: Math.max(GAP, (innerWidth - width) / 2), top: box.top - GAP - HEIGHT };
  return { left: Math.max(GAP, (innerWidth - width) / 2), top: Math.max(GAP, (innerHeight - HEIGHT) / 2) };
}
