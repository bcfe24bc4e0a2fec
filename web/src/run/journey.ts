import type { RunLayout } from "./types.ts";

/**
 * A request that was followed, as the engine tells of it: from its application through ports, wires, target and flash, and
 * back. Times are microseconds since the start of the run.
 */
export interface Journey {
  readonly class: number;
  readonly reads: boolean;
  readonly bytes: number;
  /** Hosts of the application and of the data, by node. */
  readonly from: number;
  readonly to: number;
  /** Requests that were looked at, and those of them that were faster. */
  readonly of: number;
  readonly slowerThan: number;
  readonly moments: Moments;
  /** Time in every stage of `layout.stages`; null unless it is done. */
  readonly stagesUs: readonly number[] | null;
  readonly packets: readonly PacketTrail[];
  readonly packetsLeftOut: number;
  readonly pages: readonly PageTrail[];
}

/** Instants in the life of a request; null where it has not come to one, or has none. */
export interface Moments {
  readonly issuedUs: number;
  readonly sentUs: number | null;
  readonly arrivedUs: number | null;
  readonly submittedUs: number | null;
  readonly fetchedUs: number | null;
  readonly startedUs: number | null;
  readonly servedUs: number | null;
  readonly returnedUs: number | null;
  readonly doneUs: number | null;
  readonly answeredUs: number | null;
}

/** What a packet carried of the request. */
export type Leg = "command" | "data" | "ready" | "answer" | "acknowledgement";

export interface PacketTrail {
  readonly leg: Leg;
  readonly bytes: number;
  readonly again: boolean;
  readonly marked: boolean;
  /** Dropped, or lost with a cable, behind its last hop. */
  readonly lost: boolean;
  readonly heldUs: number;
  readonly hops: readonly Hop[];
}

/** A packet in a port and on the wire behind it. */
export interface Hop {
  readonly link: number;
  readonly joinedUs: number;
  /** Packets that it found in the port. */
  readonly found: number;
  readonly beginsUs: number | null;
  readonly departsUs: number | null;
  readonly arrivesUs: number | null;
}

/** Work of flash on a page. */
export interface PageTrail {
  readonly device: number;
  readonly unit: number | null;
  readonly writes: boolean;
  readonly waitsUs: number;
  readonly commandUs: number | null;
  readonly arrayUs: readonly [number, number] | null;
  readonly transferUs: readonly [number, number] | null;
}

/** What a bar of a lane stands for: time that is waited, worked, and on the way. */
export type BarKind = "wait" | "work" | "wire";

export interface Bar {
  readonly kind: BarKind;
  readonly fromUs: number;
  readonly toUs: number;
  /** The packet or page that it is of, by number; negative where it is of the request itself. */
  readonly of: number;
  /** What it is, in a few words. */
  readonly title: string;
}

/** One place that the request comes to. */
export interface Lane {
  readonly id: string;
  readonly title: string;
  /** The way out, the storage, the way back. */
  readonly part: "host" | "out" | "target" | "back";
  readonly bars: readonly Bar[];
}

/** Flash units that have a lane of their own. */
const MAX_UNITS = 12;

const LEGS: Readonly<Record<Leg, string>> = {
  command: "command",
  data: "data",
  ready: "ready for data",
  answer: "answer",
  acknowledgement: "acknowledgement",
};

/** "data, packet 3" */
export const packetTitle = (packet: PacketTrail, number: number): string =>
  `${LEGS[packet.leg]}, packet ${number + 1}${packet.again ? ", sent again" : ""}`;

/** When all is over that is known of a request. */
export function endUs({ moments, packets, pages }: Journey): number {
  const { issuedUs, doneUs, answeredUs } = moments;
  if (doneUs !== null) return Math.max(doneUs, answeredUs ?? doneUs);
  const last = packets.map(({ hops }) => hops.at(-1)?.arrivesUs ?? hops.at(-1)?.joinedUs ?? issuedUs);
  const worked = pages.map(({ waitsUs, arrayUs, transferUs }) => transferUs?.[1] ?? arrayUs?.[1] ?? waitsUs);
  return Math.max(issuedUs, ...last, ...worked);
}

