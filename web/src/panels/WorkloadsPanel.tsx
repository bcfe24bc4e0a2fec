import { useId, useState } from "react";
import { identityIndices } from "../run/identity.ts";
import { fieldAt, fieldsAt, kindsAt, valueAt } from "../scenario/schema.ts";
import type { Workload } from "../scenario/types.ts";
import {
  type Endpoints,
  endpointsOf,
  endpointsText,
  patternOf,
  type Size,
  sizeOf,
  type Traffic,
  trafficOf,
  withDuplicate,
  withoutWorkload,
  withPart,
  withWorkload,
} from "../scenario/workloads.ts";
import { Button } from "../ui/Button.tsx";
import { type ClassIdentity, classIdentity } from "../ui/classes.ts";
import { Select } from "../ui/Select.tsx";
import { ClassLine } from "./ClassesPanel.tsx";
import { useEffectiveScenario, useScenario, useSession } from "./context.tsx";
import { Disclosure } from "./Disclosure.tsx";
import { HostsField } from "./HostsField.tsx";
import { NumbersField } from "./NumbersField.tsx";
import { hoverHint, ParameterRow } from "./ParameterRow.tsx";
import { FieldLock } from "./Settings.tsx";
import { TraceRows } from "./TraceRows.tsx";
import "./WorkloadsPanel.css";

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

/** Fields of a workload beside its class, its endpoints and its traffic, in the order of the rows. */
const TIMES = ["startUs", "stopUs", "startGapUs"] as const;
const FLOWS = ["connections", "flows", "readFraction"] as const;

function WorkloadDetails({ index }: { readonly index: number }) {
  const session = useSession();
  const scenario = useScenario();
  const shown = useEffectiveScenario();
  const path = `workloads[${index}]`;
  const workload = shown.workloads[index];
  if (!workload) return null;
  const names = scenario.classes.map(({ name }) => ({ value: name, title: name }));
  return (
    <>
      <SelectRow
        path={`${path}.class`}
        value={workload.class}
        options={names}
        onChange={(value) => session.change([{ path: `${path}.class`, value }])}
      />
      <SelectRow
        path={`${path}.endpoints`}
        value={workload.endpoints.kind}
        options={kindsAt(`${path}.endpoints`, shown)}
        onChange={(kind) => {
          const endpoints = endpointsOf(kind as Endpoints["kind"], scenario, workload.endpoints);
          session.edit(withPart(scenario, index, { endpoints }));
        }}
      />
      <EndpointRows path={`${path}.endpoints`} endpoints={workload.endpoints} />
      {FLOWS.map((name) => (
        <ParameterRow key={name} path={`${path}.${name}`} />
      ))}
      {TIMES.map((name) => (
        <ParameterRow
          key={name}
          path={`${path}.${name}`}
          {...(name === "stopUs" && { placeholder: "end" })}
        />
      ))}
      <SelectRow
        path={`${path}.traffic`}
        value={workload.traffic.kind}
        options={kindsAt(`${path}.traffic`, shown)}
        onChange={(kind) => {
          const traffic = trafficOf(kind as Traffic["kind"], workload.traffic);
          session.edit(withPart(scenario, index, { traffic }));
        }}
      />
      {workload.traffic.kind === "trace" && <TraceRows index={index} traffic={workload.traffic} />}
      <PlainRows path={`${path}.traffic`} />
      {"size" in workload.traffic && (
        <>
          <SelectRow
            path={`${path}.traffic.size`}
            value={workload.traffic.size.kind}
            options={kindsAt(`${path}.traffic.size`, shown)}
            onChange={(kind) =>
              session.change([{ path: `${path}.traffic.size`, value: sizeOf(kind as Size["kind"]) }])
            }
          />
          <SizeRows path={`${path}.traffic.size`} size={workload.traffic.size} />
        </>
      )}
      <StorageRows path={path} />
      <div className="button-row">
        <Button onClick={() => session.edit(withDuplicate(scenario, index))}>Duplicate</Button>
        {scenario.workloads.length > 1 && (
          <Button icon="trash" onClick={() => session.edit(withoutWorkload(scenario, index))}>
            Remove
          </Button>
        )}
      </div>
    </>
  );
}

