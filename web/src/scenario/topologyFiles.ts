import { type Cable, type Drawn, type DrawnNode, FAILED } from "./drawing.ts";
import { apart, isLocal, type Server, withServers } from "./reshape.ts";
import { hostNames, roles } from "./topology.ts";
import type { Scenario } from "./types.ts";
import { withTimeline } from "./workloads.ts";

/** What a file of a network came to: the network and what is worth knowing, or where and why it cannot be read. */
export type ReadTopology =
  | { readonly ok: true; readonly shape: Drawn; readonly notes: readonly string[] }
  | { readonly ok: false; readonly line: number; readonly sentence: string };

/** Rate and delay of links that state none. */
export interface LinkDefaults {
  readonly linkGbps: number;
  readonly linkDelayUs: number;
}

/** As the engine has them: characters of a file, letters of a name, nodes and links. */
const LONGEST_FILE = 5_000_000;
const LONGEST_NAME = 40;
const MOST_NODES = 8192;
/** Both directions of a link have numbers of 16 bits. */
const MOST_LINKS = 32_767;
const GBPS = [0.001, 1600] as const;
const DELAY_US = [0, 100_000] as const;

/** A fault with its line, counted from 1. */
class Fault extends Error {
  constructor(
    readonly line: number,
    readonly sentence: string,
  ) {
    super(sentence);
  }
}

interface Line {
  readonly number: number;
  readonly words: readonly string[];
  /** The first word stands in quotes, and so is a name whatever it says. */
  readonly isNamed: boolean;
}

/** Where a node stands on the sheet. */
type Position = NonNullable<DrawnNode["position"]>;

interface Draft {
  readonly roles: Map<string, "host" | "switch">;
  readonly positions: Map<string, Position>;
  readonly links: {
    readonly from: string;
    readonly to: string;
    gbps?: number;
    delayUs?: number;
    line: number;
  }[];
}

/**
 * Reads a network from a plain edge list, one link a line (`from to [Gb/s] [us]`), or from the topology file of the simulator
 * of HPCC (SIGCOMM 2019): counts, the numbers of the switches, then `from to rate delay error-rate`. An edge list may say what a
 * node is and where it stands on the sheet (`host NAME`, `switch NAME at X Y`). A name with a blank, a comma, a semicolon or a `#`
 * stands in quotes, as in JSON.
 */
export function readTopology(text: string): ReadTopology {
  try {
    if (text.length > LONGEST_FILE)
      throw new Fault(1, "The file is longer than 5 MB: its network is too large to simulate.");
    const lines = linesOf(text);
    const first = lines[0];
    if (!first)
      throw new Fault(1, "The file has no links. Write one per line: from, to, rate in Gb/s, delay in µs.");
    const draft = isHpcc(lines) ? readHpcc(lines) : readEdgeList(lines);
    return { ok: true, ...finished(draft) };
  } catch (error) {
    if (error instanceof Fault) return { ok: false, line: error.line, sentence: error.sentence };
    throw error;
  }
}

/** Lines and letters of a line that no network needs more of. */
const MOST_LINES = 100_000;
const LONGEST_LINE = 200_000;

/** Words of every line that has any; comments begin with `#`. */
function linesOf(text: string): readonly Line[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.length > MOST_LINES)
    throw new Fault(
      MOST_LINES,
      `The file has more than ${MOST_LINES} lines: its network is too large to simulate.`,
    );
  const long = lines.findIndex((line) => line.length > LONGEST_LINE);
  if (long >= 0)
    throw new Fault(long + 1, `The line has more than ${LONGEST_LINE} letters: the file is no network.`);
  return lines.flatMap((line, at) => {
    const tokens = tokensOf(line, at + 1);
    const words = tokens.map((token) => (token.startsWith(QUOTE) ? unquoted(token, at + 1) : token));
    const isNamed = tokens[0]?.startsWith(QUOTE) ?? false;
    return words.length > 0 ? [{ number: at + 1, words, isNamed }] : [];
  });
}

const QUOTE = '"';

