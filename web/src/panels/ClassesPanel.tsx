import { group } from "d3";
import { useId, useState } from "react";
import { ClassMarker } from "../charts/ClassMarker.tsx";
import { formatGbps } from "../charts/format.ts";
import { figure } from "../charts/run.ts";
import { classWorkloads, offeredChanges, offeredGbps, withClass } from "../scenario/classes.ts";
import { inertReason, offeredReason } from "../scenario/effect.ts";
import { fieldAt, valueAt } from "../scenario/schema.ts";
import { aimsAtLatency, followsQuality, transportName, transportOf } from "../scenario/transports.ts";
import type { Scenario, TrafficClass } from "../scenario/types.ts";
import { Button } from "../ui/Button.tsx";
import { type ClassIdentity, classIdentities } from "../ui/classes.ts";
import { Icon } from "../ui/Icon.tsx";
import { ClassDetails } from "./ClassDetails.tsx";
import { valueText } from "./changeText.ts";
import { useDocument, useRun, useSession, useShown } from "./context.tsx";
import { NumberField } from "./NumberField.tsx";

/** Ratio, offered load, transport and target of every class. */
export function ClassesPanel() {
  const session = useSession();
  const shown = useShown();
  const document = useDocument();
  const identities = classIdentities(shown.classes.map((item) => item.name));
  const targets = useTargets();
  const [fault, setFault] = useState<string | null>(null);
  const [opened, setOpened] = useState<number | null>(null);
  const offered = shown.classes.map((_, i) => offeredGbps(shown, i)).filter((load) => load !== null);
  const total = offered.reduce((sum, load) => sum + load, 0);
  // Where a class aims at a latency, the targets of the others are not what there is.
  const sharing = !shown.classes.some((_, i) => aimsAtLatency(shown, i));
  const available = sharing ? targets.reduce((sum, target) => sum + target, 0) : 0;
  const notes = [
    ...ratioNotes(shown),
    ...new Set(shown.classes.map((_, i) => offeredReason(shown, i))),
  ].filter((note) => typeof note === "string");
  return (
    <section className="panel" aria-labelledby="classes-title" id="panel-classes">
      <header>
        <h2 id="classes-title">Classes</h2>
      </header>
      <table className="class-settings">
        <thead>
          <tr>
            <th scope="col">Class</th>
            <th scope="col">Ratio</th>
            <th scope="col">Offered</th>
            <th scope="col">Transport</th>
            <th scope="col">Target</th>
          </tr>
        </thead>
        <tbody>
          {shown.classes.map((item, i) => (
            <ClassRow
              key={item.name}
              index={i}
              identity={identities[i] as ClassIdentity}
              targetGbps={targets[i] ?? Number.NaN}
              open={opened === i}
              onToggle={() => setOpened(opened === i ? null : i)}
              onFault={setFault}
            />
          ))}
        </tbody>
      </table>
      {fault && (
        <p className="fault" role="alert">
          <Icon name="warning" size={13} /> {fault}
        </p>
      )}
      {notes.map((note) => (
        <p className="row-note" key={note}>
          {note}
        </p>
      ))}
      <footer>
        {document.classes.length < 16 && (
          <Button look="quiet" icon="plus" onClick={() => session.edit(withClass(document))}>
            Add class
          </Button>
        )}
        <span className="note">
          {offered.length > 0 && `${formatGbps(total).replace(/\.0$/, "")} Gb/s offered`}
          {offered.length > 0 && available > 0 && ", "}
          {available > 0 && `${formatGbps(available)} available`}
        </span>
      </footer>
    </section>
  );
}

/** Whose ratio has no effect and why, one sentence for each reason. */
export function ratioNotes(document: Scenario): string[] {
  const blind = group(
    document.classes.filter((_, i) => !followsQuality(transportOf(document, i))),
    (item) => item.transport,
  );
  const aiming = document.classes.filter((_, i) => aimsAtLatency(document, i));
  const names = (classes: readonly TrafficClass[]) => classes.map((item) => item.name).join(", ");
  return [
    ...[...blind].map(([transport, classes]) => {
      const why = transport === "d2tcp" ? "follows deadlines" : "is blind to classes";
      return `Ratio without effect for ${names(classes)}: ${transportName(transport ?? "qtcp")} ${why}.`;
    }),
    ...(aiming.length > 0 ? [`Ratio without effect for ${names(aiming)}: a tail latency is the aim.`] : []),
  ];
}

