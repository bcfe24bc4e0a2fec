import { useId, useState } from "react";
import { identityIndices } from "../run/identity.ts";
import type { Workload } from "../scenario/types.ts";
import { endpointsText, withWorkload } from "../scenario/workloads.ts";
import { Button } from "../ui/Button.tsx";
import { type ClassIdentity, classIdentity } from "../ui/classes.ts";
import { late } from "../ui/onDemand.tsx";
import { ClassLine } from "./ClassesPanel.tsx";
import { useScenario, useSession } from "./context.tsx";
import "./WorkloadsPanel.css";

const WorkloadDetails = late(() => import("./WorkloadDetails.tsx"));

/** Workloads that are listed at once; a scenario may have thousands. */
const LISTED = 20;

/** Who reads and writes what where, and when: every workload with all that it says. */
export function WorkloadsPanel() {
  const session = useSession();
  const scenario = useScenario();
  const [opened, setOpened] = useState<number | null>(null);
  const [listed, setListed] = useState(LISTED);
  const count = scenario.workloads.length;
  const identities = identityIndices(scenario.classes.map((item) => item.name)).map(classIdentity);
  const add = () => {
    session.edit(withWorkload(scenario));
    setListed(Math.max(listed, count + 1));
    setOpened(count);
  };
  return (
    <section className="panel" aria-labelledby="workloads-title" id="panel-workloads">
      <header>
        <h2 id="workloads-title">Workloads</h2>
        <span className="note">{count === 1 ? "1 workload" : `${count} workloads`}</span>
      </header>
      <ul className="workloads">
        {scenario.workloads.slice(0, listed).map((workload, index) => (
          <WorkloadItem
            // biome-ignore lint/suspicious/noArrayIndexKey: a workload has no other name than its place
            key={index}
            index={index}
            workload={workload}
            identity={identities[scenario.classes.findIndex((item) => item.name === workload.class)]}
            open={opened === index}
            onToggle={() => setOpened(opened === index ? null : index)}
          />
        ))}
      </ul>
      <footer>
        <Button look="quiet" icon="plus" onClick={add}>
          Add workload
        </Button>
        {count > listed && (
          <Button look="link" onClick={() => setListed(listed + LISTED)}>
            Show {Math.min(LISTED, count - listed)} more
          </Button>
        )}
      </footer>
    </section>
  );
}

interface WorkloadItemProps {
  readonly index: number;
  readonly workload: Workload;
  readonly identity: ClassIdentity | undefined;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function WorkloadItem({ index, workload, identity, open, onToggle }: WorkloadItemProps) {
  const details = useId();
  return (
    <li>
      <button
        type="button"
        className="class-name"
        style={{ color: identity?.label }}
        aria-expanded={open}
        aria-controls={open ? details : undefined}
        title={`${workload.class}, ${endpointsText(workload.endpoints)}`}
        onClick={onToggle}
      >
        {identity && <ClassLine identity={identity} />}
        <span>
          {workload.class} <span className="note">{endpointsText(workload.endpoints)}</span>
        </span>
        <i className="caret" />
      </button>
      {open && (
        <div className="class-details" id={details}>
          <WorkloadDetails index={index} />
        </div>
      )}
    </li>
  );
}
