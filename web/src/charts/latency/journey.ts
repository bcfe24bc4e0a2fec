import { endUs, type Journey } from "../../run/journey.ts";
import type { Bar, Lane } from "../../run/journeyLanes.ts";
import { type Axis, timeAxis } from "../drawing/axis.ts";
import { fixed, formatDuration } from "../drawing/format.ts";
import { type Box, boxOf, crisp, drawAxis, horizontal, vertical } from "../drawing/frame.ts";
import { ellipsis } from "../drawing/plot.ts";
import type { Surface } from "../drawing/surface.ts";
import { classStyle, type Theme } from "../drawing/theme.ts";
import type { Stretch } from "../time/timeRange.ts";

/** What is drawn of a request: the places that it came to over time, which counts from when it was issued. */
export interface JourneyPicture {
  readonly journey: Journey;
  readonly lanes: readonly Lane[];
  readonly kindIndex: number;
  /** Shown stretch, in microseconds since the request was issued. */
  readonly range: Stretch;
  /** Room for the names of the places. */
  readonly left: number;
}

const RIGHT = 16;
const TOP = 6;
const AXIS = 26;
const LANE = { least: 15, most: 24 };
/** Narrowest bar, so that none is lost between two pixels. */
const MIN_BAR = 1;

/** Height that so many lanes want, and the least that shows them. */
export const journeyHeights = (lanes: number): { readonly least: number; readonly most: number } => ({
  least: TOP + AXIS + lanes * LANE.least,
  most: TOP + AXIS + lanes * LANE.most,
});

interface Lanes extends Box {
  readonly lane: number;
  /** Over the time since the request was issued. */
  readonly time: Axis;
  readonly x: (us: number) => number;
}

function lanesOf({ lanes, range, left, journey }: JourneyPicture, width: number, height: number): Lanes {
  const box = boxOf(width, height, { left, right: RIGHT, top: TOP, bottom: AXIS });
  const lane = Math.min(LANE.most, (box.bottom - box.top) / Math.max(1, lanes.length));
  const time = timeAxis(range, [box.left, box.right]);
  const { issuedUs } = journey.moments;
  return { ...box, bottom: TOP + lane * lanes.length, lane, time, x: (us) => time.scale(us - issuedUs) };
}

/** The places from top to bottom, what happened at each over time. */
export function drawJourney(
  surface: Surface,
  theme: Theme,
  width: number,
  height: number,
  picture: JourneyPicture,
): void {
  const { lanes, range, journey } = picture;
  const frame = lanesOf(picture, width, height);
  const { left, right, bottom, lane } = frame;
  for (const { value } of frame.time.ticks) {
    vertical(surface, frame.time.scale(value), TOP, bottom);
    surface.stroke({ colour: theme.line, width: 1 });
  }
  lanes.forEach(({ title, part }, place) => {
    const middle = TOP + lane * (place + 0.5);
    if (place > 0 && lanes[place - 1]?.part !== part) {
      horizontal(surface, 0, right, TOP + lane * place);
      surface.stroke({ colour: theme.line2, width: 1 });
    }
    const name = { text: ellipsis(title, theme, left - 18), full: title, colour: theme.t2 };
    surface.text(name, left - 10, middle + 4, { align: "end", size: 11 });
  });
  drawAxis(surface, theme, frame, frame.time);
  const { mark } = classStyle(theme, picture.kindIndex);
  surface.clipped(left, 0, right - left, height, () => {
    lanes.forEach(({ bars }, place) => {
      const top = TOP + lane * place;
      for (const kind of ["wait", "wire", "work"] as const) {
        const look = {
          wait: { colour: theme.t3, opacity: 0.35, share: 0.3 },
          wire: { colour: mark, opacity: 0.4, share: 0.3 },
          work: { colour: mark, opacity: 1, share: 0.7 },
        }[kind];
        surface.begin();
        let any = false;
        for (const bar of bars) {
          if (bar.kind !== kind) continue;
          const [a, b] = [frame.x(bar.fromUs), frame.x(bar.toUs)];
          if (b < left || a > right) continue;
          const high = lane * look.share;
          surface.rect(a, top + (lane - high) / 2, Math.max(MIN_BAR, b - a), high);
          any = true;
        }
        if (any) surface.fill(look.colour, look.opacity);
      }
    });
  });
  drawLosses(surface, theme, picture, frame);
  const total = endUs(journey) - journey.moments.issuedUs;
  if (range[1] < total) surface.text({ text: "…", colour: theme.t3 }, right + 2, bottom + 16);
}