/** The places that a request came to, in the order in which it came. */
export function lanesOf(journey: Journey, layout: RunLayout): readonly Lane[] {
  const { moments } = journey;
  const lanes: Lane[] = [];
  const stretch = (
    id: string,
    title: string,
    part: Lane["part"],
    from: number | null,
    to: number | null,
    kind: BarKind,
    what: string,
  ) => {
    if (from === null || to === null || to <= from) return;
    lanes.push({ id, title, part, bars: [{ kind, fromUs: from, toUs: to, of: -1, title: what }] });
  };
  const from = layout.graph.nodes[journey.from]?.name ?? "";
  const to = layout.graph.nodes[journey.to]?.name ?? "";
  const local = journey.from === journey.to;
  stretch(
    "hostQueue",
    `${from}, host queue`,
    "host",
    moments.issuedUs,
    moments.sentUs ?? endUs(journey),
    "wait",
    "waits at its host",
  );
  const ways = linkLanes(journey, layout);
  lanes.push(...ways.filter(({ part }) => part === "out"));
  stretch(
    "target",
    `${to}, software`,
    "target",
    moments.arrivedUs,
    moments.submittedUs,
    "work",
    local ? "software of the host" : "software of the target",
  );
  stretch(
    "submissionQueue",
    "Submission queue",
    "target",
    moments.submittedUs,
    moments.fetchedUs,
    "wait",
    "waits to be fetched by the device",
  );
  const units = unitLanes(journey, layout);
  if (units.length > 0) lanes.push(...units);
  else {
    stretch("device", "Device", "target", moments.fetchedUs, moments.servedUs, "work", "in the device");
  }
  if (!local) {
    stretch(
      "response",
      `${to}, software`,
      "target",
      moments.servedUs,
      moments.returnedUs,
      "work",
      "software of the target, and its port",
    );
  }
  lanes.push(...ways.filter(({ part }) => part === "back"));
  const lastUs = Math.max(...ways.flatMap(({ bars }) => bars.map(({ toUs }) => toUs)), moments.servedUs ?? 0);
  if (journey.pages.length > 0 || moments.servedUs !== null)
    stretch("complete", `${from}, software`, "host", lastUs, moments.doneUs, "work", "software of the host");
  return lanes;
}