/** Words as they stand in a line, names in quotes with these. */
function tokensOf(line: string, number: number): readonly string[] {
  // Most lines have no quotes: they need no more than this.
  if (!line.includes(QUOTE))
    return line
      .replace(/#.*/, "")
      .split(/[\s,;]+/)
      .filter(Boolean);
  const tokens: string[] = [];
  for (const [token] of line.matchAll(/"(?:[^"\\]|\\.)*"?|#.*|[^\s,;#"]+/g)) {
    if (token.startsWith("#")) break;
    if (token.startsWith(QUOTE) && (token.length < 2 || !token.endsWith(QUOTE)))
      throw new Fault(number, `The quotes of ${short(token)} are not closed.`);
    tokens.push(token);
  }
  return tokens;
}

function unquoted(token: string, line: number): string {
  try {
    return String(JSON.parse(token));
  } catch {
    throw new Fault(line, `${short(token)} is no name as JSON has it: write \\ as \\\\.`);
  }
}

const isWhole = (word: string | undefined): boolean => word !== undefined && /^\d{1,9}$/.test(word);

/** Three counts, then numbers, then links that state units: no edge list begins so. */
const isHpcc = ([first, second]: readonly Line[]): boolean =>
  first?.words.length === 3 && first.words.every(isWhole) && (second?.words.every(isWhole) ?? false);

function readHpcc(lines: readonly Line[]): Draft {
  const [head, ...rest] = lines as readonly [Line, ...Line[]];
  const [nodes = 0, switches = 0, links = 0] = head.words.map(Number);
  if (nodes > MOST_NODES)
    throw new Fault(head.number, `It has ${nodes} nodes; at most ${MOST_NODES} can be simulated.`);
  if (switches > nodes) throw new Fault(head.number, `It has ${switches} switches among ${nodes} nodes.`);
  const numbers: number[] = [];
  let at = 0;
  for (; numbers.length < switches && at < rest.length; at++) {
    const line = rest[at] as Line;
    for (const word of line.words) {
      if (!isWhole(word) || Number(word) >= nodes)
        throw new Fault(
          line.number,
          `"${short(word)}" is no number of a node: they go from 0 to ${nodes - 1}.`,
        );
      numbers.push(Number(word));
    }
  }
  const isSwitch = new Set(numbers);
  if (isSwitch.size < switches)
    throw new Fault(head.number, `It says ${switches} switches, and the next lines name ${isSwitch.size}.`);
  const name = (number: number) => (isSwitch.has(number) ? `s${number}` : `h${number}`);
  const draft: Draft = { roles: new Map(), positions: new Map(), links: [] };
  for (let number = 0; number < nodes; number++)
    draft.roles.set(name(number), isSwitch.has(number) ? "switch" : "host");
  for (const line of rest.slice(at, at + links)) {
    const [from, to, rate, delay] = line.words;
    for (const end of [from, to]) {
      if (!isWhole(end) || Number(end) >= nodes)
        throw new Fault(
          line.number,
          `"${short(end ?? "")}" is no number of a node: they go from 0 to ${nodes - 1}.`,
        );
    }
    draft.links.push({
      from: name(Number(from)),
      to: name(Number(to)),
      gbps: rateOf(rate, line.number),
      delayUs: delayOf(delay, line.number),
      line: line.number,
    });
  }
  if (draft.links.length < links)
    throw new Fault(
      lines.at(-1)?.number ?? 1,
      `It says ${links} links and has ${draft.links.length}. Its end may be missing.`,
    );
  return draft;
}

function readEdgeList(lines: readonly Line[]): Draft {
  const draft: Draft = { roles: new Map(), positions: new Map(), links: [] };
  for (const { number, words, isNamed } of lines) {
    const [first = "", second, rate, delay, ...more] = words;
    const isNode = !isNamed && (first === "host" || first === "switch") && second !== undefined;
    if (isNode && (words.length === 2 || (rate === "at" && more.length === 1))) {
      const name = named(second, number);
      draft.roles.set(name, first);
      if (rate === "at") draft.positions.set(name, placeOf(delay, more[0], number));
      continue;
    }
    if (!isNamed && number === lines[0]?.number && /^(from|source|src)$/i.test(first)) continue;
    if (second === undefined)
      throw new Fault(
        number,
        `"${short(first)}" has no other end. Write: from, to, rate in Gb/s, delay in µs.`,
      );
    if (more.length > 0)
      throw new Fault(number, "It has more than four words. Write: from, to, rate in Gb/s, delay in µs.");
    draft.links.push({
      from: named(first, number),
      to: named(second, number),
      ...(rate !== undefined && { gbps: rateOf(rate, number) }),
      ...(delay !== undefined && { delayUs: delayOf(delay, number) }),
      line: number,
    });
  }
  return draft;
}

