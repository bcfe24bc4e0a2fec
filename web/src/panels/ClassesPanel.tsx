import { group } from "d3-array";
import { useId, useState } from "react";
import { formatDuration, formatGbps, formatPercent } from "../charts/drawing/format.ts";
import { ClassMarker } from "../charts/frame/ClassMarker.tsx";
import { hasNetwork } from "../run/bottleneck.ts";
import { identityIndices } from "../run/identity.ts";
import { targetShare } from "../run/shares.ts";
import { presentTarget } from "../run/targets.ts";
import type { RunView } from "../run/types.ts";
import { classWorkloads, offeredChanges, offeredGbps, offeredNotes, withClass } from "../scenario/classes.ts";
import { type Explanation, noEffectOf } from "../scenario/explanation.ts";
import { fieldAt, valueAt } from "../scenario/schema.ts";
import { aimsAtLatency } from "../scenario/transports.ts";
import type { Scenario, Workload } from "../scenario/types.ts";
import { Button } from "../ui/Button.tsx";
import { type ClassIdentity, classIdentity } from "../ui/classes.ts";
import { Term } from "../ui/Explained.tsx";
import { Icon } from "../ui/Icon.tsx";
import { late } from "../ui/onDemand.tsx";
import { Select } from "../ui/Select.tsx";
import { useEffectiveScenario, useExplanation, useRun, useScenario, useSession } from "./context.tsx";
import { FieldTerm } from "./FieldTerm.tsx";
import { NumberField } from "./NumberField.tsx";
import { FieldLock } from "./Settings.tsx";
import "./ClassesPanel.css";

const ClassDetails = late(() => import("./ClassDetails.tsx"));

interface ClassesPanelProps {
  /** The class whose further settings are unfolded, by its place. */
  readonly opened: number | null;
  readonly onOpen: (index: number | null) => void;
}

/** Ratio, offered load, transport and target of every class. */
export function ClassesPanel({ opened, onOpen }: ClassesPanelProps) {
  const session = useSession();
  const shown = useEffectiveScenario();
  const scenario = useScenario();
  const identities = identityIndices(shown.classes.map((item) => item.name)).map(classIdentity);
  const [diagnostic, setDiagnostic] = useState<string | null>(null);
  const offered = shown.classes.map((_, i) => offeredGbps(shown, i)).filter((load) => load !== null);
  const total = offered.reduce((sum, load) => sum + load, 0);
  // Where a class aims at a latency, the targets of the others are not what there is.
  const sharing = !shown.classes.some((_, i) => aimsAtLatency(shown, i));
  const available = useRun(({ view }) => (sharing && view ? availableText(view) : ""));
  const openLoop = shown.workloads.findIndex(({ traffic }) => traffic.kind === "open-loop");
  const explanation = useExplanation();
  const notes = [...ratioNotes(shown, explanation), ...offeredNotes(shown)];
  return (
    <section className="panel" aria-labelledby="classes-title" id="panel-classes">
      <header>
        <h2 id="classes-title">Classes</h2>
      </header>
      <table className="class-settings">
        <thead>
          <tr>
            <th scope="col">Class</th>
            <th scope="col">
              <FieldTerm path="transport.ratio">Ratio</FieldTerm>
            </th>
            <th scope="col">
              {openLoop < 0 ? (
                "Offered"
              ) : (
                <FieldTerm path={`workloads[${openLoop}].traffic.offeredGbps`}>Offered</FieldTerm>
              )}
            </th>
            <th scope="col">
              <FieldTerm path="transport.transport">Transport</FieldTerm>
            </th>
            <th scope="col">
              <Term id="target">Target</Term>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.classes.map((item, i) => (
            <ClassRow
              key={item.name}
              index={i}
              identity={identities[i] as ClassIdentity}
              open={opened === i}
              onToggle={() => onOpen(opened === i ? null : i)}
              onFault={setDiagnostic}
            />
          ))}
        </tbody>
      </table>
      {diagnostic && (
        <p className="diagnostic" role="alert">
          <Icon name="warning" size={13} /> {diagnostic}
        </p>
      )}
      {notes.map((note) => (
        <p className="row-note" key={note}>
          {note}
        </p>
      ))}
      <footer>
        {scenario.classes.length < (fieldAt("classes", scenario).longest ?? Infinity) && (
          <Button look="quiet" icon="plus" onClick={() => session.edit(withClass(scenario))}>
            Add class
          </Button>
        )}
        <span className="note">
          {offered.length > 0 && `${formatGbps(total).replace(/\.0$/, "")} Gb/s offered`}
          {offered.length > 0 && available && ", "}
          {available}
        </span>
      </footer>
    </section>
  );
}

