import type { QueueLevel } from "../../generated/answers.d.ts";
import { type DeviceReading, deviceName, deviceReading, LEVELS } from "../../run/devices.ts";
import type { RunView } from "../../run/types.ts";
import { fixed, formatCount, formatMilliseconds, formatPercent } from "../drawing/format.ts";
import { horizontal } from "../drawing/frame.ts";
import { drawMarker, ellipsis } from "../drawing/plot.ts";
import { type Surface, type TextRun, textWidth } from "../drawing/surface.ts";
import { type ClassStyle, classStyle, type Theme } from "../drawing/theme.ts";

/** What a controller does, as far as its picture tells. */
export interface Arbiter {
  readonly title: string;
  /** What stands under it: weights, burst. */
  readonly note: string;
  /** Most commands in the device; null where each queue has its own limit. */
  readonly limit: number | null;
}

/** What a picture of the present keeps from one drawing to the next. */
export interface QueuesMemory {
  /** Most commands that any level had waiting: the scale of the blocks does not shrink. */
  readonly maxWaiting: number;
  /** Share of the time that each channel, or bank of a memory, was busy lately. */
  readonly busy: Float32Array;
}

/** Time after which a reading counts for a third, in us: transfers take tens of them. */
const FADES_US = 200;

/** Keeps up what a picture needs to know of the past of a device; to be asked at every drawing. */
export function createQueuesMemory(): (run: RunView, device: number) => QueuesMemory {
  let [of, at, read, nowUs]: [RunView | null, number, Float32Array | null, number] = [null, -1, null, 0];
  let maxWaiting = 0;
  let busy = new Float32Array(0);
  return (run, device) => {
    const reading = deviceReading(run, device);
    const shares = reading && (isMemory(run, device) ? reading.unitBusy : reading.channelBusy);
    if (run !== of || device !== at || run.nowUs < nowUs || shares?.length !== busy.length) {
      [of, at, read, nowUs, maxWaiting] = [run, device, null, run.nowUs, 0];
      busy = shares ? shares.slice() : new Float32Array(0);
    }
    if (reading && run.devices !== read) {
      const fresh = 1 - Math.exp((nowUs - run.nowUs) / FADES_US);
      busy = busy.map((before, i) => before + fresh * ((shares?.[i] ?? 0) - before));
      maxWaiting = Math.max(maxWaiting, ...LEVELS.map((level) => reading.waiting[level]));
      [read, nowUs] = [run.devices, run.nowUs];
    }
    return { maxWaiting, busy };
  };
}

export const isMemory = (run: RunView, device: number): boolean =>
  run.layout.devices[device]?.kind === "persistent-memory";

export interface QueuesProps {
  readonly run: RunView;
  readonly device: number;
  readonly levels: readonly QueueLevel[];
  readonly arbiter: Arbiter;
}

/** Commands that a block stands for. */
const BLOCK_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];
const BLOCK = { width: 9, gap: 1.5, height: 20 };
/** Weights beyond so many are a number instead of squares. */
const SQUARES = 4;
/** Channels that are listed with their names; more are bars alone. */
const NAMED = 12;

/** Commands that one block must stand for so that so many blocks hold all that wait. */
export const blockSize = (waiting: number, blocks: number): number =>
  BLOCK_STEPS.find((step) => waiting <= step * blocks) ?? Math.ceil(waiting / Math.max(1, blocks));

/** The level that is served next: the first that waits and has commands left in the round, else the first that waits. */
export function nextLevel(reading: DeviceReading, levels: readonly QueueLevel[]): QueueLevel | null {
  const waiting = levels.filter(({ level }) => reading.waiting[level] > 0);
  const hasTurn = ({ level }: QueueLevel) => level === "urgent" || reading.credits[level] > 0;
  return waiting.find(hasTurn) ?? waiting[0] ?? null;
}

/** How a level looks: as its class where it has one, else in ink. */
const styleOf = (theme: Theme, run: RunView, { classes: [only, ...more] }: QueueLevel): ClassStyle | null =>
  only === undefined || more.length > 0 ? null : classStyle(theme, run.classes[only]?.kindIndex ?? only);

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Below this width the arbiter and the channels stand under the queues. */
const WIDE = 560;

/** Height that the picture needs, title excluded. */
export const queuesHeight = (width: number, levels: number): number =>
  width >= WIDE ? Math.max(184, 60 * levels + 12) : 54 * levels + 184;