/** Farther from the middle of the sheet nothing stands. */
const FARTHEST = 1e6;

function placeOf(x: string | undefined, y: string | undefined, line: number): Position {
  const isPlace = [x, y].every((word) => Math.abs(Number(word || Number.NaN)) <= FARTHEST);
  if (!isPlace)
    throw new Fault(line, `"${short(`${x} ${y}`)}" is no place: write two numbers, right and down.`);
  return { x: Number(x), y: Number(y) };
}

const short = (word: string): string => (word.length > 24 ? `${word.slice(0, 24)}…` : word);

function named(word: string, line: number): string {
  if (word === "") throw new Fault(line, "A name has at least one letter.");
  if (word.length > LONGEST_NAME)
    throw new Fault(line, `A name has at most ${LONGEST_NAME} letters: "${short(word)}" is longer.`);
  return word;
}

const RATES: Readonly<Record<string, number>> = {
  "": 1,
  gbps: 1,
  gb: 1,
  g: 1,
  mbps: 1e-3,
  mb: 1e-3,
  m: 1e-3,
  kbps: 1e-6,
  bps: 1e-9,
};
const DELAYS: Readonly<Record<string, number>> = { "": 1, us: 1, µs: 1, ns: 1e-3, ms: 1e3, s: 1e6, ps: 1e-6 };

const rateOf = (word: string | undefined, line: number): number =>
  amount(word, line, RATES, GBPS, "a rate, such as 100 or 100Gbps", "Gb/s");
const delayOf = (word: string | undefined, line: number): number =>
  amount(word, line, DELAYS, DELAY_US, "a delay, such as 1 or 1us", "us");

function amount(
  word: string | undefined,
  line: number,
  units: Readonly<Record<string, number>>,
  [least, most]: readonly [number, number],
  what: string,
  unit: string,
): number {
  const [, digits, letters = ""] = /^([\d.eE+-]{1,24})([a-zA-Zµ/]*)$/.exec(word ?? "") ?? [];
  const factor = units[letters.toLowerCase().replace("b/s", "bps")];
  const value = Number(digits) * (factor ?? Number.NaN);
  if (!Number.isFinite(value)) throw new Fault(line, `"${short(word ?? "")}" is not ${what}.`);
  if (value < least || value > most)
    throw new Fault(
      line,
      `"${short(word ?? "")}" is out of range: ${least} to ${most} ${unit} can be simulated.`,
    );
  return Number(value.toPrecision(12));
}

/** The first host that no path joins with the first of all; undefined where there is none. */
function unreached(
  hosts: readonly string[],
  links: readonly { from: string; to: string }[],
): string | undefined {
  const near = new Map<string, string[]>();
  const meet = (a: string, b: string) =>
    near
      .set(a, near.get(a) ?? [])
      .get(a)
      ?.push(b);
  for (const { from, to } of links) {
    meet(from, to);
    meet(to, from);
  }
  const open = hosts.slice(0, 1);
  const reached = new Set(open);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const next of near.get(name) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return hosts.find((host) => !reached.has(host));
}

