import { deviceName } from "../../run/devices.ts";
import { samplesUntilNow } from "../../run/read.ts";
import type { DeviceLayout, RunView } from "../../run/types.ts";
import type { TimeFrame } from "../drawing/bins.ts";
import { formatMilliseconds, formatPercent } from "../drawing/format.ts";
import { drawAxisLine } from "../drawing/frame.ts";
import { drawEmpty, emptyReason, type Plot } from "../drawing/plot.ts";
import type { Surface } from "../drawing/surface.ts";
import type { Subject } from "../form.ts";
import type { TimeChartProps } from "../types.ts";
import type { ChartModel } from "./chartModel.ts";

/** Width of a cell in pixels. */
const CELL = 4;
/** Steps of darkness, and the opacities of the ends. */
const STEPS = 8;
const PALE = 0.05;
const DARK = 0.77;
/** A cell of which so much went to garbage collection is hatched. */
const COLLECTING = 0.25;
/** Distance of the lines of a hatch. */
const HATCH = 4;

/** Share of the time that every unit of a device was busy, and busy with garbage collection, by cell of time. */
export interface HeatMap {
  readonly cells: number;
  readonly units: number;
  /** Time of a cell that samples tell of, in us. */
  readonly knownUs: Float64Array;
  /** By unit, then by cell: time in us. */
  readonly busyUs: Float32Array;
  readonly gcUs: Float32Array;
}

interface Growing extends HeatMap {
  taken: number;
  readonly frame: TimeFrame;
}

const cache = new WeakMap<RunView, Map<number, Growing>>();

/** The map of a device of the samples up to the playhead; only those that came since the last time are looked at. */
export function heatMapOf(run: RunView, device: number, frame: TimeFrame): HeatMap {
  const kept = cache.get(run) ?? new Map<number, Growing>();
  cache.set(run, kept);
  const n = samplesUntilNow(run);
  let map = kept.get(device);
  if (!map || n < map.taken || map.frame.left !== frame.left || map.frame.right !== frame.right) {
    map = emptyMap(frame, run.layout.devices[device]?.units ?? 0);
    kept.set(device, map);
  }
  const columns = (kind: string) =>
    Array.from({ length: map.units }, (_, unit) => run.deviceColumns[`${kind}.${device}.${unit}`]);
  if (n > map.taken) {
    const [busy, gc] = [columns("busy"), columns("gc")];
    for (let s = map.taken; s < n; s++)
      take(map, run.timeUs[s - 1] ?? 0, run.timeUs[s] as number, s, busy, gc);
    map.taken = n;
  }
  return map;
}

function emptyMap(frame: TimeFrame, units: number): Growing {
  const cells = Math.max(1, Math.ceil((frame.right - frame.left) / CELL));
  return {
    frame,
    taken: 0,
    cells,
    units,
    knownUs: new Float64Array(cells),
    busyUs: new Float32Array(units * cells),
    gcUs: new Float32Array(units * cells),
  };
}

/** A sample tells of the time since the one before: of all cells that this reaches into. */
function take(
  map: Growing,
  fromUs: number,
  toUs: number,
  sample: number,
  busy: readonly (Float32Array | undefined)[],
  gc: readonly (Float32Array | undefined)[],
): void {
  const { frame, cells, units } = map;
  const cellOf = (us: number) => (frame.x(us) - frame.left) / CELL;
  const [first, last] = [cellOf(fromUs), cellOf(toUs)];
  for (let cell = Math.max(0, Math.floor(first)); cell < Math.min(cells, last); cell++) {
    const part = (Math.min(last, cell + 1) - Math.max(first, cell)) / (last - first || 1);
    const us = part * (toUs - fromUs);
    map.knownUs[cell] = (map.knownUs[cell] as number) + us;
    for (let unit = 0; unit < units; unit++) {
      const at = unit * cells + cell;
      map.busyUs[at] = (map.busyUs[at] as number) + us * (busy[unit]?.[sample] ?? 0);
      map.gcUs[at] = (map.gcUs[at] as number) + us * (gc[unit]?.[sample] ?? 0);
    }
  }
}

