import { useCallback, useRef, useState } from "react";
import { ClassMarker } from "../charts/ClassMarker.tsx";
import { formatGbps } from "../charts/format.ts";
import { figure } from "../charts/run.ts";
import {
  classWorkloads,
  offeredChanges,
  offeredGbps,
  withClass,
  withClassName,
  withoutClass,
} from "../scenario/classes.ts";
import { inertReason, offeredReason } from "../scenario/effect.ts";
import { fieldAt, valueAt } from "../scenario/schema.ts";
import { formatField } from "../scenario/units.ts";
import { Button } from "../ui/Button.tsx";
import { type ClassIdentity, classIdentities } from "../ui/classes.ts";
import { Icon } from "../ui/Icon.tsx";
import { Popover } from "../ui/Popover.tsx";
import { useDocument, useRun, useSession, useShown } from "./context.tsx";
import { NumberField } from "./NumberField.tsx";
import { ParameterRow } from "./ParameterRow.tsx";

/** Ratio, offered load, transport and target of every class. */
export function ClassesPanel() {
  const session = useSession();
  const shown = useShown();
  const document = useDocument();
  const identities = classIdentities(shown.classes.map((item) => item.name));
  const targets = useTargets();
  const [fault, setFault] = useState<string | null>(null);
  const offered = shown.classes.map((_, i) => offeredGbps(shown, i)).filter((load) => load !== null);
  const total = offered.reduce((sum, load) => sum + load, 0);
  const available = targets.reduce((sum, target) => sum + target, 0);
  const inert = shown.classes.filter((_, i) => inertReason(shown, `classes[${i}].ratio`) !== null);
  const notes = [
    inert.length > 0 &&
      `Ratio without effect for ${inert.map((item) => item.name).join(", ")}: DCTCP is blind to classes.`,
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
  readonly onFault: (sentence: string | null) => void;
}

function ClassRow({ index, identity, targetGbps, onFault }: ClassRowProps) {
  const session = useSession();
  const shown = useShown();
  const item = shown.classes[index];
  if (!item) return null;
  const path = `classes[${index}]`;
  const load = offeredGbps(shown, index);
  const first = classWorkloads(shown, index).find(({ workload }) => workload.traffic.kind === "open-loop");
  const transport = fieldAt(`${path}.transport`, shown);
  return (
    <tr>
      <th scope="row">
        <ClassName index={index} identity={identity} />
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
      <td className="value">{formatGbps(targetGbps)}</td>
    </tr>
  );
}

/** Line and marker of a class, then its name, which opens what else the class has. */
function ClassName({ index, identity }: { readonly index: number; readonly identity: ClassIdentity }) {
  const session = useSession();
  const document = useDocument();
  const name = document.classes[index]?.name ?? "";
  const networkRtt = useRun((run) => run.view && formatField(run.view.layout.baseRttUs)) ?? undefined;
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const trigger = useRef<HTMLButtonElement>(null);
  const rename = (next: string) => {
    const taken = document.classes.some((item, i) => i !== index && item.name === next);
    if (next !== "" && next !== name && !taken) session.edit(withClassName(document, index, next));
  };
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className="class-name"
        style={{ color: identity.label }}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <ClassLine identity={identity} />
        <span>{name}</span>
      </button>
      <Popover open={open} onClose={close} anchor={trigger} label={`Class ${name}`} placement="beside">
        <div className="class-details">
          <label className="row-main">
            <span className="row-label">Name</span>
            <input
              className="text-field"
              defaultValue={name}
              maxLength={40}
              onBlur={(event) => rename(event.target.value.trim())}
              onKeyDown={(event) => event.key === "Enter" && rename(event.currentTarget.value.trim())}
            />
          </label>
          {["baseRttUs", "gain", "rateSmoothing", "updateIntervalRtts"].map((key) => (
            <ParameterRow
              key={key}
              path={`classes[${index}].${key}`}
              {...(key === "baseRttUs" && { placeholder: networkRtt })}
            />
          ))}
          {document.classes.length > 1 && (
            <div className="button-row">
              <Button icon="trash" onClick={() => session.edit(withoutClass(document, index))}>
                Remove {name}
              </Button>
            </div>
          )}
        </div>
      </Popover>
    </>
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
