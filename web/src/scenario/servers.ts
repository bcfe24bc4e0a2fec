import { type Server, withServers } from "./reshape.ts";
import { fieldAt } from "./schema.ts";
import { hostNames, roles } from "./topology.ts";
import type { Scenario, Workload } from "./types.ts";

export type Device = NonNullable<Server["devices"]>[number];

/** The storage servers: those of the list, or where there is none those that the shape of the network makes. */
export function serversOf(scenario: Scenario): readonly Server[] {
  const listed = scenario.storage?.servers ?? [];
  if (listed.length > 0) return listed;
  const own = roles(scenario);
  return hostNames(scenario.topology.shape).flatMap((host, number) =>
    own[number] === "storage" ? [{ host }] : [],
  );
}

/** The devices of a server: those that it lists, or where it lists none those that the engine gives it. */
export const devicesOf = ({ devices = [] }: Server): readonly Device[] =>
  devices.length > 0 ? devices : USUAL_DEVICES;

const USUAL_DEVICES = fieldAt("storage.servers[0].devices", {}).default as readonly Device[];

/** The first host that could become a storage server: one that is a target already, or else one that issues nothing. */
function freeHost(scenario: Scenario): string | undefined {
  const taken = new Set(serversOf(scenario).map(({ host }) => host));
  const free = hostNames(scenario.topology.shape).filter((host) => !taken.has(host));
  const issues = (host: string) =>
    scenario.workloads.some(
      ({ endpoints }) => "initiators" in endpoints && named(endpoints.initiators, host),
    );
  return (
    free.find((host) => workloadsAt(scenario, host).length > 0) ??
    free.find((host) => !issues(host)) ??
    free[0]
  );
}

const named = (hosts: readonly string[] | number, host: string): boolean =>
  typeof hosts !== "number" && hosts.includes(host);

/** The scenario with one more storage server; null where every host is one. */
export function withServer(scenario: Scenario): Scenario | null {
  const host = freeHost(scenario);
  return host === undefined ? null : withServers(scenario, [...serversOf(scenario), { host }]);
}

/** The scenario without a storage server. */
export const withoutServer = (scenario: Scenario, index: number): Scenario =>
  withServers(
    scenario,
    serversOf(scenario).filter((_, at) => at !== index),
  );

/** The scenario with a storage server at another host. Workloads that go to it move along. */
export function withServerHost(scenario: Scenario, index: number, host: string): Scenario {
  const servers = serversOf(scenario);
  const before = servers[index]?.host;
  const to = (name: string) => (name === before ? host : name);
  const moved = (endpoints: Workload["endpoints"]): Workload["endpoints"] => {
    if (endpoints.kind === "pairs") return { ...endpoints, targets: endpoints.targets.map(to) };
    return endpoints.kind === "incast" ? { ...endpoints, target: to(endpoints.target) } : endpoints;
  };
  return {
    ...withServers(
      scenario,
      servers.map((server, at) => (at === index ? { ...server, host } : server)),
    ),
    workloads: scenario.workloads.map((workload) => ({ ...workload, endpoints: moved(workload.endpoints) })),
  };
}

/** The scenario with other devices in a storage server. */
const withDevices = (scenario: Scenario, index: number, devices: readonly Device[]): Scenario =>
  withServers(
    scenario,
    serversOf(scenario).map((server, at) => (at === index ? { ...server, devices } : server)),
  );

/** How devices of a kind are named, before their number. */
const PREFIX: Readonly<Record<Device["kind"], string>> = {
  ssd: "ssd",
  "persistent-memory": "pm",
  "constant-capacity": "server",
};

/** The scenario with one more device in a storage server, under a name that is free there. */
export function withDevice(scenario: Scenario, index: number, kind: Device["kind"]): Scenario {
  const server = serversOf(scenario)[index];
  if (!server) return scenario;
  const devices = devicesOf(server);
  const isTaken = (name: string) => devices.some((device) => device.name === name);
  let number = 0;
  while (isTaken(`${PREFIX[kind]}${number}`)) number++;
  return withDevices(scenario, index, [...devices, { name: `${PREFIX[kind]}${number}`, kind }]);
}

/** The scenario without a device of a storage server, which keeps one at least. */
export function withoutDevice(scenario: Scenario, index: number, device: number): Scenario {
  const server = serversOf(scenario)[index];
  const devices = server ? devicesOf(server) : [];
  if (devices.length < 2) return scenario;
  return withDevices(
    scenario,
    index,
    devices.filter((_, at) => at !== device),
  );
}

/** The scenario with another name or kind of a device. */
export function withDevicePart(
  scenario: Scenario,
  index: number,
  device: number,
  part: Partial<Device>,
): Scenario {
  const server = serversOf(scenario)[index];
  if (!server) return scenario;
  const devices = devicesOf(server).map((own, at) => (at === device ? { ...own, ...part } : own));
  return withDevices(scenario, index, devices);
}

/** The workloads that go to a host, by number. Those with random targets are not known before the run. */
export const workloadsAt = ({ workloads }: Scenario, host: string): number[] =>
  workloads.flatMap(({ endpoints }, number) => {
    if (endpoints.kind === "pairs") return endpoints.targets.includes(host) ? [number] : [];
    return endpoints.kind === "incast" && endpoints.target === host ? [number] : [];
  });
