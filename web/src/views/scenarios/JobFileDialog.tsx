import { useEffect, useState } from "react";
import { openRack } from "../../engine/files/rack.ts";
import type { JobOption, JobsOnto } from "../../engine/files/rackProtocol.ts";
import { unreadable } from "../../engine/rpc/errors.ts";
import type { OfferedJobs } from "../../engine/run/runState.ts";
import { useSession } from "../../panels/context.tsx";
import { diagnosticText } from "../../scenario/check.ts";
import { differencesOf } from "../../scenario/differences.ts";
import { setPaths } from "../../scenario/path.ts";
import { valueAt } from "../../scenario/schema.ts";
import type { Diagnostic, Scenario } from "../../scenario/types.ts";
import { endpointsText } from "../../scenario/workloads.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { type GoneOver, HowColumns } from "../../workbench/rack/HowColumns.tsx";
import "./JobFileDialog.css";

export interface JobFileDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly offered: OfferedJobs;
}

/** A job file of fio: the workloads that its jobs become, and what became of every option, before they take the place of others. */
export default function JobFileDialog({ open, onClose, offered }: JobFileDialogProps) {
  const session = useSession();
  // What is looked at stays, whatever becomes of the scenario meanwhile.
  const [scenario] = useState(session.scenario);
  const reading = useReading(offered, scenario);
  return (
    <Dialog open={open} title={`Job file “${offered.name}”`} onClose={onClose} className="job-file">
      <div className="job-file-body">
        {reading === null && <p role="status">Being read …</p>}
        {reading && "refused" in reading && <Refused diagnostics={reading.refused} />}
        {reading && "onto" in reading && <Read onto={reading.onto} />}
      </div>
      <div className="button-row">
        {reading && "onto" in reading && (
          <Button
            look="primary"
            onClick={() => {
              session.edit(withJobs(scenario, reading.onto.scenario));
              onClose();
            }}
          >
            Use as workloads
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

/** A scenario with what the jobs change, and nothing stated that was not: the engine fills every default in. */
function withJobs(scenario: Scenario, onto: Scenario): Scenario {
  const changes = differencesOf(scenario, onto).map(({ path, to }) => ({ path, value: to }));
  if (onto.seed !== valueAt(scenario, "seed")) changes.push({ path: "seed", value: onto.seed });
  // A story of workloads that are gone goes with them.
  if (!onto.story) changes.push({ path: "story", value: undefined });
  return setPaths(scenario, changes);
}

type Reading = { readonly onto: JobsOnto } | { readonly refused: readonly Diagnostic[] };

/** What the engine makes of a job file; null while it is reading. */
function useReading({ name, text }: OfferedJobs, scenario: Scenario): Reading | null {
  const [reading, setReading] = useState<Reading | null>(null);
  useEffect(() => {
    setReading(null);
    const asking = openRack();
    let over = false;
    asking.api
      .jobs(text, name, JSON.stringify(scenario))
      .then(
        (onto): Reading => ({ onto }),
        (error: unknown): Reading => ({ refused: unreadable(name, error) }),
      )
      .then((found) => !over && setReading(found));
    return () => {
      over = true;
      asking.end(new Error("it is no longer shown"));
    };
  }, [name, text, scenario]);
  return reading;
}

const Refused = ({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) => (
  <>
    <p role="alert">Its jobs cannot be workloads of this scenario, which stays as it is.</p>
    <ul className="job-file-refused">
      {diagnostics.map((diagnostic) => (
        <li key={`${diagnostic.path} ${diagnostic.reason}`}>
          {diagnostic.path && <b>{diagnostic.path}</b>} {diagnosticText(diagnostic)}
        </li>
      ))}
    </ul>
  </>
);

/** Workloads that are listed; a file may have thousands of jobs. */
const LISTED = 12;

function Read({ onto: { scenario, became, remarks } }: { readonly onto: JobsOnto }) {
  const { workloads } = scenario;
  return (
    <>
      <section aria-label="Workloads">
        <h3>
          {workloads.length === 1 ? "1 workload" : `${workloads.length} workloads`}{" "}
          <span className="note">in place of those of the scenario</span>
        </h3>
        <ul className="job-file-workloads">
          {workloads.slice(0, LISTED).map((workload, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a workload has no other name than its place
            <li key={at}>
              <b>{workload.class}</b> <span className="note">{endpointsText(workload.endpoints)}</span>
            </li>
          ))}
          {workloads.length > LISTED && <li className="note">and {workloads.length - LISTED} more</li>}
        </ul>
      </section>
      {remarks.length > 0 && (
        <ul className="job-file-remarks">
          {remarks.map((remark) => (
            <li key={remark}>
              <Icon name="info" size={13} /> <span>{remark}</span>
            </li>
          ))}
        </ul>
      )}
      <HowColumns label="What became of every option" what="options" items={became.map(goneOver)} />
    </>
  );
}

function goneOver({ line, section, option, value, path, to, how, why }: JobOption, at: number): GoneOver {
  return {
    key: String(at),
    how,
    title: (
      <>
        [{section}] <span className="note">line {line}</span>
      </>
    ),
    place: path,
    from: value === undefined ? option : `${option}=${value}`,
    to,
    why,
  };
}
