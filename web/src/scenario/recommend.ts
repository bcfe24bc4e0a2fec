import { type Explanation, NOTHING_SAID } from "./explanation.ts";
import { fieldAt, valueAt } from "./schema.ts";
import type { Scenario } from "./types.ts";
import { formatField, type PacketScale, packetsToUs, shownUnit } from "./units.ts";

/** A band of ECN thresholds, in packets. */
export interface Band {
  readonly low: number;
  readonly high: number;
}

/** One sentence that compares K with the recommended band. */
export function thresholdSentence(threshold: number, band: Band, scale: PacketScale): string {
  const range = `${band.low}–${band.high}`;
  if (threshold > band.high) {
    const waiting = packetsToUs(threshold, scale);
    return `Above the recommended ${range}: full throughput, up to ${waiting.toPrecision(3)} µs more waiting.`;
  }
  if (threshold < band.low) {
    return `Below the recommended ${range}: short queue, but the link may run empty after a cut.`;
  }
  return `Within the recommended ${range}: full throughput with a short queue.`;
}

/** One value that is to change: its field, what it is now and what it becomes. */
interface Step {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** A setting that theory would set otherwise on this network, and why. */
export interface Recommendation {
  readonly title: string;
  readonly before: string;
  readonly after: string;
  readonly because: string;
  readonly steps: readonly Step[];
}

const THRESHOLD = "switch.ecnThresholdPackets";

/** The settings that recommendations change, those of one row together. */
const ROWS: readonly { readonly title: string; readonly paths: readonly string[] }[] = [
  { title: "K", paths: [THRESHOLD] },
  { title: "Headroom", paths: ["switch.headroomBytes"] },
  { title: "Weights", paths: ["high", "medium", "low"].map((level) => `storage.nvme.${level}Weight`) },
];

/** What would change, the threshold first; none where every setting is as recommended. */
export const recommendations = (scenario: Scenario, explanation: Explanation): readonly Recommendation[] =>
  ROWS.flatMap(({ title, paths }) => {
    const told = paths.flatMap((path) => {
      const { recommended, noEffect } = explanation.of(path) ?? {};
      return recommended && !noEffect
        ? [{ path, ...recommended, from: valueAt(scenario, path) ?? null }]
        : [];
    });
    const [first] = told;
    const isWithin = ({ from, band }: (typeof told)[number]) =>
      typeof from === "number" && from >= band[0] && from <= band[1];
    if (!first || told.every(isWithin)) return [];
    return [
      {
        title,
        // The unit stands once, after what it becomes.
        before: told
          .map(({ path, from, value }) => valueText(scenario, path, from, value === null))
          .join(" : "),
        after: told.map(({ path, value }) => valueText(scenario, path, value)).join(" : "),
        because: first.because,
        steps: told.map(({ path, from, value }) => ({ path, from, to: value })),
      },
    ];
  });

/** A value of a field with its unit; an empty one follows from the network. */
function valueText(scenario: Scenario, path: string, value: unknown, withUnit = true): string {
  if (typeof value !== "number") return "by formula";
  const { unit, factor } = shownUnit(fieldAt(path, scenario).unit, value);
  const text = formatField(Number((value / factor).toPrecision(3)));
  return withUnit ? `${text} ${value === 1 ? unit.replace(/s$/, "") : unit}`.trim() : text;
}

/** The band of K that the engine recommends; null before it has said one. */
export function thresholdBand(explanation: Explanation): Band | null {
  const band = explanation.of(THRESHOLD)?.recommended?.band;
  return band ? { low: band[0], high: band[1] } : null;
}

/** Why there is nothing to recommend. */
export function nothingToChange(explanation: Explanation): string {
  if (explanation === NOTHING_SAID) return "There is no recommendation until the network is known.";
  const said = explanation.of(THRESHOLD);
  if (said?.noEffect) return `K has no effect: ${said.noEffect.reason}. Nothing to change.`;
  if (!said?.recommended) return "Theory recommends no K for these transports and this marking.";
  return "K is within the recommended band; nothing to change.";
}

/** The changes that follow recommendations, or that take them back. */
export const stepsForth = (done: readonly Recommendation[]) =>
  done.flatMap(({ steps }) => steps.map(({ path, to }) => ({ path, value: to })));
export const stepsBack = (done: readonly Recommendation[]) =>
  done.flatMap(({ steps }) => steps.map(({ path, from }) => ({ path, value: from })));

/** Whether recommendations that were followed still hold: none of their fields has been set otherwise since. */
export const stillHold = (done: readonly Recommendation[], scenario: Scenario): boolean =>
  done.every(({ steps }) => steps.every(({ path, to }) => (valueAt(scenario, path) ?? null) === to));