/** Targets in Gb/s of payload, as the engine computes them. */
function useTargets(): number[] {
  const view = useRun((run) => run.view);
  useRun((run) => run.tick);
  return view ? view.classes.map((_, i) => figure(view, i, "targetGbps")) : [];
}

interface ClassRowProps {
  readonly index: number;
  readonly identity: ClassIdentity;
  readonly targetGbps: number;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly onFault: (sentence: string | null) => void;
}

function ClassRow({ index, identity, targetGbps, open, onToggle, onFault }: ClassRowProps) {
  const session = useSession();
  const details = useId();
  const shown = useShown();
  const item = shown.classes[index];
  if (!item) return null;
  const path = `classes[${index}]`;
  const load = offeredGbps(shown, index);
  const first = classWorkloads(shown, index).find(({ workload }) => workload.traffic.kind === "open-loop");
  const transport = fieldAt(`${path}.transport`, shown);
  const row = (
    <tr>
      <th scope="row">
        <ClassName name={item.name} identity={identity} open={open} controls={details} onToggle={onToggle} />
      </th>
      <td>
        <NumberField
          label={`${item.name}, ratio`}
          field={fieldAt(`${path}.ratio`, shown)}
          value={Number(valueAt(shown, `${path}.ratio`))}
          inert={inertReason(shown, `${path}.ratio`) !== null}
          showUnit={false}
          onFault={onFault}
          onCommit={(value, gesture) => session.change([{ path: `${path}.ratio`, value }], gesture)}
        />
      </td>
      <td>
        {load !== null && first ? (
          <NumberField
            label={`${item.name}, offered, Gb/s`}
            field={fieldAt(`workloads[${first.index}].traffic.offeredGbps`, shown)}
            value={load}
            showUnit={false}
            onFault={onFault}
            onCommit={(value, gesture) =>
              value !== null && session.change(offeredChanges(shown, index, value), gesture)
            }
          />
        ) : (
          <span className="note">
            {classWorkloads(shown, index)[0]?.workload.traffic.kind === "backlogged" ? "all" : "–"}
          </span>
        )}
      </td>
      <td>
        <span className="select-field">
          <select
            aria-label={`${item.name}, transport`}
            value={String(valueAt(shown, `${path}.transport`))}
            onChange={(event) => session.change([{ path: `${path}.transport`, value: event.target.value }])}
          >
            {transport.options?.map((option) => (
              <option key={option.value} value={option.value}>
                {option.title}
              </option>
            ))}
          </select>
        </span>
      </td>
      <td className="value">
        {aimsAtLatency(shown, index) ? valueText(LATENCY, item.latencyTargetUs) : formatGbps(targetGbps)}
      </td>
    </tr>
  );
  if (!open) return row;
  return (
    <>
      {row}
      <tr className="class-more">
        <td colSpan={5} id={details}>
          <ClassDetails index={index} />
        </td>
      </tr>
    </>
  );
}

/** Unit in which a latency target stands in the table. */
const LATENCY = { unit: "us" };

interface ClassNameProps {
  readonly name: string;
  readonly identity: ClassIdentity;
  readonly open: boolean;
  readonly controls: string;
  readonly onToggle: () => void;
}

/** Line and marker of a class, then its name, which opens what else the class has. */
function ClassName({ name, identity, open, controls, onToggle }: ClassNameProps) {
  return (
    <button
      type="button"
      className="class-name"
      style={{ color: identity.label }}
      aria-expanded={open}
      aria-controls={open ? controls : undefined}
      title={name}
      onClick={onToggle}
    >
      <ClassLine identity={identity} />
      <span>{name}</span>
      <i className="caret" />
    </button>
  );
}

/** A short stretch of a class's line with its marker. */
export function ClassLine({ identity }: { readonly identity: ClassIdentity }) {
  return (
    <span className="class-line">
      <svg width="20" height="12" aria-hidden="true">
        <line
          x1="0"
          x2="20"
          y1="6"
          y2="6"
          stroke={identity.mark}
          strokeWidth="1.75"
          strokeDasharray={identity.dash.join(" ")}
        />
      </svg>
      <ClassMarker kindIndex={identity.index} />
    </span>
  );
}