/** A cross where a packet was lost. */
function drawLosses(surface: Surface, theme: Theme, { journey, lanes }: JourneyPicture, frame: Lanes): void {
  journey.packets.forEach(({ lost, hops }, packet) => {
    const last = hops.at(-1);
    if (!lost || !last || last.arrivesUs === null) return;
    const place = lanes.findIndex(({ id }) => id === `link${last.link}`);
    const [x, y] = [frame.x(last.arrivesUs), TOP + frame.lane * (place + 0.5)];
    if (place < 0 || x < frame.left || x > frame.right || packet < 0) return;
    surface.begin();
    surface.moveTo(x - 4, y - 4);
    surface.lineTo(x + 4, y + 4);
    surface.moveTo(x + 4, y - 4);
    surface.lineTo(x - 4, y + 4);
    surface.stroke({ colour: theme.danger, width: 2 });
  });
}

/** The instant that is looked at. */
export function drawPlayhead(
  surface: Surface,
  theme: Theme,
  width: number,
  height: number,
  picture: JourneyPicture,
  us: number,
): void {
  const { left, right, bottom, x } = lanesOf(picture, width, height);
  const at = crisp(x(us));
  if (at < left - 1 || at > right + 1) return;
  surface.begin();
  surface.moveTo(at, TOP - 4);
  surface.lineTo(at, bottom + 4);
  surface.stroke({ colour: theme.ink, width: 1.5 });
}

/** The instant under a place of the picture. */
export function instantAt(picture: JourneyPicture, width: number, height: number, x: number): number {
  const { left, right, time } = lanesOf(picture, width, height);
  return picture.journey.moments.issuedUs + time.scale.invert(Math.min(right, Math.max(left, x)));
}

/** What lies under a place of the picture; of several the one that works. */
export function barAt(
  picture: JourneyPicture,
  [width, height]: readonly [number, number],
  [x, y]: readonly [number, number],
): { readonly lane: Lane; readonly bar: Bar } | null {
  const frame = lanesOf(picture, width, height);
  const lane = picture.lanes[Math.floor((y - TOP) / frame.lane)];
  if (!lane || x < frame.left || x > frame.right) return null;
  const reach = 2;
  const under = lane.bars.filter(
    ({ fromUs, toUs }) => frame.x(fromUs) - reach <= x && frame.x(toUs) + reach >= x,
  );
  const bar = ["work", "wire", "wait"].map((kind) => under.find((item) => item.kind === kind)).find(Boolean);
  return bar ? { lane, bar } : null;
}

/** What the bar of a packet, a page, or the request says under the pointer. */
export function barLines(
  { journey }: JourneyPicture,
  { lane, bar }: { lane: Lane; bar: Bar },
): readonly string[] {
  const since = (us: number) => formatDuration(us - journey.moments.issuedUs);
  const verb = {
    wait: "waits",
    work: lane.id.startsWith("link") ? "is sent" : "takes",
    wire: lane.id.startsWith("link") ? "is on the wire" : "takes",
  }[bar.kind];
  const times = `${verb} ${formatDuration(bar.toUs - bar.fromUs)}, from ${since(bar.fromUs)} to ${since(bar.toUs)}`;
  const packet = lane.id.startsWith("link") ? journey.packets[bar.of] : undefined;
  if (!packet) return [bar.title, times];
  const hop = packet.hops.find(({ link }) => `link${link}` === lane.id);
  const found = hop?.found ?? 0;
  const notes = [
    `${fixed(packet.bytes, 0)} bytes`,
    found === 0
      ? "found the port empty"
      : `found ${found === 1 ? "1 packet" : `${fixed(found, 0)} packets`} there`,
    ...(packet.marked ? ["marked (ECN)"] : []),
    ...(packet.lost ? ["lost"] : []),
  ];
  return [bar.title, times, notes.join(", ")];
}
