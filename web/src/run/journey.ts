import type { Journey, Leg, PacketTrail } from "../generated/answers.d.ts";

export type { Journey, PacketTrail } from "../generated/answers.d.ts";

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
