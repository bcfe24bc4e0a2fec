import { useId } from "react";
import { useStore } from "zustand";
import { drives } from "../../../engine/campaign/fit/drivesStore.ts";
import { fitRuns, jobsOf } from "../../../engine/campaign/fit/fitRuns.ts";
import type { FitDrive as Drive, FitOutcome } from "../../../generated/answers.d.ts";
import { useSession } from "../../../panels/context.tsx";
import { Button, IconButton } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { changesOf, fitPage } from "../../../workbench/fit/fitPage.ts";
import { saveText } from "../../../workbench/save.ts";
import { counted, errorText } from "./fitText.ts";

interface FitDriveProps {
  readonly outcome: FitOutcome | null;
  /** The server that is looked at. */
  readonly device: string;
}

/** The drive that was fitted, with a name, and the drives that this browser keeps. */
export function FitDrive({ outcome, device }: FitDriveProps) {
  const { drives: kept, fault } = useStore(drives.store);
  const said = useStore(fitPage, (page) => page.said);
  return (
    <section className="panel fit-drive" aria-labelledby="fit-drive-title">
      {outcome?.verdict.matches && <Fitted device={device} />}
      <p className="note" role="status">
        {said}
      </p>
      {kept.length > 0 && (
        <>
          <header>
            <h2>
              Your drives <span className="note">kept in this browser</span>
            </h2>
          </header>
          <ul className="fit-drives">
            {kept.map(({ id, name, drive }) => (
              <KeptRow key={id} id={id} name={name} drive={drive} />
            ))}
          </ul>
        </>
      )}
      {fault && <p className="note">{fault}</p>}
    </section>
  );
}

/** A name for what was fitted, and what can be done with it. */
function Fitted({ device }: { readonly device: string }) {
  const session = useSession();
  const id = useId();
  const files = useStore(fitRuns.store, (state) => state.files);
  const named = useStore(fitPage, (page) => page.name);
  const from = [...new Set(jobsOf(files).flatMap((job) => job.device ?? []))];
  const name = named ?? (from[0] ? `Drive ${from[0].split("/").at(-1)}` : "Fitted drive");
  const drive = () => fitRuns.drive(name.trim() || "Fitted drive");
  return (
    <>
      <header>
        <h2 id="fit-drive-title">
          Drive <span className="note">{from.length > 0 ? `${from.join(", ")} in the files` : ""}</span>
        </h2>
      </header>
      <div className="row-main fit-name">
        <label className="row-label" htmlFor={id}>
          Name
        </label>
        <TextField
          id={id}
          value={name}
          maxLength={NAME_LENGTH}
          onChange={({ target }) => fitPage.setState({ name: target.value })}
        />
      </div>
      <div className="fit-buttons">
        <Button
          look="primary"
          onClick={async () => {
            const made = await drive();
            await drives.keep(made);
            fitPage.setState({ said: `“${made.name}” is kept, and among the presets of drives.` });
          }}
        >
          Save as preset
        </Button>
        <Button
          onClick={async () => {
            const made = await drive();
            session.change(changesOf(made));
            fitPage.setState({ said: `The scenario has “${made.name}” now. Undo takes it back.` });
          }}
        >
          Use on {device}
        </Button>
        <Button icon="download" onClick={async () => saveDrive(await drive())}>
          File
        </Button>
      </div>
      <p className="note">
        Saves the values, their intervals, both errors and the hashes of {counted(files.length, "file")}.
        Nothing was sent.
      </p>
    </>
  );
}

/** Letters of a name: as long as the engine takes them. */
const NAME_LENGTH = 80;

interface KeptRowProps {
  readonly id: string;
  readonly name: string;
  readonly drive: Drive;
}

function KeptRow({ id, name, drive }: KeptRowProps) {
  const session = useSession();
  const { jobs = [], errors } = drive.evidence ?? {};
  return (
    <li>
      <div>
        <b>{name}</b>
        {errors && (
          <p className="note">
            {counted(jobs.length, "fio job")}, {errorText(errors.of.mean, errors.of.p99)}
          </p>
        )}
      </div>
      <Button
        onClick={() => {
          session.change(changesOf(drive));
          fitPage.setState({ said: `The scenario has “${name}” now. Undo takes it back.` });
        }}
      >
        Use
      </Button>
      <IconButton icon="download" label={`Save ${name} as a file`} onClick={() => saveDrive(drive)} />
      <IconButton icon="close" label={`Forget ${name}`} onClick={() => void drives.remove(id)} />
    </li>
  );
}

function saveDrive(drive: Drive): void {
  const name = drive.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  saveText(`${JSON.stringify(drive, null, 2)}\n`, `${name || "drive"}.drive.json`);
}