/** Tells when the playhead has come to another cell, or gone back: what a map is drawn at. */
export function cellPace(run: RunView, frame: () => TimeFrame | null) {
  return {
    subscribe(listener: () => void) {
      let cell = -1;
      return run.subscribe(() => {
        const now = frame();
        const at = now ? Math.floor((now.x(run.nowUs) - now.left) / CELL) : -1;
        if (at === cell) return;
        cell = at;
        listener();
      });
    },
  };
}

/** Opacity of a share: squared, so that idle and busy are told apart at a glance. */
export const opacityOf = (step: number): number => PALE + (DARK - PALE) * (step / (STEPS - 1)) ** 2;
const stepOf = (share: number): number => Math.max(0, Math.min(STEPS - 1, Math.floor(share * STEPS)));

/** What the units of a device are called. */
const UNITS = {
  ssd: { title: "Chips", group: "ch" },
  "persistent-memory": { title: "Banks", group: "bank" },
  "constant-capacity": { title: "Server", group: "server" },
} as const satisfies Record<DeviceLayout["kind"], { readonly title: string; readonly group: string }>;

const unitsOf = (run: RunView, device: number) => UNITS[run.layout.devices[device]?.kind ?? "ssd"];

const unitTitle = (run: RunView, device: number) => unitsOf(run, device).title;

export const heatSubject = (run: RunView, device: number): Subject => ({
  id: "chips",
  title: unitTitle(run, device),
  unit: "busy share of the time",
});

/** Units of a device over time: the darker the busier, hatched where they collect garbage. */
export function heatModel({ run }: TimeChartProps, device: number): ChartModel {
  const own = run.layout.devices[device];
  const [units, channels] = [own?.units ?? 0, Math.max(1, own?.channels ?? 1)];
  // Banks stand under no channels of their own.
  const groups = own?.kind === "persistent-memory" ? units : channels;
  const perGroup = Math.max(1, Math.round(units / groups));
  const groupName = unitsOf(run, device).group;
  const unitsOfGroup = (group: number) => Array.from({ length: perGroup }, (_, k) => group * perGroup + k);
  const value = (kind: string, unit: number, sample: number) =>
    run.deviceColumns[`${kind}.${device}.${unit}`]?.[sample] ?? Number.NaN;
  const mean = (kind: string, of: readonly number[], sample: number) =>
    of.reduce((sum, unit) => sum + value(kind, unit, sample), 0) / Math.max(1, of.length);
  const all = Array.from({ length: units }, (_, unit) => unit);
  const isFlash = own?.kind === "ssd";

  return {
    warmup: "hidden",
    draw(surface, plot) {
      const gap = groups > 1 && perGroup > 1 ? 3 : 0;
      const pitch = (plot.bottom - plot.top + gap - gap * groups) / Math.max(1, units);
      const height = pitch > 3 ? pitch - 1 : pitch;
      const y = (unit: number) => plot.top + pitch * unit + gap * Math.floor(unit / perGroup);
      drawLabels(
        surface,
        plot,
        groups,
        groupName,
        (group) => (y(group * perGroup) + y((group + 1) * perGroup - 1) + height) / 2,
      );
      const map = heatMapOf(run, device, plot);
      drawCells(surface, plot, map, y, height);
      drawHatch(surface, plot, map, y, height);
      if (samplesUntilNow(run) === 0) drawEmpty(surface, plot, emptyReason(run, plot, ""));
      drawAxisLine(surface, plot.theme, { ...plot, bottom: plot.bottom + 1 }, null);
    },

    cursorMarks: () => [],

    readout(sample) {
      const busiest = Array.from({ length: groups }, (_, group) => ({
        name: `${groupName} ${group}`,
        busy: mean("busy", unitsOfGroup(group), sample),
        gc: mean("gc", unitsOfGroup(group), sample),
      }))
        .sort((one, other) => other.busy - one.busy)
        .slice(0, 4);
      const row = (name: string, busy: number, gc: number) => ({
        name,
        kindIndex: null,
        values: [formatPercent(busy), ...(isFlash ? [formatPercent(gc)] : [])],
      });
      return {
        columns: ["busy", ...(isFlash ? ["of it GC"] : [])],
        rows: [
          row("all", mean("busy", all, sample), mean("gc", all, sample)),
          ...busiest.map(({ name, busy, gc }) => row(name, busy, gc)),
        ],
      };
    },

    table: Array.from({ length: groups }, (_, group) =>
      (isFlash ? (["busy", "gc"] as const) : (["busy"] as const)).map((kind) => ({
        header: `${groupName} ${group} ${kind === "gc" ? "GC" : "busy"} (share)`,
        value: (sample: number) => mean(kind, unitsOfGroup(group), sample),
        format: formatPercent,
      })),
    ).flat(),

    sentence(sample) {
      const at = formatMilliseconds(run.timeUs[sample] as number);
      const what = isFlash ? "chips" : "banks";
      const gc = isFlash ? `, ${formatPercent(mean("gc", all, sample))} with garbage collection` : "";
      return `At ${at} ms the ${units} ${what} of ${deviceName(run, device)} are busy ${formatPercent(mean("busy", all, sample))} of the time${gc}.`;
    },
  };
}