/** The network of a draft, once it is one that the engine takes. */
function finished({ roles, positions, links }: Draft): {
  readonly shape: Drawn;
  readonly notes: readonly string[];
} {
  if (links.length === 0)
    throw new Fault(1, "The file has no links. Write one per line: from, to, rate in Gb/s, delay in µs.");
  if (links.length > MOST_LINKS)
    throw new Fault(
      links[MOST_LINKS]?.line ?? 1,
      `It has ${links.length} links; at most ${MOST_LINKS} can be simulated.`,
    );
  const degree = new Map<string, number>([...roles.keys()].map((name) => [name, 0]));
  const seen = new Set<string>();
  for (const { from, to, line } of links) {
    if (from === to) throw new Fault(line, `${short(from)} is linked to itself.`);
    const key = [from, to].sort().join("\n");
    if (seen.has(key))
      throw new Fault(line, `${short(from)} and ${short(to)} are linked already. List every link once.`);
    seen.add(key);
    for (const end of [from, to]) degree.set(end, (degree.get(end) ?? 0) + 1);
  }
  if (degree.size > MOST_NODES)
    throw new Fault(1, `It has ${degree.size} nodes; at most ${MOST_NODES} can be simulated.`);
  const roleOf = (name: string) => roles.get(name) ?? (degree.get(name) === 1 ? "host" : "switch");
  const lineOf = (name: string) => links.find(({ from, to }) => from === name || to === name)?.line ?? 1;
  const hosts: string[] = [];
  for (const [name, count] of degree) {
    if (roleOf(name) !== "host") continue;
    hosts.push(name);
    if (count !== 1)
      throw new Fault(
        lineOf(name),
        `Host ${short(name)} has ${count} links; a host has one here. Put a switch before it.`,
      );
  }
  const pair = links.find(({ from, to }) => roleOf(from) === "host" && roleOf(to) === "host");
  if (pair)
    throw new Fault(
      pair.line,
      `${short(pair.from)} and ${short(pair.to)} are both hosts. Put a switch between them.`,
    );
  if (hosts.length < 2)
    throw new Fault(
      1,
      `It has ${hosts.length === 1 ? "one host" : "no hosts"}. A host is a node with one link; two are needed.`,
    );
  const lost = unreached(hosts, links);
  if (lost !== undefined)
    throw new Fault(
      lineOf(lost),
      `No path joins ${short(lost)} with ${short(hosts[0] ?? "")}. Link the parts of the network.`,
    );
  // Hosts come first, as generators have them.
  const names = [...hosts, ...[...degree.keys()].filter((name) => roleOf(name) === "switch")];
  const shape = {
    kind: "custom",
    nodes: names.map((name) => {
      const position = positions.get(name);
      return { name, role: roleOf(name), ...(position && { position }) };
    }),
    links: links.map(({ line: _, ...link }) => link),
  } as unknown as Drawn;
  return {
    shape,
    notes: [`${hosts.length} hosts, ${names.length - hosts.length} switches, ${links.length} links.`],
  };
}

/** A network as an edge list that says all there is to say of it. */
export function writeEdgeList({ nodes, links }: Drawn, { linkGbps, linkDelayUs }: LinkDefaults): string {
  const degrees = new Map<string, number>();
  for (const end of links.flatMap(({ from, to }) => [from, to]))
    degrees.set(end, (degrees.get(end) ?? 0) + 1);
  const isStated = ({ name, role, position }: DrawnNode) =>
    position || (role === "host") !== (degrees.get(name) === 1);
  const place = ({ position }: DrawnNode) => (position ? ` at ${position.x} ${position.y}` : "");
  return [
    "# from to Gb/s us",
    ...nodes.filter(isStated).map((node) => `${node.role} ${written(node.name)}${place(node)}`),
    ...links.map(
      ({ from, to, gbps, delayUs }) =>
        `${written(from)} ${written(to)} ${gbps ?? linkGbps} ${delayUs ?? linkDelayUs}`,
    ),
    "",
  ].join("\n");
}

