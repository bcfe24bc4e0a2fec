import { type FormEvent, useState } from "react";
import { fixed, formatMilliseconds } from "../../charts/drawing/format.ts";
import type { Refusal } from "../../engine/files/opening.ts";
import type { StoppedRun } from "../../engine/run/runState.ts";
import type { Session } from "../../engine/run/session.ts";
import { useRun, useScenario, useSession } from "../../panels/context.tsx";
import { diagnosticText } from "../../scenario/check.ts";
import { fragmentOf } from "../../scenario/codec.ts";
import { firstScenario } from "../../scenario/first.ts";
import { valueAt } from "../../scenario/schema.ts";
import type { Scenario } from "../../scenario/types.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { save, saveText } from "../../workbench/save.ts";
import { openAddress, openLink } from "../../workbench/view/address.ts";
import { useViews } from "../../workbench/view/viewContext.tsx";
import "./Problems.css";
import "../../workbench/linkForm.css";

/** A link that was not opened, when nothing is on the page yet: why, and the ways on. */
export function LinkProblem({ session, refusal }: { readonly session: Session; readonly refusal: Refusal }) {
  const views = useViews();
  const [pasting, setPasting] = useState(false);
  const paste = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const link = String(new FormData(event.currentTarget).get("link") ?? "");
    void openLink(session, views, fragmentOf(link));
  };
  const { json } = refusal;
  return (
    <main className="problem" aria-labelledby="problem-title">
      <h1 id="problem-title">
        <Icon name={refusal.kind === "newer" ? "info" : "warning"} /> {refusal.title}
      </h1>
      <Reasons refusal={refusal} />
      {pasting && (
        <form onSubmit={paste} className="share-link">
          {/* The person just asked for this field. */}
          <TextField name="link" aria-label="Full link" autoFocus />
          <Button look="primary" type="submit">
            Open
          </Button>
        </form>
      )}
      <div className="button-row">
        {refusal.kind === "newer" && <ReloadButton />}
        {refusal.kind === "unfetched" && (
          <Button look="primary" onClick={() => void openAddress(session, views, location.hash)}>
            Try again
          </Button>
        )}
        {refusal.kind === "broken" && !pasting && (
          <Button look="primary" onClick={() => setPasting(true)}>
            Paste the full link
          </Button>
        )}
        <Button onClick={() => session.begin(firstScenario)}>Start from a preset</Button>
        {json !== undefined && (
          <Button onClick={() => saveText(json, "scenario.json")}>Save the scenario file</Button>
        )}
      </div>
    </main>
  );
}

export interface NotOpenedProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly refusal: Refusal;
}

/** A link or a file that was not opened, over the run that goes on. */
export function NotOpened({ open, onClose, refusal }: NotOpenedProps) {
  return (
    <Dialog open={open} title={refusal.title} onClose={onClose}>
      <Reasons refusal={refusal} />
      <p>The scenario on the page and its run are as they were.</p>
      <div className="button-row">
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
        {refusal.kind === "newer" && <ReloadButton />}
      </div>
    </Dialog>
  );
}

const ReloadButton = () => (
  <Button look="primary" onClick={() => location.reload()}>
    Get the new version and reload
  </Button>
);

/** Why something was not opened: one sentence, and the errors that the engine found. */
function Reasons({ refusal: { sentence, diagnostics } }: { readonly refusal: Refusal }) {
  return (
    <>
      <p>{sentence}</p>
      {diagnostics.length > 0 && (
        <ul className="reasons">
          {diagnostics.map((diagnostic) => (
            <li key={`${diagnostic.path} ${diagnostic.reason}`}>
              <code>{diagnostic.path || "scenario"}</code> {diagnosticText(diagnostic)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export interface StoppedProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly trapped: StoppedRun;
}

/** There is no engine: what happened, what is kept, the ways on. */
export function Stopped(props: StoppedProps) {
  return props.trapped.unfetched ? <EngineNotCome {...props} /> : <EngineGone {...props} />;
}

/** The engine did not come. */
function EngineNotCome({ open, onClose }: StoppedProps) {
  const session = useSession();
  return (
    <Dialog open={open} title="The engine could not be fetched" onClose={onClose}>
      <p>Its script or its module did not come. Your scenario is kept, and nothing was sent.</p>
      <div className="button-row">
        <Button look="primary" onClick={session.restart}>
          Try again
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function EngineGone({ open, onClose, trapped }: StoppedProps) {
  const session = useSession();
  const scenario = useScenario();
  const version = useRun((run) => run.view?.layout.version ?? "");
  const stoodAt = `${formatMilliseconds(trapped.nowUs)} ms`;
  const details = `${trapped.outOfMemory ? "(ERR:out-of-memory)" : "(ERR:engine)"} engine ${version}, seed ${valueAt(
    scenario,
    "seed",
  )}, at ${stoodAt}, ${fixed(trapped.memoryBytes / 1e6, 0)} MB\n${trapped.message}`;
  return (
    <Dialog open={open} title={`The engine stopped at ${stoodAt}`} onClose={onClose}>
      <p>
        {trapped.outOfMemory
          ? `It ran out of memory: ${fixed(trapped.memoryBytes / 1e9, 1)} GB. `
          : "An error inside it ended the run. "}
        Your scenario and the charts up to this moment are kept.
      </p>
      <pre>{details}</pre>
      <div className="button-row">
        {trapped.outOfMemory && isLong(scenario) && (
          <Button look="primary" onClick={() => session.runEdited(shorter(scenario))}>
            Halve the duration and rerun
          </Button>
        )}
        {trapped.nowUs > 0 && (
          <Button look={trapped.outOfMemory ? "default" : "primary"} onClick={session.resume}>
            Resume at {stoodAt}
          </Button>
        )}
        <Button onClick={session.restart}>Rerun as is</Button>
        <Button onClick={onClose}>Change settings first</Button>
      </div>
      <div className="button-row">
        <Button look="link" onClick={() => navigator.clipboard.writeText(details)}>
          Copy details
        </Button>
        <Button look="link" onClick={() => save(scenario)}>
          Save scenario file
        </Button>
        <span className="spring" />
        <span className="note">nothing was sent</span>
      </div>
    </Dialog>
  );
}

const isLong = (scenario: Scenario): boolean => scenario.durationUs > 100;

const shorter = (scenario: Scenario): Scenario => ({ ...scenario, durationUs: scenario.durationUs / 2 });