/** From submission queues by way of arbitration to the channels: what waits, what may go, what is busy. */
export function drawQueues(
  surface: Surface,
  theme: Theme,
  width: number,
  height: number,
  { run, device, levels, arbiter }: QueuesProps,
  { maxWaiting, busy }: QueuesMemory,
): void {
  const reading = deviceReading(run, device);
  if (!reading) {
    const text = { text: "Empty until the first reading.", colour: theme.t3 };
    surface.text(text, width / 2, height / 2, { align: "middle" });
    return;
  }
  const wide = width >= WIDE;
  const queues: Area = wide
    ? { x: 16, y: 34, width: width * 0.43, height: height - 44 }
    : { x: 16, y: 34, width: width - 32, height: 54 * levels.length };
  const box: Area = wide
    ? { x: width * 0.545, y: 0, width: Math.min(112, width * 0.15), height: 0 }
    : { x: 16, y: queues.y + queues.height + 26, width: 128, height: 0 };
  const boxHeight = 30 * Math.max(2, levels.length) + 16;
  const arbiterArea: Area = {
    ...box,
    y: wide ? queues.y + (queues.height - boxHeight) / 2 + 4 : box.y,
    height: boxHeight,
  };
  const right = wide ? width * 0.745 : 168;
  const channels: Area = {
    x: right,
    y: wide ? arbiterArea.y - 14 : arbiterArea.y - 14,
    width: width - right - 16,
    height: wide ? height - arbiterArea.y : boxHeight + 50,
  };
  const ends = drawWaiting(surface, theme, run, reading, levels, queues, maxWaiting, wide);
  const inlets = drawArbiter(surface, theme, run, reading, levels, arbiter, arbiterArea);
  if (wide) {
    levels.forEach((level, i) => {
      const [from, to] = [ends[i], inlets[i]];
      if (!from || !to) return;
      const style = styleOf(theme, run, level);
      drawCurve(surface, from, to, style?.mark ?? theme.line2, reading.waiting[level.level] > 0 ? 3.5 : 1.5);
    });
    horizontal(surface, arbiterArea.x + arbiterArea.width, channels.x - 6, arbiterArea.y + boxHeight / 2);
    surface.stroke({ colour: theme.ink, width: 2 });
  }
  drawChannels(surface, theme, isMemory(run, device), busy, channels);
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Each level's commands as blocks, the next one nearest to the arbiter. Returns where the rows end. */
function drawWaiting(
  surface: Surface,
  theme: Theme,
  run: RunView,
  reading: DeviceReading,
  levels: readonly QueueLevel[],
  area: Area,
  maxWaiting: number,
  wide: boolean,
): Point[] {
  const pitch = area.height / Math.max(1, levels.length);
  const step = BLOCK.width + BLOCK.gap;
  const blocks = Math.max(1, Math.floor((area.width + BLOCK.gap) / step));
  const per = blockSize(maxWaiting, blocks);
  return levels.map((level, i) => {
    const waiting = reading.waiting[level.level];
    const style = styleOf(theme, run, level);
    const top = area.y + i * pitch + (pitch - (BLOCK.height + 18)) / 2;
    const count = `${fixed(waiting, 0)} waiting${per > 1 && i === 0 ? `; a block is ${per}` : ""}`;
    const end = area.x + blocks * step - BLOCK.gap;
    drawName(surface, theme, run, level, area.x, top + 10, end - textWidth(count, theme) - 12);
    surface.text({ text: count, colour: theme.t2 }, end, top + 10, { align: "end" });
    const filled = Math.ceil(waiting / per);
    const y = top + 17;
    surface.begin();
    for (let b = 0; b < blocks - filled; b++)
      surface.rect(area.x + b * step + 0.5, y + 0.5, BLOCK.width - 1, BLOCK.height - 1, 1.5);
    surface.stroke({ colour: theme.line, width: 1 });
    surface.begin();
    for (let b = Math.max(0, blocks - filled); b < blocks; b++)
      surface.rect(area.x + b * step, y, BLOCK.width, BLOCK.height, 1.5);
    surface.fill(style?.mark ?? theme.ink, style ? 1 : 0.7);
    return { x: end + (wide ? 4 : 0), y: y + BLOCK.height / 2 };
  });
}

/** Names of the classes of a level, each with its marker and colour. */
function drawName(
  surface: Surface,
  theme: Theme,
  run: RunView,
  { title, classes }: QueueLevel,
  x: number,
  y: number,
  end: number,
): void {
  if (classes.length === 0) {
    surface.text({ text: title, colour: theme.ink, bold: true }, x, y);
    return;
  }
  let at = x;
  for (const [order, index] of classes.entries()) {
    const item = run.classes[index];
    if (!item) continue;
    const style = classStyle(theme, item.kindIndex);
    const name = ellipsis(item.name, theme, 96, 11, true);
    const width = textWidth(name, theme, 11, true) + 14;
    if (at + width > end) {
      surface.text({ text: `+ ${classes.length - order}`, colour: theme.t3 }, at, y);
      return;
    }
    drawMarker(surface, theme, style, at + 4, y - 4, 3);
    const text: TextRun = { text: name, colour: style.label, bold: true, full: item.name };
    surface.text(text, at + 12, y);
    at += width + 8;
  }
}

/** What each level may still launch in the round. Returns where the rows begin. */
function drawArbiter(
  surface: Surface,
  theme: Theme,
  run: RunView,
  reading: DeviceReading,
  levels: readonly QueueLevel[],
  { title, note, limit }: Arbiter,
  area: Area,
): Point[] {
  const middle = area.x + area.width / 2;
  surface.text({ text: title, colour: theme.ink, bold: true }, middle, area.y - 10, { align: "middle" });
  surface.begin();
  surface.rect(area.x + 0.5, area.y + 0.5, area.width - 1, area.height - 1, 6);
  surface.stroke({ colour: theme.ink, width: 1 });
  const next = nextLevel(reading, levels);
  const pitch = (area.height - 16) / Math.max(1, levels.length);
  const inlets = levels.map((level, i) => {
    const y = area.y + 8 + pitch * (i + 0.5);
    const style = styleOf(theme, run, level);
    const colour = style?.mark ?? theme.ink;
    if (level === next) {
      surface.begin();
      surface.moveTo(area.x + 6, y - 4);
      surface.lineTo(area.x + 11, y);
      surface.lineTo(area.x + 6, y + 4);
      surface.closePath();
      surface.fill(theme.ink);
    }
    const left = area.x + 18;
    if (level.weight === null || level.level === "urgent") {
      const text = level.level === "urgent" ? "first" : "in turn";
      surface.text({ text, colour: theme.t2 }, left, y + 4);
    } else if (level.weight > SQUARES) {
      const text = `${fixed(reading.credits[level.level], 0)} of ${level.weight} left`;
      surface.text({ text, colour: theme.t2 }, left, y + 4);
    } else {
      for (let k = 0; k < level.weight; k++) {
        surface.begin();
        surface.rect(left + k * 21 + 0.75, y - 8.25, 16.5, 16.5, 3);
        if (k < reading.credits[level.level]) surface.fill(colour);
        surface.stroke({ colour, width: 1.5 });
      }
    }
    return { x: area.x - 1, y };
  });
  const below = area.y + area.height + 16;
  surface.text({ text: note, colour: theme.t3 }, middle, below, { align: "middle" });
  const held = `${fixed(reading.inDevice, 0)}${limit === null ? "" : ` of ${limit}`} in the device`;
  surface.text({ text: held, colour: theme.t2 }, middle, below + 16, { align: "middle" });
  return inlets;
}

/** A line between two points that leaves and arrives level. */
function drawCurve(surface: Surface, from: Point, to: Point, colour: string, width: number): void {
  surface.begin();
  surface.moveTo(from.x, from.y);
  const STEPS = 24;
  for (let k = 1; k <= STEPS; k++) {
    const t = k / STEPS;
    surface.lineTo(from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t * t * (3 - 2 * t));
  }
  surface.stroke({ colour, width, join: "round" });
}

/** Share of the time that each channel, or bank of a memory, was busy lately. */
function drawChannels(
  surface: Surface,
  theme: Theme,
  ofMemory: boolean,
  shares: Float32Array,
  area: Area,
): void {
  const title = ofMemory ? "Banks, busy now" : "Channels, busy now";
  surface.text({ text: title, colour: theme.ink, bold: true }, area.x, area.y + 4);
  const named = shares.length <= NAMED;
  const top = area.y + 14;
  const pitch = Math.min(18, (area.height - 24) / Math.max(1, shares.length));
  const [left, right] = named ? [area.x + 40, area.x + area.width - 40] : [area.x, area.x + area.width];
  const thickness = Math.max(1, Math.min(11, pitch - 3));
  shares.forEach((share, i) => {
    const y = top + pitch * (i + 0.5);
    surface.begin();
    surface.rect(left, y - thickness / 2, right - left, thickness);
    surface.fill(theme.s2);
    surface.begin();
    surface.rect(left, y - thickness / 2, (right - left) * share, thickness);
    surface.fill(theme.ink, 0.85);
    if (!named || pitch < 12) return;
    surface.text({ text: `${ofMemory ? "bank" : "ch"} ${i}`, colour: theme.t2 }, area.x, y + 4);
    surface.text({ text: formatPercent(share), colour: theme.ink }, area.x + area.width, y + 4, {
      align: "end",
    });
  });
}

/** The picture in a sentence. */
export function queuesSentence({ run, device, levels, arbiter }: QueuesProps): string {
  const reading = deviceReading(run, device);
  if (!reading) return "Submission queues: no reading yet.";
  const waiting = levels.map(
    (level) => `${fixed(reading.waiting[level.level], 0)} of ${levelName(run, level)}`,
  );
  const next = nextLevel(reading, levels);
  return (
    `At ${formatMilliseconds(run.nowUs)} ms commands wait at ${deviceName(run, device)}: ${waiting.join(", ")}. ` +
    `${arbiter.title}, ${arbiter.note}${next ? `, next ${levelName(run, next)}` : ""}; ${formatCount(reading.inDevice, "command")} in the device.`
  );
}

/** "High, PM" */
export const levelName = (run: RunView, { title, classes }: QueueLevel): string =>
  classes.map((index) => run.classes[index]?.name).join(", ") || title;
