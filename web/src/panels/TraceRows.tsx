import { useId } from "react";
import { useStore } from "zustand";
import { tracesStore } from "../engine/files/traces.ts";
import { fieldAt } from "../scenario/schema.ts";
import type { Traffic } from "../scenario/workloads.ts";
import { Select } from "../ui/Select.tsx";
import { useEffectiveScenario, useSession } from "./context.tsx";
import { hoverHint } from "./ParameterRow.tsx";
import { TraceButton } from "./TraceButton.tsx";

interface TraceRowsProps {
  readonly index: number;
  readonly traffic: Extract<Traffic, { kind: "trace" }>;
}

/** Volumes among which one is chosen from a list. */
const LISTED = 200;

/** The file of a trace, and the volume of which the requests are taken. */
export function TraceRows({ index, traffic }: TraceRowsProps) {
  const session = useSession();
  const shown = useEffectiveScenario();
  const id = useId();
  const reading = useStore(tracesStore, ({ byName }) => byName[traffic.file]);
  const path = `workloads[${index}].traffic`;
  const volumes = reading?.kind === "read" ? reading.summary.volumes.slice(0, LISTED) : [];
  const names = volumes.map(({ name }) => name);
  if (traffic.volume && !names.includes(traffic.volume)) names.unshift(traffic.volume);
  return (
    <>
      <div className="row" data-path={`${path}.file`}>
        <div className="row-main">
          <span className="row-label" {...hoverHint(`${path}.file`)}>
            {fieldAt(`${path}.file`, shown).title}
          </span>
          <TraceButton onFile={(file) => session.run.setState({ offeredTrace: { file, workload: index } })} />
        </div>
        <p className="row-note">
          {traffic.file}
          {reading?.kind !== "read" && ", which is not on this page"}
        </p>
      </div>
      <div className="row" data-path={`${path}.volume`}>
        <div className="row-main">
          <label className="row-label" htmlFor={id} {...hoverHint(`${path}.volume`)}>
            {fieldAt(`${path}.volume`, shown).title}
          </label>
          <Select
            id={id}
            value={traffic.volume ?? ""}
            options={[{ value: "", title: "All" }, ...names.map((name) => ({ value: name, title: name }))]}
            onChange={(value) => session.change([{ path: `${path}.volume`, value: value || null }])}
          />
        </div>
      </div>
    </>
  );
}
