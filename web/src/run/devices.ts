import type { DeviceLayout, RunLayout, RunView, Series } from "./types.ts";

/** Levels of submission queues, in the order of readings and columns. */
export const LEVELS = ["urgent", "high", "medium", "low"] as const;
export type Level = (typeof LEVELS)[number];

/** Names of the columns of a device row: for each device those of `layout.deviceColumns`, then those of its units. */
export const deviceColumnNames = ({ devices, deviceColumns }: RunLayout): string[] =>
  devices.flatMap(({ units, sampledByUnit }, device) => {
    const ofUnits = sampledByUnit ? Array.from({ length: units }, (_, unit) => unit) : [];
    return [
      ...deviceColumns.map((name) => `${name}.${device}`),
      ...ofUnits.map((unit) => `busy.${device}.${unit}`),
      ...ofUnits.map((unit) => `gc.${device}.${unit}`),
    ];
  });

/** What a device holds now, and did since the reading before (`DeviceReadings` of the engine). */
export interface DeviceReading {
  /** Commands that wait, by level of their queue. */
  readonly waiting: Readonly<Record<Level, number>>;
  /** Commands fetched and not completed. */
  readonly inDevice: number;
  /** Commands that each level may still launch in the round of arbitration; urgent ones need none. */
  readonly credits: Readonly<Record<Exclude<Level, "urgent">, number>>;
  readonly cachedPages: number;
  /** Free blocks per plane. */
  readonly freeBlocks: { readonly min: number; readonly mean: number };
  /** When a write first waited for room in the write cache; NaN before. */
  readonly cacheFullUs: number;
  /** When garbage collection first began; NaN before. */
  readonly collectsUs: number;
  /** Shares of the time. */
  readonly channelBusy: Float32Array;
  readonly unitBusy: Float32Array;
  readonly unitGc: Float32Array;
  /** Pages that wait for each unit. */
  readonly unitWaiting: Float32Array;
}

/** What part of the time the units of a device are busy, on average. */
export const busyShare = ({ unitBusy }: DeviceReading): number =>
  unitBusy.reduce((sum, share) => sum + share, 0) / Math.max(1, unitBusy.length);

/** Numbers of a reading beside those of channels and units. */
const FIXED = 13;

const length = ({ channels, units }: DeviceLayout): number => FIXED + channels + 3 * units;

/** The reading of a device; null before the first. */
export function deviceReading(run: RunView, device: number): DeviceReading | null {
  const own = run.layout.devices[device];
  const from = run.layout.devices.slice(0, device).reduce((sum, item) => sum + length(item), 0);
  if (!own || run.devices.length < from + length(own)) return null;
  const at = (i: number) => run.devices[from + i] as number;
  let next = from + FIXED;
  const take = (count: number) => {
    next += count;
    return run.devices.subarray(next - count, next);
  };
  return {
    waiting: { urgent: at(0), high: at(1), medium: at(2), low: at(3) },
    inDevice: at(4),
    credits: { high: at(5), medium: at(6), low: at(7) },
    cachedPages: at(8),
    freeBlocks: { min: at(9), mean: at(10) },
    cacheFullUs: at(11),
    collectsUs: at(12),
    channelBusy: take(own.channels),
    unitBusy: take(own.units),
    unitGc: take(own.units),
    unitWaiting: take(own.units),
  };
}

/** A column of a device, or undefined where the engine does not deliver it. */
export const deviceColumn = (run: RunView, name: string, device: number): Float32Array | undefined =>
  run.deviceColumns[`${name}.${device}`];

/** The same under a name of its own. */
export function deviceSeries(run: RunView, name: string, device: number): Series | undefined {
  const values = deviceColumn(run, name, device);
  return values && { key: `device ${name}.${device}`, values };
}

const CALLED = { ssd: "SSD", "persistent-memory": "memory", "constant-capacity": "server" } as const;

/** "SSD", or "SSD s12" where there are several. */
export function deviceTitle(run: RunView, device: number): string {
  const { devices } = run.layout;
  const kind = CALLED[devices[device]?.kind ?? "ssd"];
  return devices.length > 1 ? `${kind} ${deviceName(run, device)}` : kind;
}

/** "s12", or "s12, pm0" where its host has several. */
export function deviceName({ layout }: RunView, device: number): string {
  const own = layout.devices[device];
  if (!own) return "";
  const host = layout.graph.nodes[own.node]?.name ?? "";
  const alone = layout.devices.filter(({ node }) => node === own.node).length === 1;
  return alone ? host : `${host}, ${own.name}`;
}
