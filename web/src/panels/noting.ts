import { createStore } from "zustand/vanilla";
import type { NoteMark } from "../charts/types.ts";
import type { Session } from "../engine/run/session.ts";
import { locks } from "../scenario/lock.ts";
import { type Note, notesOf } from "../scenario/notes.ts";
import { originOf } from "../scenario/store.ts";
import type { Scenario } from "../scenario/types.ts";

/** A note that is being written. */
export interface NoteDraft {
  /** Its place in the document; null: a new one. */
  readonly index: number | null;
  readonly note: Note;
  /** What the scenario that it is of was opened as. */
  readonly origin: Scenario;
  /** It was handed to the engine, which may refuse it. */
  readonly isSent: boolean;
}

interface Noting {
  /** Number of the note that is pointed at: its node is ringed, its marks are filled. */
  readonly chosen: number | null;
  readonly draft: NoteDraft | null;
}

export const noting = createStore<Noting>()(() => ({ chosen: null, draft: null }));

/** The notes as charts and the fabric show them. */
export const noteMarks = (scenario: Scenario): readonly NoteMark[] =>
  notesOf(scenario).map(({ number, text, atUs, node }) => ({
    number,
    text,
    timeUs: atUs ?? null,
    node: node ?? null,
  }));

/** Whether the person may write notes. */
export const isNotable = ({ lock }: Session): boolean => lock === null || !locks(lock, "notes");

/** Begins a note at the present instant, where the person may. */
export function writeNote(session: Session): void {
  if (!isNotable(session)) return;
  const { nowUs } = session.run.getState();
  // A nanosecond is finer than anything that is read off a chart.
  const atUs = Math.round(nowUs * 1000) / 1000;
  noting.setState({
    draft: {
      index: null,
      note: { text: "", atUs },
      origin: originOf(session.store.getState()),
      isSent: false,
    },
  });
}

/** Points at a note and goes to its instant, as far as the run comes there; pointed at once more, it is let go. */
export function chooseNote(session: Session, number: number): void {
  const { chosen } = noting.getState();
  noting.setState({ chosen: chosen === number ? null : number });
  const note = notesOf(session.scenario).find((item) => item.number === number);
  if (chosen === number || note?.atUs == null) return;
  session.seek(Math.min(note.atUs, session.run.getState().durationUs));
}
