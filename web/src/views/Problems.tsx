import { type FormEvent, useState } from "react";
import { fixed, formatMilliseconds } from "../charts/format.ts";
import type { Trapped } from "../engine/protocol.ts";
import { useDocument, useRun, useSession } from "../panels/context.tsx";
import { type Decoded, decodeFragment } from "../scenario/codec.ts";
import { firstScenario } from "../scenario/first.ts";
import type { Scenario } from "../scenario/types.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Icon } from "../ui/Icon.tsx";
import { save } from "./SharePopover.tsx";

/** A link that was not opened: why, and the ways on. */
export function LinkProblem(props: {
  readonly problem: Decoded & { kind: "newer" | "broken" };
  readonly onOpen: (link: Decoded) => void;
}) {
  const { problem, onOpen } = props;
  const [pasting, setPasting] = useState(false);
  const paste = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("link") ?? "");
    onOpen(decodeFragment(text.slice(text.indexOf("#"))));
  };
  return (
    <main className="problem" aria-labelledby="problem-title">
      <h1 id="problem-title">
        <Icon name={problem.kind === "newer" ? "info" : "warning"} /> {problem.title}
      </h1>
      <p>{problem.sentence}</p>
      {pasting && (
        <form onSubmit={paste} className="share-link">
          {/* biome-ignore lint/a11y/noAutofocus: the person just asked for this field */}
          <input className="text-field" name="link" aria-label="Full link" autoFocus />
          <Button look="primary" type="submit">
            Open
          </Button>
        </form>
      )}
      <div className="button-row">
        {problem.kind === "newer" ? (
          <Button look="primary" onClick={() => location.reload()}>
            Get the new version and reload
          </Button>
        ) : (
          !pasting && (
            <Button look="primary" onClick={() => setPasting(true)}>
              Paste the full link
            </Button>
          )
        )}
        <Button onClick={() => onOpen({ kind: "scenario", scenario: firstScenario })}>
          Start from a preset
        </Button>
      </div>
    </main>
  );
}

/** A scenario that the engine refuses, when nothing ran before it: every fault at once. */
export function Refused() {
  const session = useSession();
  const document = useDocument();
  const faults = useRun((run) => run.faults);
  const count = faults.length === 1 ? "1 fault keeps" : `${faults.length} faults keep`;
  return (
    <div className="problem">
      <h2>
        <Icon name="warning" /> {count} this scenario from running
      </h2>
      <ul>
        {faults.map((fault) => (
          <li key={fault.path + fault.reason}>
            <code>{fault.path || "scenario"}</code> {fault.reason}. {fault.fix}
          </li>
        ))}
      </ul>
      <div className="button-row">
        <Button look="primary" onClick={() => session.begin(firstScenario)}>
          Start from a preset
        </Button>
        <Button onClick={() => save(document)}>Save the scenario file</Button>
      </div>
    </div>
  );
}

/** The engine is gone: what happened, what is kept, the ways on. */
export function Stopped({ trapped }: { readonly trapped: Trapped }) {
  const session = useSession();
  const document = useDocument();
  const version = useRun((run) => run.view?.layout.version ?? "");
  const [open, setOpen] = useState(true);
  const details = `${trapped.outOfMemory ? "(ERR:out-of-memory)" : "(ERR:engine)"} engine ${version}, seed ${
    document.seed ?? 42
  }, at ${formatMilliseconds(trapped.nowUs)} ms, ${fixed(trapped.memoryBytes / 1e6, 0)} MB\n${trapped.message}`;
  if (!open) return null;
  return (
    <Dialog
      title={`The engine stopped at ${formatMilliseconds(trapped.nowUs)} ms`}
      onClose={() => setOpen(false)}
    >
      <p>
        {trapped.outOfMemory
          ? `It ran out of memory: ${fixed(trapped.memoryBytes / 1e9, 1)} GB. `
          : "A fault inside it ended the run. "}
        Your scenario and the charts up to this moment are kept.
      </p>
      <pre>{details}</pre>
      <div className="button-row">
        {trapped.outOfMemory && isLong(document) && (
          <Button look="primary" onClick={() => session.runEdited(shorter(document))}>
            Halve the duration and run again
          </Button>
        )}
        <Button look={trapped.outOfMemory ? "default" : "primary"} onClick={session.restart}>
          Run again as is
        </Button>
        <Button onClick={() => setOpen(false)}>Change settings first</Button>
      </div>
      <div className="button-row">
        <Button look="link" onClick={() => navigator.clipboard.writeText(details)}>
          Copy details
        </Button>
        <Button look="link" onClick={() => save(document)}>
          Save scenario file
        </Button>
        <span className="spring" />
        <span className="note">nothing was sent</span>
      </div>
    </Dialog>
  );
}

const isLong = (document: Scenario): boolean => document.durationUs > 100;

const shorter = (document: Scenario): Scenario => ({ ...document, durationUs: document.durationUs / 2 });
