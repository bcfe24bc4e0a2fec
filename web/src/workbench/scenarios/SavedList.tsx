import { type KeyboardEvent, useRef, useState } from "react";
import { useStore } from "zustand";
import { useSession } from "../../panels/context.tsx";
import { NAME_LIMIT, type SavedRun } from "../../scenario/saved.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { useViews } from "../view/viewContext.tsx";
import { clearBroken, deleteSaved, openSaved, rename, savedStore } from "./savedRuns.ts";
import "./SavedList.css";

interface SavedListProps {
  readonly search: string;
  readonly onClose: () => void;
}

/** The runs that this browser keeps. */
export function SavedList({ search, onClose }: SavedListProps) {
  const { runs, broken, fault } = useStore(savedStore);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = (runs ?? []).filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  const others = words.length > 0 ? 0 : broken.length;
  if (words.length > 0 && shown.length === 0) return null;
  return (
    <section aria-labelledby="saved-title">
      <h2 id="saved-title">Saved here</h2>
      <p className="preset-promise">
        {runs?.length === 0
          ? "Nothing yet. Share, at the top, saves a run here."
          : "Kept in this browser alone."}
      </p>
      <ul className="saved">
        {shown.map((run) => (
          <SavedItem key={run.id} run={run} onClose={onClose} />
        ))}
      </ul>
      {others > 0 && (
        <p className="preset-promise">
          {others === 1 ? "One entry cannot" : `${others} entries cannot`} be read: damaged, or of a newer
          QoScope.{" "}
          <Button look="link" onClick={() => void clearBroken()}>
            Delete {others === 1 ? "it" : "them"}
          </Button>
        </p>
      )}
      {fault !== null && (
        <p className="preset-promise" role="alert">
          {fault}
        </p>
      )}
    </section>
  );
}

const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

function SavedItem({ run, onClose }: { readonly run: SavedRun; readonly onClose: () => void }) {
  const session = useSession();
  const views = useViews();
  const [naming, setNaming] = useState(false);
  const renameButton = useRef<HTMLButtonElement>(null);
  const open = () => {
    onClose();
    void openSaved(session, views, run);
  };
  const named = async (name: string) => {
    if (name !== "" && name !== run.name) await rename(run, name);
    setNaming(false);
    renameButton.current?.focus();
  };
  return (
    <li>
      {naming ? (
        <NewName name={run.name} onEnd={named} />
      ) : (
        <button type="button" className="preset" onClick={open}>
          <span className="preset-name">
            <span>{run.name}</span>
            <span className="note">{date.format(run.savedAt)}</span>
          </span>
          <span className="note preset-text">
            seed {run.seed}, engine {run.engineVersion || "unknown"}
            {run.digest && `, digest ${run.digest.replace(/(.{4})(?=.)/g, "$1 ")}`}
          </span>
        </button>
      )}
      <IconButton
        ref={renameButton}
        icon="rename"
        label={`Rename ${run.name}`}
        aria-expanded={naming}
        onClick={() => setNaming(!naming)}
      />
      <IconButton icon="trash" label={`Delete ${run.name}`} onClick={() => void deleteSaved(run)} />
    </li>
  );
}

/** Enter takes the name, Esc leaves it as it was. */
function NewName({ name, onEnd }: { readonly name: string; readonly onEnd: (name: string) => void }) {
  const [text, setText] = useState(name);
  const key = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Enter") onEnd(text.trim());
    else if (event.key === "Escape") onEnd(name);
    else return;
    event.preventDefault();
  };
  return (
    <TextField
      aria-label={`New name of ${name}`}
      autoFocus
      maxLength={NAME_LIMIT}
      value={text}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={key}
    />
  );
}
