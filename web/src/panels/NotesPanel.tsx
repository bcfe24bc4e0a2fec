import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { useStore } from "zustand";
import { placeText } from "../charts/notes/notes.ts";
import { type NumberedNote, notesOf, withNote, withoutNote } from "../scenario/notes.ts";
import { fieldAt } from "../scenario/schema.ts";
import { originOf } from "../scenario/store.ts";
import { Button, IconButton } from "../ui/Button.tsx";
import { TextField } from "../ui/TextField.tsx";
import { useRun, useScenario, useSession } from "./context.tsx";
import { Fault, faultOf, useRefusal } from "./Fault.tsx";
import { NumberField } from "./NumberField.tsx";
import { chooseNote, isNotable, type NoteDraft, noting } from "./noting.ts";
import "./NotesPanel.css";

/** What is noted of the run: each entry leads to its instant and its node. Nothing where nothing is noted or being written. */
export function NotesPanel() {
  const session = useSession();
  const scenario = useScenario();
  const { chosen, draft } = useStore(noting);
  const refusal = useRefusal("notes", "The note");
  const notes = notesOf(scenario);
  const origin = useStore(session.store, originOf);
  const written = draft?.origin === origin && (!draft.isSent || refusal !== null) ? draft : null;
  if (notes.length === 0 && !written) return null;
  return (
    <section className="panel notes" aria-labelledby="notes-title">
      <header>
        <h2 id="notes-title">Notes</h2>
      </header>
      <ol>
        {notes.map((note) => (
          <Entry
            key={note.index}
            note={note}
            isChosen={note.number === chosen}
            isEditable={isNotable(session)}
          />
        ))}
      </ol>
      {written && <Form draft={written} refusal={refusal} />}
    </section>
  );
}

interface EntryProps {
  readonly note: NumberedNote;
  readonly isChosen: boolean;
  readonly isEditable: boolean;
}

function Entry({ note, isChosen, isEditable }: EntryProps) {
  const session = useSession();
  const { number, index, text, atUs, node } = note;
  const isMissing = useRun(
    ({ view }) => node != null && view?.layout.graph.nodes.every(({ name }) => name !== node) === true,
  );
  const edit = () => {
    const { number: _, index: at, ...own } = note;
    noting.setState({
      draft: { index: at, note: own, origin: originOf(session.store.getState()), isSent: false },
    });
  };
  const remove = () => {
    noting.setState({ chosen: null, draft: null });
    session.edit(withoutNote(session.scenario, index));
  };
  return (
    <li>
      <button
        type="button"
        className="note-entry"
        aria-pressed={isChosen}
        onClick={() => chooseNote(session, number)}
      >
        <span className="note-number">{number}</span>
        <span>
          <span className="note">
            {placeText({ timeUs: atUs ?? null, node: node ?? null })}
            {isMissing && " (not in this network)"}
          </span>
          <span className="note-words">{text}</span>
        </span>
      </button>
      {isEditable && (
        <>
          <IconButton icon="rename" label={`Edit note ${number}`} onClick={edit} />
          <IconButton icon="trash" label={`Delete note ${number}`} onClick={remove} />
        </>
      )}
    </li>
  );
}

/** A note as it is written: with Enter or the button it is handed to the engine; what that refuses stays to be mended. */
function Form({ draft, refusal }: { readonly draft: NoteDraft; readonly refusal: string | null }) {
  const session = useSession();
  const scenario = useScenario();
  const nodes = useRun((run) => run.view?.layout.graph.nodes);
  const form = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => {
    text.current?.focus();
    form.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const { index, note } = draft;
  const field = (name: string) => fieldAt(`notes[0].${name}`, scenario);
  const change = (part: Partial<typeof note>) =>
    noting.setState({ draft: { ...draft, note: { ...note, ...part } } });
  const close = () => {
    noting.setState({ draft: null });
    session.run.setState({ diagnostics: [] });
  };
  const save = () => {
    const { atUs, node } = note;
    const whole = {
      text: note.text.trim(),
      ...(atUs != null && { atUs }),
      ...(node?.trim() && { node: node.trim() }),
    };
    noting.setState({ draft: { ...draft, isSent: true } });
    session.edit(withNote(session.scenario, index, whole));
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && !event.shiftKey && !(event.target instanceof HTMLButtonElement)) save();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter and Esc work in all fields of it
    <div ref={form} className="note-form" onKeyDown={key}>
      <textarea
        ref={text}
        aria-label="Note"
        rows={3}
        className="text-area"
        maxLength={field("text").longest}
        value={note.text}
        onChange={(event) => change({ text: event.target.value })}
        {...faultOf(`${id}-fault`, refusal)}
      />
      <Fault id={`${id}-fault`} sentence={refusal} />
      <div className="row-main">
        <span className="row-label">{field("atUs").title}</span>
        <NumberField
          label="Instant of the note"
          field={field("atUs")}
          value={note.atUs ?? undefined}
          placeholder="whole run"
          onCommit={(atUs) => change({ atUs })}
        />
      </div>
      <div className="row-main">
        <label className="row-label" htmlFor={`${id}-node`}>
          {field("node").title}
        </label>
        <TextField
          id={`${id}-node`}
          list={`${id}-nodes`}
          placeholder="none"
          spellCheck={false}
          maxLength={field("node").longest}
          value={note.node ?? ""}
          onChange={(event) => change({ node: event.target.value })}
        />
        <datalist id={`${id}-nodes`}>
          {nodes?.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      <div className="button-row">
        <Button look="primary" onClick={save}>
          {index === null ? "Add note" : "Save note"}
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </div>
  );
}
