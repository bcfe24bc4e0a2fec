import { useId, useState } from "react";
import type { Server } from "../scenario/reshape.ts";
import { fieldAt } from "../scenario/schema.ts";
import {
  type Device,
  devicesOf,
  serversOf,
  withDevice,
  withDevicePart,
  withoutDevice,
  withoutServer,
  withServer,
  withServerHost,
  workloadsAt,
} from "../scenario/servers.ts";
import { Button, IconButton } from "../ui/Button.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Select } from "../ui/Select.tsx";
import { useEffectiveScenario, useRun, useScenario, useSession } from "./context.tsx";
import { HostsField } from "./HostsField.tsx";
import { NameField } from "./NameField.tsx";
import { hoverHint } from "./ParameterRow.tsx";
import "./ServersList.css";

/** Servers that are listed at once; a network may have thousands. */
const LISTED = 8;

/** The storage servers with their devices, and which classes go to each. */
export default function ServersList() {
  const session = useSession();
  const scenario = useScenario();
  const [opened, setOpened] = useState<string | null>(null);
  const [listed, setListed] = useState(LISTED);
  const servers = serversOf(scenario);
  const next = withServer(scenario);
  const add = () => {
    if (!next) return;
    session.edit(next);
    setListed(Math.max(listed, servers.length + 1));
    setOpened(next.storage?.servers?.at(-1)?.host ?? null);
  };
  return (
    <section className="servers" aria-labelledby="servers-title">
      <h3 id="servers-title" {...hoverHint("storage.servers")}>
        {fieldAt("storage.servers", scenario).title}
        <span className="note">
          {scenario.storage?.servers?.length ? "" : " by the shape of the network"}
        </span>
      </h3>
      <ul>
        {servers.slice(0, listed).map((server, index) => (
          <ServerItem
            key={server.host}
            index={index}
            server={server}
            open={opened === server.host}
            onToggle={() => setOpened(opened === server.host ? null : server.host)}
            onMove={setOpened}
          />
        ))}
      </ul>
      <footer>
        {next ? (
          <Button look="quiet" icon="plus" onClick={add}>
            Add server
          </Button>
        ) : (
          <span className="note">Every host is a storage server.</span>
        )}
        {servers.length > listed && (
          <Button look="link" onClick={() => setListed(listed + LISTED)}>
            Show {Math.min(LISTED, servers.length - listed)} more
          </Button>
        )}
      </footer>
    </section>
  );
}

interface ServerItemProps {
  readonly index: number;
  readonly server: Server;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly onMove: (host: string) => void;
}

function ServerItem({ index, server, open, onToggle, onMove }: ServerItemProps) {
  const session = useSession();
  const scenario = useScenario();
  const details = useId();
  const path = `storage.servers[${index}]`;
  const devices = devicesOf(server);
  const { longest = Number.POSITIVE_INFINITY, title } = fieldAt(`${path}.devices`, scenario);
  const move = (host: string) => {
    session.edit(withServerHost(scenario, index, host));
    onMove(host);
  };
  return (
    <li>
      <button
        type="button"
        className="class-name"
        aria-expanded={open}
        aria-controls={open ? details : undefined}
        onClick={onToggle}
      >
        <Icon name="storage" />
        <span>
          <b>{server.host}</b> <span className="note">{devicesText(devices)}</span>
        </span>
        <i className="caret" />
      </button>
      {open && (
        <div className="class-details" id={details}>
          <HostsField
            path={`${path}.host`}
            title={fieldAt(`${path}.host`, scenario).title}
            names={[server.host]}
            single
            onCommit={([host = ""]) => move(host)}
          />
          <p className="row-note">{visitorsText(scenario, server.host)}</p>
          <h4>{title}</h4>
          {devices.map((device, at) => (
            <DeviceRow
              key={device.name}
              server={index}
              at={at}
              device={device}
              alone={devices.length === 1}
            />
          ))}
          {devices.length < longest ? (
            <div className="button-row">
              {(fieldAt(`${path}.devices[0].kind`, scenario).options ?? []).map((kind) => (
                <Button
                  key={kind.value}
                  look="quiet"
                  icon="plus"
                  onClick={() => session.edit(withDevice(scenario, index, kind.value as Device["kind"]))}
                >
                  {kind.title}
                </Button>
              ))}
            </div>
          ) : (
            <p className="row-note">A server has at most {longest} devices.</p>
          )}
          {serversOf(scenario).length > 1 && (
            <div className="button-row">
              <Button icon="trash" onClick={() => session.edit(withoutServer(scenario, index))}>
                Remove {server.host}
              </Button>
            </div>
          )}
        </div>
      )}
    </li>
  );
}

interface DeviceRowProps {
  /** Place of its server. */
  readonly server: number;
  /** Its own place there. */
  readonly at: number;
  readonly device: Device;
  /** No other device stands there: it cannot go. */
  readonly alone: boolean;
}

/** Name and kind of a device. */
function DeviceRow({ server, at, device, alone }: DeviceRowProps) {
  const session = useSession();
  const scenario = useScenario();
  const shown = useEffectiveScenario();
  const path = `storage.servers[${server}].devices[${at}]`;
  const { options = [] } = fieldAt(`${path}.kind`, shown);
  const change = (part: Partial<Device>) => session.edit(withDevicePart(scenario, server, at, part));
  const isRefused = useRun((run) => run.diagnostics.some((diagnostic) => diagnostic.path.startsWith(path)));
  return (
    <div className="device-row" data-path={path} data-invalid={isRefused || undefined}>
      <NameField
        path={`${path}.name`}
        label={`Name of ${device.name}`}
        value={device.name}
        onCommit={(name) => change({ name })}
      />
      <Select
        aria-label={`Kind of ${device.name}`}
        value={device.kind}
        options={options}
        onChange={(kind) => change({ kind: kind as Device["kind"] })}
      />
      {!alone && (
        <IconButton
          icon="trash"
          label={`Remove ${device.name}`}
          onClick={() => session.edit(withoutDevice(scenario, server, at))}
        />
      )}
    </div>
  );
}

/** What devices of a kind are called, one and several. */
const COUNTED = {
  ssd: ["SSD", "SSDs"],
  "persistent-memory": ["memory", "memories"],
  "constant-capacity": ["constant capacity", "constant capacities"],
} as const satisfies Record<Device["kind"], readonly [string, string]>;

/** "1 SSD", "2 SSDs, 1 memory". */
function devicesText(devices: readonly Device[]): string {
  const counts = (Object.keys(COUNTED) as Device["kind"][]).map((kind) => {
    const count = devices.filter((device) => device.kind === kind).length;
    return count === 0 ? "" : `${count} ${COUNTED[kind][count === 1 ? 0 : 1]}`;
  });
  return counts.filter((text) => text !== "").join(", ");
}

/** Whose workloads go to a host. */
function visitorsText(scenario: ReturnType<typeof useScenario>, host: string): string {
  const numbers = workloadsAt(scenario, host);
  if (numbers.length === 0) return "No workload names it as its target.";
  const classes = [...new Set(numbers.map((number) => scenario.workloads[number]?.class))];
  const count = numbers.length === 1 ? "1 workload" : `${numbers.length} workloads`;
  return `Target of ${count}: ${classes.join(", ")}.`;
}
