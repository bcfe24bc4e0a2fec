import type { Explanation } from "./explanation.ts";
import { valueAt } from "./schema.ts";
import { queueLevels } from "./storage.ts";
import type { Scenario } from "./types.ts";
import { formatField, type PacketScale, packetsToUs } from "./units.ts";

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

/** What would change, the threshold first; none where every setting is as recommended. */
export const recommendations = (scenario: Scenario, explanation: Explanation): readonly Recommendation[] =>
  [threshold(scenario, explanation), headroom(scenario, explanation), weights(scenario, explanation)].filter(
    (recommendation) => recommendation !== null,
  );

const THRESHOLD = "switch.ecnThresholdPackets";

/** Part of what the path holds in a round trip from which on DCTCP keeps the link full (Alizadeh et al., SIGMETRICS 2011). */
const PIPE_PART = 0.17;

/** The band of K that the engine recommends; null before it has said one. */
export function thresholdBand(explanation: Explanation): Band | null {
  const recommended = explanation.of(THRESHOLD)?.recommended;
  return recommended ? { low: recommended[0], high: recommended[1] } : null;
}

/** The K to recommend in a band, which goes from a seventh of the pipe to a quarter. */
export const nominalThreshold = ({ low, high }: Band, pipePackets: number): number =>
  Math.min(high, Math.max(low, Math.round(PIPE_PART * pipePackets)));

/** Round trip of the network, and the packets that a link carries in it. */
export function pipeOf(scenario: Scenario, explanation: Explanation) {
  const rttUs = Number(
    valueAt(scenario, "topology.baseRttUs") ?? explanation.of("topology.baseRttUs")?.value,
  );
  const gbps = Number(valueAt(scenario, "topology.linkGbps"));
  return { rttUs, gbps, packets: (rttUs * gbps * 1000) / (8 * Number(valueAt(scenario, "host.mtuBytes"))) };
}

function threshold(scenario: Scenario, explanation: Explanation): Recommendation | null {
  const band = thresholdBand(explanation);
  const from = Number(valueAt(scenario, THRESHOLD));
  const { rttUs, gbps, packets } = pipeOf(scenario, explanation);
  if (!band || !Number.isFinite(packets) || explanation.of(THRESHOLD)?.noEffect) return null;
  if (from >= band.low && from <= band.high) return null;
  const to = nominalThreshold(band, packets);
  return {
    title: "K",
    before: String(from),
    after: `${to} ${to === 1 ? "packet" : "packets"}`,
    because: `${PIPE_PART} × ${formatField(gbps)} Gb/s × ${formatField(Number(rttUs.toPrecision(3)))} µs`,
    steps: [{ path: THRESHOLD, from, to }],
  };
}

const HEADROOM = "switch.headroomBytes";

/** Bytes of a pause frame on the wire. */
const PAUSE_BYTES = 64;

/** The headroom that the longest cables need: what is under way until a pause takes hold (IEEE 802.1Qbb annex O). */
function neededHeadroom(scenario: Scenario): number {
  const { shape } = scenario.topology;
  const gbps = Number(valueAt(scenario, "topology.linkGbps"));
  const delayUs = Number(valueAt(scenario, "topology.linkDelayUs"));
  const packet =
    Number(valueAt(scenario, "host.mtuBytes")) + Number(valueAt(scenario, "topology.frameOverheadBytes"));
  const held = (link: { readonly gbps?: number | null; readonly delayUs?: number | null }) =>
    ((link.gbps ?? gbps) * 1000 * 2 * (link.delayUs ?? delayUs)) / 8 + 3 * packet + PAUSE_BYTES;
  if (shape.kind === "custom")
    return shape.links.reduce((most, link) => Math.max(most, held(link)), held({ gbps: 0 }));
  return held({});
}

function headroom(scenario: Scenario, explanation: Explanation): Recommendation | null {
  const from = valueAt(scenario, HEADROOM) ?? null;
  const needed = neededHeadroom(scenario);
  if (typeof from !== "number" || from >= needed || explanation.of(HEADROOM)?.noEffect) return null;
  return {
    title: "Headroom",
    before: kilobytes(from),
    after: "by formula",
    because: `${kilobytes(needed)} may still arrive after a pause is sent`,
    steps: [{ path: HEADROOM, from, to: null }],
  };
}

const kilobytes = (bytes: number): string => `${Number((bytes / 1000).toPrecision(3))} KB`;

/** Greatest weight of a level. */
const GREATEST_WEIGHT = 255;

/** NVMe weights as the ratios of the classes whose commands go to each level. */
function weights(scenario: Scenario, explanation: Explanation): Recommendation | null {
  const treatment = valueAt(scenario, "storage.treatment");
  if (treatment !== "protocol" && treatment !== "coordinated") return null;
  const levels = queueLevels(scenario, explanation).filter(({ weight }) => weight !== null);
  const paths = levels.map(({ level }) => `storage.nvme.${level}Weight`);
  if (levels.length < 2 || paths.some((path) => explanation.of(path)?.noEffect)) return null;
  if (scenario.classes.some((_, index) => explanation.of(`classes[${index}].ratio`)?.noEffect)) return null;
  const ratios = levels.map(({ classes }) =>
    classes.reduce((sum, index) => sum + Number(valueAt(scenario, `classes[${index}].ratio`)), 0),
  );
  const to = wholeRatios(ratios);
  const from = levels.map(({ weight }) => Number(weight));
  const isSame = from.every((weight, at) => weight * (to[0] ?? 1) === (to[at] ?? 1) * (from[0] ?? 1));
  if (isSame) return null;
  return {
    title: "Weights",
    before: from.join(" : "),
    after: to.join(" : "),
    because: "the ratios of the classes",
    steps: paths.map((path, at) => ({ path, from: from[at], to: to[at] })),
  };
}

/** The least whole numbers that stand to each other as some ratios do, to a hundredth; limited to what a weight may be. */
function wholeRatios(ratios: readonly number[]): number[] {
  const least = Math.min(...ratios);
  const parts = ratios.map((ratio) => ratio / least);
  const factors = Array.from({ length: 10 }, (_, n) => n + 1);
  const whole = (factor: number) =>
    parts.every((part) => Math.abs(part * factor - Math.round(part * factor)) <= 0.01 * part * factor);
  const factor = factors.find(whole) ?? factors.length;
  return parts.map((part) => Math.min(GREATEST_WEIGHT, Math.round(part * factor)));
}

/** Why there is nothing to recommend. */
export function nothingToChange(explanation: Explanation): string {
  const said = explanation.of(THRESHOLD);
  if (said?.noEffect) return `K has no effect: ${said.noEffect.reason}. Nothing to change.`;
  if (!said?.recommended) return "There is no recommendation until the network is known.";
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
