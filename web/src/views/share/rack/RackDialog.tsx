import { useId, useState } from "react";
import type { RackTarget } from "../../../engine/files/rackProtocol.ts";
import { useScenario } from "../../../panels/context.tsx";
import { IconButton } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { useFrame } from "../../../ui/media.ts";
import { Select } from "../../../ui/Select.tsx";
import { Hows, HowsLegend } from "../../../workbench/rack/Hows.tsx";
import { ExportPane } from "./ExportPane.tsx";
import { ReportPane } from "./ReportPane.tsx";
import { type Rack, useRack } from "./useRack.ts";
import "./RackDialog.css";

/** Among the targets: what is for people. */
const REPORT = { id: "report", title: "Report", holds: "what was set and why, one page" };

export interface RackDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** What other tools take of the scenario, field by field and as files; and what it comes to, for people. */
export default function RackDialog(props: RackDialogProps) {
  return (
    <Dialog {...props} title="Take it to the rack" className="rack">
      <Targets onClose={props.onClose} />
    </Dialog>
  );
}

function Targets({ onClose }: { readonly onClose: () => void }) {
  const scenario = useScenario();
  const phone = useFrame() === "phone";
  const rack = useRack(scenario);
  const second = useId();
  const [wanted, setWanted] = useState<string | null>(null);
  // At first the first that takes anything.
  const first = rack.targets.find(({ id }) => !("refused" in (rack.outcomes[id] ?? {})));
  const id = wanted ?? first?.id ?? "";
  const target = rack.targets.find((one) => one.id === id);
  const of = (kind: RackTarget["kind"]) => rack.targets.filter((one) => one.kind === kind);
  const [settings, simulators] = [of("settings"), of("simulator")];
  const row = ({ id: one, title, holds }: Pick<RackTarget, "id" | "title" | "holds">) => (
    <li key={one}>
      <button
        type="button"
        aria-current={one === id}
        data-autofocus={one === id || undefined}
        onClick={() => setWanted(one)}
      >
        <span className="rack-target-title">{title}</span>
        <HowsOf rack={rack} id={one} />
        <span className="note">{holds}</span>
      </button>
    </li>
  );
  return (
    <>
      <p className="rack-scenario">{scenario.name}</p>
      <IconButton icon="close" label="Close" onClick={onClose} />
      {phone ? (
        <div className="rack-choice">
          <Select
            aria-label="Target"
            value={id}
            options={[...settings, REPORT, ...simulators].map(({ id, title }) => ({ value: id, title }))}
            onChange={setWanted}
            data-autofocus
          />
          {target && <HowsOf rack={rack} id={id} />}
        </div>
      ) : (
        <nav className="rack-targets" aria-label="Targets">
          <div>
            <ul>{[...settings, REPORT].map(row)}</ul>
            {simulators.length > 0 && (
              <>
                <h3 id={second}>For a second opinion</h3>
                <ul aria-labelledby={second}>{simulators.map(row)}</ul>
              </>
            )}
          </div>
          <HowsLegend />
        </nav>
      )}
      {id === REPORT.id ? (
        <ReportPane />
      ) : (
        <ExportPane key={id} target={target} rack={rack} onChoose={setWanted} />
      )}
    </>
  );
}

/** How the fields go over to a target, counted; that the scenario has nothing for it; nothing before it is known. */
function HowsOf({ rack, id }: { readonly rack: Rack; readonly id: string }) {
  const outcome = rack.outcomes[id];
  if (!outcome) return null;
  return "refused" in outcome ? <span className="note">nothing</span> : <Hows fields={outcome.fields} />;
}