/** How the requests of a workload reach storage, and where there. */
function StorageRows({ path }: { readonly path: string }) {
  const session = useSession();
  const shown = useEffectiveScenario();
  const pattern = `${path}.addresses.pattern`;
  const kind = (valueAt(shown, pattern) as { readonly kind?: string } | undefined)?.kind ?? "random";
  return (
    <Disclosure title="Protocol, devices, addresses">
      <ParameterRow path={`${path}.protocol`} />
      <ParameterRow path={`${path}.devices`} />
      <SelectRow
        path={pattern}
        value={kind}
        options={kindsAt(pattern, shown)}
        onChange={(next) => session.change([{ path: pattern, value: patternOf(next) }])}
      />
      {kind === "hot-cold" && <PlainRows path={pattern} />}
      {["startBytes", "lengthBytes", "alignmentBytes"].map((name) => (
        <ParameterRow key={name} path={`${path}.addresses.${name}`} />
      ))}
    </Disclosure>
  );
}

/** Hosts of a workload, or the numbers from which they are drawn. */
function EndpointRows({ path, endpoints }: { readonly path: string; readonly endpoints: Endpoints }) {
  const session = useSession();
  const shown = useEffectiveScenario();
  if (endpoints.kind !== "pairs") {
    return (
      <>
        {endpoints.kind === "incast" && (
          <HostsField
            path={`${path}.target`}
            title={fieldAt(`${path}.target`, shown).title}
            names={[endpoints.target]}
            single
            onCommit={([value]) => session.change([{ path: `${path}.target`, value }])}
          />
        )}
        <PlainRows path={path} />
      </>
    );
  }
  return (["initiators", "targets"] as const).map((name) => (
    <HostsField
      key={name}
      path={`${path}.${name}`}
      title={fieldAt(`${path}.${name}`, shown).title}
      names={endpoints[name]}
      onCommit={(value) => session.change([{ path: `${path}.${name}`, value }])}
    />
  ));
}

function SizeRows({ path, size }: { readonly path: string; readonly size: Size }) {
  const session = useSession();
  const shown = useEffectiveScenario();
  if (size.kind === "choice") {
    const at = `${path}.bytes`;
    return (
      <NumbersField
        path={at}
        title={fieldAt(at, shown).title}
        groups={size.bytes.map((bytes) => [bytes])}
        size={1}
        onCommit={(groups) => session.change([{ path: at, value: groups.flat() }])}
      />
    );
  }
  if (size.kind === "empirical") {
    const at = `${path}.points`;
    return (
      <NumbersField
        path={at}
        title={fieldAt(at, shown).title}
        groups={size.points}
        size={2}
        onCommit={(value) => session.change([{ path: at, value }])}
      />
    );
  }
  return <PlainRows path={path} />;
}

/** Rows of those fields of an object that hold a number or one of some words. */
function PlainRows({ path }: { readonly path: string }) {
  const shown = useEffectiveScenario();
  return fieldsAt(path, shown)
    .filter(({ form, options }) => options || form === "number" || form === "integer")
    .map(({ name, optional }) => (
      <ParameterRow key={name} path={`${path}.${name}`} {...(optional && { placeholder: "no end" })} />
    ));
}

interface SelectRowProps {
  readonly path: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly title: string }[];
  readonly onChange: (value: string) => void;
}

/** A row that chooses among kinds, or among what the scenario names. */
function SelectRow({ path, value, options, onChange }: SelectRowProps) {
  const id = useId();
  const shown = useEffectiveScenario();
  return (
    <div className="row" data-path={path}>
      <div className="row-main">
        <label className="row-label" htmlFor={id} {...hoverHint(path)}>
          {fieldAt(path, shown).title}
        </label>
        <FieldLock paths={[path]}>
          <Select id={id} value={value} options={options} onChange={onChange} />
        </FieldLock>
      </div>
    </div>
  );
}
