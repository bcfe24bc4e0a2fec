import { type ChangeEvent, type KeyboardEvent, useState } from "react";

interface DraftOptions {
  /** The value of the field as a text. */
  readonly text: string;
  /** Takes what was typed, or says in a sentence why it cannot be taken. */
  readonly take: (typed: string) => string | null;
  /** Hears what is wrong with a text, and that nothing is. */
  readonly onFault?: ((fault: string | null) => void) | undefined;
}

/** What is typed into a field until it is taken. */
export interface Draft {
  /** Null where nothing has been typed since a value was taken. */
  readonly typed: string | null;
  /** What is wrong with it. */
  readonly fault: string | null;
  /** Shows the value again, and what is wrong with something else that was tried, if anything is. */
  readonly restore: (fault?: string) => void;
  /** Properties of the input. */
  readonly input: {
    readonly value: string;
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
    readonly onBlur: () => void;
    readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  };
}

/**
 * A text that is taken as a whole: with Enter, or when the field is left. Esc restores the value. What is refused stays to be
 * mended.
 */
export function useDraft({ text, take, onFault }: DraftOptions): Draft {
  const [typed, setTyped] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const show = (draft: string | null, wrong: string | null) => {
    setTyped(draft);
    setFault(wrong);
    onFault?.(wrong);
  };
  const commit = () => {
    if (typed === null) return;
    const wrong = take(typed);
    show(wrong === null ? null : typed, wrong);
  };
  const restore = (wrong?: string) => show(null, wrong ?? null);
  return {
    typed,
    fault,
    restore,
    input: {
      value: typed ?? text,
      onChange: (event) => setTyped(event.target.value),
      onBlur: commit,
      onKeyDown: (event) => {
        if (event.key === "Enter") commit();
        else if (event.key === "Escape" && (typed !== null || fault !== null)) restore();
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}
