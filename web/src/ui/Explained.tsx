import { type PointerEvent, type ReactNode, useCallback, useRef, useState } from "react";
import { GLOSSARY, type TermId } from "./glossary.ts";
import { Popover } from "./popups.ts";
import "./Explained.css";

/** How long the pointer rests before an explanation opens. */
export const HINT_DELAY_MS = 400;

interface ExplainedProps {
  /** Name of the explanation. */
  readonly title: string;
  readonly sentence: string;
  readonly children: ReactNode;
}

/** Words that explain themselves under the pointer, with the focus, and under a finger. */
export function Explained({ title, sentence, children }: ExplainedProps) {
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const anchor = useRef<HTMLButtonElement>(null);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const enter = (event: PointerEvent) => {
    if (event.pointerType === "mouse") rest.current = setTimeout(() => setOpen(true), HINT_DELAY_MS);
  };
  const leave = () => {
    clearTimeout(rest.current);
    close();
  };
  return (
    <>
      <button
        ref={anchor}
        type="button"
        className="explained"
        onPointerEnter={enter}
        onPointerLeave={leave}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && setOpen(true)}
        onBlur={close}
        onClick={() => setOpen(true)}
      >
        {children}
      </button>
      <Popover
        open={open}
        onClose={close}
        anchor={anchor}
        label={title}
        takesFocus={false}
        className="explanation"
      >
        <b>{title}</b> {sentence}
      </Popover>
    </>
  );
}

/** A term of the glossary. */
export function Term({ id, children }: { readonly id: TermId; readonly children: ReactNode }) {
  const { term, sentence } = GLOSSARY[id];
  return (
    <Explained title={term} sentence={sentence}>
      {children}
    </Explained>
  );
}
