import type { Scenario } from "./types.ts";

/** A remark on the run: at an instant, at a node of the network, or at both. */
export type Note = NonNullable<Scenario["notes"]>[number];

/** A note with its number, which its marks have too, and its place in the document. */
export interface NumberedNote extends Note {
  readonly number: number;
  readonly index: number;
}

/** The notes of a scenario in the order of their instants; those of no instant stand last. */
export const notesOf = ({ notes = [] }: Scenario): readonly NumberedNote[] =>
  notes
    .map((note, index) => ({ ...note, index }))
    .toSorted((a, b) => instantOf(a) - instantOf(b) || a.index - b.index)
    .map((note, place) => ({ ...note, number: place + 1 }));

const instantOf = ({ atUs }: Note): number => atUs ?? Number.MAX_VALUE;

/** The scenario with other notes. */
function withNotes({ notes: _, ...scenario }: Scenario, notes: readonly Note[]): Scenario {
  return notes.length > 0 ? { ...scenario, notes } : scenario;
}

/** The scenario with a note in its place; one more where that is none. */
export const withNote = (scenario: Scenario, index: number | null, note: Note): Scenario =>
  withNotes(
    scenario,
    index === null
      ? [...(scenario.notes ?? []), note]
      : (scenario.notes ?? []).map((other, at) => (at === index ? note : other)),
  );

export const withoutNote = (scenario: Scenario, index: number): Scenario =>
  withNotes(
    scenario,
    (scenario.notes ?? []).filter((_, at) => at !== index),
  );

/** The scenario with the notes of a node that has another name now. */
export const withNodeRenamed = (scenario: Scenario, name: string, next: string): Scenario =>
  withNotes(
    scenario,
    (scenario.notes ?? []).map((note) => (note.node === name ? { ...note, node: next } : note)),
  );

/** The scenario without the notes of nodes that are gone; what is said of an instant as well stays there. */
export const withoutNotesOf = (scenario: Scenario, names: ReadonlySet<string>): Scenario =>
  withNotes(
    scenario,
    (scenario.notes ?? []).flatMap(({ node, ...note }) => {
      if (node == null || !names.has(node)) return [{ ...note, ...(node != null && { node }) }];
      return note.atUs == null ? [] : [note];
    }),
  );