/** Whose ratio has no effect and why, one sentence for each reason. */
function ratioNotes({ classes }: Scenario, explanation: Explanation): string[] {
  const reasons = classes.flatMap(({ name }, i) => {
    const reason = explanation.of(`classes[${i}].ratio`)?.noEffect?.reason;
    return reason === undefined ? [] : [{ name, reason }];
  });
  return [...group(reasons, ({ reason }) => reason)].map(([reason, of]) => {
    const names = of.map(({ name }) => name).join(", ");
    return `Ratio has no effect on ${names}: ${reason}.`;
  });
}

/** Whether the rates of the network say what classes should get; otherwise targets are shares of what is carried. */
const isOfRates = (view: RunView): boolean => hasNetwork(view) && view.bottleneck.device === null;

/** What all classes together should get; empty where nothing is known, or a device has less for them than the network. */
function availableText(view: RunView): string {
  if (!isOfRates(view)) return "";
  const gbps = view.classes.reduce((sum, _, i) => sum + (presentTarget(view, i) || 0), 0);
  return gbps > 0 ? `${formatGbps(gbps)} Gb/s available` : "";
}

/** Target of a class as the engine computes it; rendered only when its digits change. */
function TargetText({ index }: { readonly index: number }) {
  return useRun(({ view }) => {
    if (!view) return formatGbps(Number.NaN);
    return isOfRates(view) ? formatGbps(presentTarget(view, index)) : formatPercent(targetShare(view, index));
  });
}

interface ClassRowProps {
  readonly index: number;
  readonly identity: ClassIdentity;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly onFault: (sentence: string | null) => void;
}

function ClassRow({ index, identity, open, onToggle, onFault }: ClassRowProps) {
  const session = useSession();
  const details = useId();
  const shown = useEffectiveScenario();
  const explanation = useExplanation();
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
        <FieldLock paths={[`${path}.ratio`]}>
          <NumberField
            label={`${item.name}, ratio`}
            field={fieldAt(`${path}.ratio`, shown)}
            value={Number(valueAt(shown, `${path}.ratio`))}
            disabled={noEffectOf(explanation, [`${path}.ratio`]) !== null}
            showUnit={false}
            onFault={onFault}
            onCommit={(value, choosing) => session.change([{ path: `${path}.ratio`, value }], choosing)}
          />
        </FieldLock>
      </td>
      <td>
        {load !== null && first ? (
          <FieldLock paths={offeredChanges(shown, index, load).map((change) => change.path)}>
            <NumberField
              label={`${item.name}, offered, Gb/s`}
              field={fieldAt(`workloads[${first.index}].traffic.offeredGbps`, shown)}
              value={load}
              showUnit={false}
              onFault={onFault}
              onCommit={(value, choosing) =>
                value !== null && session.change(offeredChanges(shown, index, value), choosing)
              }
            />
          </FieldLock>
        ) : (
          <OfferedText traffic={classWorkloads(shown, index)[0]?.workload.traffic} />
        )}
      </td>
      <td>
        <FieldLock paths={[`${path}.transport`]}>
          <Select
            aria-label={`${item.name}, transport`}
            value={String(valueAt(shown, `${path}.transport`))}
            options={transport.options ?? []}
            onChange={(value) => session.change([{ path: `${path}.transport`, value }])}
          />
        </FieldLock>
      </td>
      <td className="value">
        {aimsAtLatency(shown, index) ? (
          formatDuration(item.latencyTargetUs ?? Number.NaN, 3)
        ) : (
          <TargetText index={index} />
        )}
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

/** What stands in the place of an offered load that cannot be set. */
function OfferedText({ traffic }: { readonly traffic: Workload["traffic"] | undefined }) {
  if (traffic?.kind === "backlogged") return <span className="note">all</span>;
  if (traffic?.kind !== "closed-loop") return <span className="note">–</span>;
  const { outstanding } = traffic;
  return (
    <span className="note" title={`${outstanding} outstanding on each connection`}>
      {outstanding} req
    </span>
  );
}

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