/** A name as an edge list has it: in quotes where it would be taken for something else. */
const written = (name: string): string =>
  /[\s,;#"]|^(host|switch|from|source|src)$/i.test(name) ? JSON.stringify(name) : name;

/** A network as the topology file of HPCC's simulator: nodes by number, in their order. */
export function writeHpcc({ nodes, links }: Drawn, { linkGbps, linkDelayUs }: LinkDefaults): string {
  const number = new Map(nodes.map(({ name }, at) => [name, at]));
  const switches = nodes.flatMap(({ role }, at) => (role === "switch" ? [at] : []));
  return [
    `${nodes.length} ${switches.length} ${links.length}`,
    switches.join(" "),
    ...links.map(
      ({ from, to, gbps, delayUs }) =>
        `${number.get(from)} ${number.get(to)} ${gbps ?? linkGbps}Gbps ${delayUs ?? linkDelayUs}us 0.000000`,
    ),
    "",
  ].join("\n");
}

/** The storage servers of the list; without one the targets among the hosts that the shape makes servers of. */
function servers(scenario: Scenario): readonly Server[] {
  const listed = scenario.storage?.servers ?? [];
  if (listed.length > 0) return listed;
  const targets = new Set(
    scenario.workloads.flatMap(({ endpoints }) =>
      endpoints.kind === "pairs" ? endpoints.targets : endpoints.kind === "incast" ? [endpoints.target] : [],
    ),
  );
  const own = roles(scenario);
  return hostNames(scenario.topology.shape).flatMap((host, number) =>
    own[number] === "storage" && targets.has(host) ? [{ host }] : [],
  );
}

/**
 * The scenario on a network from a file. Hosts that it names and the network lacks become hosts of it: initiators from the
 * front, targets and servers from the back.
 */
export function withNetwork(scenario: Scenario, shape: Drawn): Scenario {
  const hosts = shape.nodes.filter(({ role }) => role === "host").map(({ name }) => name);
  const known = new Set(hosts);
  const named = (names: readonly string[]) => [...new Set(names)].filter((name) => !known.has(name));
  const of = (read: (endpoints: Scenario["workloads"][number]["endpoints"]) => readonly string[]) =>
    named(scenario.workloads.flatMap(({ endpoints }) => read(endpoints)));
  const targets = of((endpoints) =>
    endpoints.kind === "pairs" ? endpoints.targets : endpoints.kind === "incast" ? [endpoints.target] : [],
  );
  const serving = servers(scenario);
  const back = [...new Set([...targets, ...named(serving.map(({ host }) => host))])];
  const front = of((endpoints) => (endpoints.kind === "pairs" ? endpoints.initiators : [])).filter(
    (name) => !back.includes(name),
  );
  // Initiators have the front half at the most, so that nobody becomes its own target.
  const half = Math.max(1, hosts.length - Math.min(back.length, Math.ceil(hosts.length / 2)));
  const places = new Map([
    ...back.map((name, at): [string, string] => [
      name,
      hosts[hosts.length - 1 - (at % (hosts.length - half))] ?? "",
    ]),
    ...front.map((name, at): [string, string] => [name, hosts[at % half] ?? ""]),
  ]);
  const to = (name: string) => places.get(name) ?? name;
  const workloads = scenario.workloads.map((workload) => {
    const { endpoints } = workload;
    if (endpoints.kind === "pairs") {
      if (isLocal(scenario, workload)) {
        const own = endpoints.initiators.map(to);
        return { ...workload, endpoints: { ...endpoints, initiators: own, targets: own } };
      }
      const [initiators, own] = apart(endpoints.initiators.map(to), endpoints.targets.map(to), hosts);
      return { ...workload, endpoints: { ...endpoints, initiators, targets: own } };
    }
    if (endpoints.kind !== "incast") return workload;
    const initiators = Math.min(endpoints.initiators, hosts.length - 1);
    return { ...workload, endpoints: { ...endpoints, target: to(endpoints.target), initiators } };
  });
  const listed = serving.map((server) => ({ ...server, host: to(server.host) }));
  const distinct = listed.filter(({ host }, at) => listed.findIndex((other) => other.host === host) === at);
  const { failedLinks = [], ...topology } = scenario.topology;
  const isThere = ({ from, to: end }: Cable) =>
    shape.links.some(
      (link) => (link.from === from && link.to === end) || (link.from === end && link.to === from),
    );
  const left = failedLinks.filter(isThere);
  const next = {
    ...withServers(scenario, distinct),
    topology: { ...topology, shape, ...(left.length > 0 && { failedLinks: left }) },
    workloads,
  } as Scenario;
  const timeline = (scenario.timeline ?? []).filter(({ path }) => path !== FAILED);
  return scenario.timeline ? withTimeline(next, timeline) : next;
}
