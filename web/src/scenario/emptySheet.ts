import { withServers } from "./reshape.ts";
import { hostNames, roles } from "./topology.ts";
import type { Scenario, Shape } from "./types.ts";

/** Room between nodes that stand in a row. */
const PITCH = 110;

/** The scenario on a sheet with nothing but the hosts that its workloads name, around one switch. */
export function emptySheet(scenario: Scenario): Scenario {
  const named = scenario.workloads.flatMap(({ endpoints }) =>
    endpoints.kind === "pairs"
      ? [...endpoints.initiators, ...endpoints.targets]
      : endpoints.kind === "incast"
        ? [endpoints.target]
        : [],
  );
  const names = hostNames(scenario.topology.shape);
  const own = roles(scenario);
  const used = [...new Set(named)];
  const least = scenario.workloads.reduce(
    (most, { endpoints }) => Math.max(most, endpoints.kind === "incast" ? endpoints.initiators + 1 : 2),
    2,
  );
  const hosts = [
    ...used,
    ...names.filter((name) => !used.includes(name)).slice(0, Math.max(0, least - used.length)),
  ];
  const isServer = (name: string) => own[names.indexOf(name)] === "storage";
  const row = (wanted: boolean) => hosts.filter((name) => isServer(name) === wanted);
  const place = (name: string) => {
    const members = row(isServer(name));
    const x = (members.indexOf(name) - (members.length - 1) / 2) * PITCH;
    return { x: Math.round(x), y: isServer(name) ? 160 : -160 };
  };
  const hub = "sw0";
  const shape = {
    kind: "custom",
    nodes: [
      ...hosts.map((name) => ({ name, role: "host", position: place(name) })),
      { name: hub, role: "switch", position: { x: 0, y: 0 } },
    ],
    links: hosts.map((name) => ({ from: name, to: hub })),
  } as unknown as Shape;
  const { failedLinks: _, ...topology } = scenario.topology;
  const servers = scenario.storage?.servers?.filter(({ host }) => hosts.includes(host)) ?? [];
  const listed = servers.length > 0 ? servers : row(true).map((host) => ({ host }));
  return { ...withServers(scenario, listed), topology: { ...topology, shape } } as Scenario;
}
