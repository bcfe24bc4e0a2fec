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