function drawLabels(
  surface: Surface,
  plot: Plot,
  groups: number,
  name: string,
  middle: (group: number) => number,
): void {
  const pitch = (plot.bottom - plot.top) / groups;
  const every = Math.max(1, Math.ceil(13 / pitch));
  for (let group = 0; group < groups; group += every) {
    surface.text({ text: `${name} ${group}`, colour: plot.theme.t3 }, plot.left - 8, middle(group) + 4, {
      align: "end",
    });
  }
}

/** One fill for each step of darkness. */
function drawCells(
  surface: Surface,
  plot: Plot,
  map: HeatMap,
  y: (unit: number) => number,
  height: number,
): void {
  const { cells, units, knownUs, busyUs } = map;
  const steps = new Int8Array(units * cells).fill(-1);
  for (let cell = 0; cell < cells; cell++) {
    const known = knownUs[cell] as number;
    if (!(known > 0)) continue;
    for (let unit = 0; unit < units; unit++) {
      const at = unit * cells + cell;
      steps[at] = stepOf((busyUs[at] as number) / known);
    }
  }
  for (let step = 0; step < STEPS; step++) {
    surface.begin();
    for (let unit = 0; unit < units; unit++) {
      const [row, top] = [unit * cells, y(unit)];
      for (let cell = 0; cell < cells; cell++) {
        if (steps[row + cell] !== step) continue;
        let end = cell + 1;
        while (end < cells && steps[row + end] === step) end++;
        const x = plot.left + cell * CELL;
        surface.rect(x, top, Math.min(plot.right, plot.left + end * CELL) - x, height);
        cell = end - 1;
      }
    }
    surface.fill(plot.theme.ink, opacityOf(step));
  }
}

/** Diagonal lines, never a hue, where a unit collects garbage. */
function drawHatch(
  surface: Surface,
  plot: Plot,
  { cells, units, knownUs, gcUs }: HeatMap,
  y: (unit: number) => number,
  height: number,
): void {
  const runs: { readonly x: number; readonly end: number; readonly top: number }[] = [];
  for (let unit = 0; unit < units; unit++) {
    const collects = (cell: number) =>
      cell < cells &&
      (gcUs[unit * cells + cell] as number) >= COLLECTING * (knownUs[cell] as number) &&
      (knownUs[cell] as number) > 0;
    for (let cell = 0; cell < cells; cell++) {
      if (!collects(cell)) continue;
      let end = cell + 1;
      while (collects(end)) end++;
      runs.push({
        x: plot.left + cell * CELL,
        end: Math.min(plot.right, plot.left + end * CELL),
        top: y(unit),
      });
      cell = end;
    }
  }
  if (runs.length === 0) return;
  surface.begin();
  for (const { x, end, top } of runs) surface.rect(x, top, end - x, height);
  surface.fill(plot.theme.bg);
  surface.begin();
  for (const { x, end, top } of runs) {
    const from = Math.ceil((x - height) / HATCH) * HATCH;
    for (let foot = from; foot < end; foot += HATCH) {
      const [left, right] = [Math.max(x, foot), Math.min(end, foot + height)];
      if (right <= left) continue;
      surface.moveTo(left, top + height - (left - foot));
      surface.lineTo(right, top + height - (right - foot));
    }
  }
  surface.stroke({ colour: plot.theme.ink, width: 1.25 });
}
