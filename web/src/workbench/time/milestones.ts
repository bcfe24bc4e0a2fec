import { group } from "d3-array";
import type { ThresholdStep } from "../../charts/types.ts";
import { describeChange } from "../../panels/changeText.ts";
import { packetScale } from "../../panels/context.tsx";
import { setPaths } from "../../scenario/path.ts";
import { valueAt } from "../../scenario/schema.ts";
import { hostCount } from "../../scenario/topology.ts";
import type { Scenario, Shape, Workload } from "../../scenario/types.ts";
import { packetsToUs } from "../../scenario/units.ts";

/** Marks that a time axis has room for. */
const MARKS = 200;
/** Events that the label of a mark names; of more it gives the number. */
const NAMED = 8;

/** What happens at an instant because the scenario says so. */
interface Event {
  readonly atUs: number;
  readonly label: string;
}

/**
 * What the scenario has happen in its run as marks on the time axis: recorded changes, and traffic that starts and stops on the
 * way. What happens at one instant is one mark, and so are marks too close to tell.
 */
export function scenarioEvents(scenario: Scenario): { readonly timeUs: number; readonly label: string }[] {
  const timeline = scenario.timeline ?? [];
  const changes = timeline.map((change) => ({
    atUs: change.atUs,
    label: describeChange(scenario, change),
  }));
  const events = [...changes, ...scenario.workloads.flatMap((item) => trafficEvents(item, scenario))];
  const grain = events.length > MARKS ? scenario.durationUs / MARKS : 0;
  const groups = group(events, ({ atUs }) => (grain > 0 ? Math.floor(atUs / grain) : atUs));
  return [...groups.values()]
    .map((all) => ({
      timeUs: Math.min(...all.map(({ atUs }) => atUs)),
      label:
        all.length > NAMED ? `${all.length} events` : [...new Set(all.map(({ label }) => label))].join(", "),
    }))
    .sort((a, b) => a.timeUs - b.timeUs);
}

/** When traffic starts after the run has, one source after the other, and when it stops before the run does. */
function trafficEvents(workload: Workload, { topology, durationUs }: Scenario): Event[] {
  const { class: name, startUs = 0, stopUs, startGapUs = 0 } = workload;
  const endUs = Math.min(stopUs ?? durationUs, durationUs);
  const sources = startGapUs > 0 ? sourcesOf(workload, topology.shape) : 1;
  const starting = Math.max(0, Math.min(sources, Math.ceil((endUs - startUs) / (startGapUs || durationUs))));
  const starts = Array.from({ length: starting }, (_, i) => ({
    atUs: startUs + i * startGapUs,
    label: i === 0 ? `${name} starts` : `${name}: ${ordinal(i + 1)} connection`,
  }));
  const stop = { atUs: endUs, label: `${name} stops` };
  return [...starts, ...(endUs < durationUs ? [stop] : [])].filter(({ atUs }) => atUs > 0);
}

/** What of a workload starts one after the other: connections, or pairs of hosts where every request is a flow of its own. */
function sourcesOf({ endpoints, connections = 1, flows }: Workload, shape: Shape): number {
  return pairsOf(endpoints, shape) * (flows === "per-request" ? 1 : connections);
}

function pairsOf(endpoints: Workload["endpoints"], shape: Shape): number {
  switch (endpoints.kind) {
    case "pairs":
      return Math.max(endpoints.initiators.length, endpoints.targets.length);
    case "incast":
      return endpoints.initiators;
    case "random":
      return endpoints.pairs;
    case "permutation":
      return hostCount(shape);
  }
}

/** "2nd", "11th", "23rd" */
function ordinal(place: number): string {
  const teen = place % 100 > 10 && place % 100 < 14;
  return `${place}${(!teen && ["th", "st", "nd", "rd"][place % 10]) || "th"}`;
}

/** Fields that set the threshold in packets, and what that is in time. */
const OF_THE_THRESHOLD: readonly string[] = [
  "switch.ecnThresholdPackets",
  "topology.linkGbps",
  "host.mtuBytes",
];

/** The ECN threshold over time, in packets and in time at line rate: the scenario's, then after each recorded change of either. */
export function thresholdSteps(scenario: Scenario): ThresholdStep[] {
  const step = (fromUs: number, then: Scenario) => {
    const packets = Number(valueAt(then, "switch.ecnThresholdPackets"));
    return { fromUs, packets, delayUs: packetsToUs(packets, packetScale(then)) };
  };
  const steps = [step(0, scenario)];
  let then = scenario;
  for (const change of scenario.timeline ?? []) {
    if (!OF_THE_THRESHOLD.includes(change.path)) continue;
    then = setPaths(then, [change]);
    steps.push(step(change.atUs, then));
  }
  return steps;
}
