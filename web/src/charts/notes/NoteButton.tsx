import { type CSSProperties, useId } from "react";
import type { NoteMark } from "../types.ts";
import { markText, placeText } from "./notes.ts";
import "./NoteButton.css";

interface NoteButtonProps {
  /** One, or several that stand too near to each other. */
  readonly notes: readonly NoteMark[];
  readonly style: CSSProperties;
  /** Where the text has room. */
  readonly side: "left" | "right";
  /** The text shows below the mark instead of above it. */
  readonly below?: boolean;
  readonly isChosen?: boolean;
  readonly onChoose: () => void;
}

/** The mark of notes; its texts show under the pointer and with the focus. */
export function NoteButton({
  notes,
  style,
  side,
  below = false,
  isChosen = false,
  onChoose,
}: NoteButtonProps) {
  const id = useId();
  const name = `${notes.length > 1 ? "Notes" : "Note"} ${notes.map(({ number }) => number).join(", ")}`;
  return (
    <span className={`note-at note-at-${side}${below ? " note-at-below" : ""}`} style={style}>
      <button
        type="button"
        className="note-mark"
        aria-label={name}
        aria-describedby={id}
        data-chosen={isChosen || undefined}
        onClick={onChoose}
      >
        {markText(notes)}
      </button>
      <span className="note-text" role="tooltip" id={id}>
        {notes.map((note) => (
          <span key={note.number}>
            <b>
              {note.number} <span className="note">{placeText(note)}</span>
            </b>
            {note.text}
          </span>
        ))}
      </span>
    </span>
  );
}
