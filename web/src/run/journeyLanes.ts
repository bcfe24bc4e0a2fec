import { endUs, type Journey, packetTitle } from "./journey.ts";
import type { RunLayout } from "./types.ts";

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