/** A lane for every link, in the order in which packets come to them. */
function linkLanes({ packets, to }: Journey, { graph }: RunLayout): readonly Lane[] {
  const bars = new Map<number, Bar[]>();
  const back = new Set<number>();
  const order = new Map<number, number>();
  packets.forEach((packet, of) => {
    const isBack = graph.links[packet.hops[0]?.link ?? -1]?.from === to;
    packet.hops.forEach((hop, place) => {
      const list = bars.get(hop.link) ?? [];
      bars.set(hop.link, list);
      if (isBack) back.add(hop.link);
      order.set(hop.link, Math.max(order.get(hop.link) ?? 0, place));
      const title = packetTitle(packet, of);
      const { joinedUs, beginsUs, departsUs, arrivesUs } = hop;
      if (beginsUs !== null && beginsUs > joinedUs)
        list.push({ kind: "wait", fromUs: joinedUs, toUs: beginsUs, of, title });
      if (beginsUs !== null && departsUs !== null)
        list.push({ kind: "work", fromUs: beginsUs, toUs: departsUs, of, title });
      if (departsUs !== null && arrivesUs !== null)
        list.push({ kind: "wire", fromUs: departsUs, toUs: arrivesUs, of, title });
    });
  });
  const name = (node: number | undefined) => graph.nodes[node ?? -1]?.name ?? "";
  return [...bars]
    .toSorted(([a], [b]) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
    .map(([link, list]) => ({
      id: `link${link}`,
      title: `${name(graph.links[link]?.from)} to ${name(graph.links[link]?.to)}`,
      part: back.has(link) ? "back" : "out",
      bars: list,
    }));
}

/** A lane for every flash unit, by its first page; those that no longer fit share the last. */
function unitLanes({ pages }: Journey, { devices }: RunLayout): readonly Lane[] {
  const bars = new Map<string, Bar[]>();
  const several = new Set(pages.map(({ device }) => device)).size > 1;
  pages.forEach((page, of) => {
    const device = several ? `${devices[page.device]?.name ?? ""}, ` : "";
    const place = page.unit === null ? "mapping table" : `flash unit ${page.unit}`;
    const own = device ? device + place : place.charAt(0).toUpperCase() + place.slice(1);
    const id = bars.has(own) || bars.size < MAX_UNITS - 1 ? own : "Other flash units";
    const list = bars.get(id) ?? [];
    bars.set(id, list);
    const what = page.writes ? "programs" : "reads";
    const { waitsUs, commandUs, arrayUs, transferUs } = page;
    const add = (kind: BarKind, fromUs: number, toUs: number, title: string) => {
      if (toUs > fromUs) list.push({ kind, fromUs, toUs, of, title });
    };
    const number = `page ${of + 1}`;
    if (commandUs !== null) add("wait", waitsUs, commandUs, `${number} waits`);
    if (arrayUs) {
      add("wire", commandUs ?? waitsUs, arrayUs[0], `${number}: its command passes the channel`);
      add("work", ...arrayUs, `${number}: the array ${what}`);
    }
    if (arrayUs && transferUs) add("wait", arrayUs[1], transferUs[0], `${number} waits for the channel`);
    if (transferUs) add("wire", ...transferUs, `${number} passes the channel`);
  });
  return [...bars].map(([title, list]) => ({ id: title, title, part: "target", bars: list }));
}

/** Where a packet of the request is: on a link, waiting at its near end or so far along it. */
export interface Spot {
  readonly link: number;
  /** 0 in the port, up to 1 at the far end. */
  readonly along: number;
  readonly packet: number;
}

/** Where the packets of a request are at an instant. */
export function spotsAt({ packets }: Journey, us: number): readonly Spot[] {
  return packets.flatMap(({ hops }, packet) => {
    const hop = hops.findLast(({ joinedUs }) => joinedUs <= us);
    if (!hop) return [];
    const { link, beginsUs, arrivesUs } = hop;
    if (beginsUs === null || us < beginsUs) return [{ link, along: 0, packet }];
    if (arrivesUs === null || us >= arrivesUs) return [];
    return [{ link, along: (us - beginsUs) / (arrivesUs - beginsUs), packet }];
  });
}

/** What goes on in the device at an instant; null while the request is not there. */
export function workAt(journey: Journey, us: number): string | null {
  const { submittedUs, fetchedUs, servedUs } = journey.moments;
  if (submittedUs === null || us < submittedUs || (servedUs !== null && us >= servedUs)) return null;
  if (fetchedUs === null || us < fetchedUs) return "in the submission queue";
  const working = journey.pages.filter(({ arrayUs }) => arrayUs && us >= arrayUs[0] && us < arrayUs[1]);
  if (working.length > 0) {
    const units = new Set(working.map(({ unit }) => unit)).size;
    const verb = working[0]?.writes ? "programmed" : "read";
    return units === 1 ? `${verb} in flash unit ${working[0]?.unit}` : `${verb} in ${units} flash units`;
  }
  const passing = journey.pages.some(
    ({ commandUs, arrayUs, transferUs }) =>
      (transferUs && us >= transferUs[0] && us < transferUs[1]) ||
      (commandUs !== null && arrayUs && us >= commandUs && us < arrayUs[0]),
  );
  if (passing) return "on the channel";
  return journey.pages.some(({ waitsUs, commandUs }) => us >= waitsUs && us < (commandUs ?? Infinity))
    ? "waiting for flash"
    : "in the device";
}
