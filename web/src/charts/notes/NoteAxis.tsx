import type { Gutters, NoteMark } from "../types.ts";
import { NoteButton } from "./NoteButton.tsx";
import { noteGroups } from "./notes.ts";

interface NoteAxisProps {
  readonly notes: readonly NoteMark[];
  readonly domainUs: readonly [number, number];
  readonly gutters: Gutters;
  /** Number of the note that is chosen. */
  readonly chosen: number | null;
  readonly onChoose: (number: number) => void;
}

/** Least distance of two marks, as a share of the stretch. */
const APART = 1 / 24;

/** The marks of notes at their instants, below the labels of the time axis. */
export function NoteAxis({ notes, domainUs, gutters, chosen, onChoose }: NoteAxisProps) {
  const [start, end] = domainUs;
  return noteGroups(notes, domainUs, APART).map((group) => {
    const first = group[0];
    if (!first) return null;
    const share = (first.timeUs - start) / Math.max(end - start, 1e-9);
    const { left, right } = gutters;
    return (
      <NoteButton
        key={first.number}
        notes={group}
        side={share > 0.5 ? "left" : "right"}
        style={{ left: `calc(${left}px + ${share} * (100% - ${left + right}px))`, bottom: 8 }}
        isChosen={group.some(({ number }) => number === chosen)}
        onChoose={() => onChoose(first.number)}
      />
    );
  });
}
