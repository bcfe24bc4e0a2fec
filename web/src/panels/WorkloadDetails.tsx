import { useId } from "react";
import { fieldAt, fieldsAt, kindsAt, valueAt } from "../scenario/schema.ts";
import {
  type Endpoints,
  endpointsOf,
  patternOf,
  type Size,
  sizeOf,
  type Traffic,
  trafficOf,
  withDuplicate,
  withoutWorkload,
  withPart,
} from "../scenario/workloads.ts";
import { Button } from "../ui/Button.tsx";
import { Select } from "../ui/Select.tsx";
import { useEffectiveScenario, useScenario, useSession } from "./context.tsx";
import { Disclosure } from "./Disclosure.tsx";
import { HostsField } from "./HostsField.tsx";
import { NumbersField } from "./NumbersField.tsx";
import { hoverHint, ParameterRow } from "./ParameterRow.tsx";
import { FieldLock } from "./Settings.tsx";
import { TraceRows } from "./TraceRows.tsx";

/** Fields of a workload beside its class, its endpoints and its traffic, in the order of the rows. */
const TIMES = ["startUs", "stopUs", "startGapUs"] as const;
const FLOWS = ["connections", "flows", "readFraction"] as const;

/** All that a workload says. */
export default function WorkloadDetails({ index }: { readonly index: number }) {
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
