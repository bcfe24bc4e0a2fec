import { group } from "d3";
import type { ThresholdStep } from "../charts/types.ts";
import { describeChange } from "../panels/changeText.ts";
import { packetScale } from "../panels/context.tsx";
import { valueAt } from "../scenario/schema.ts";
import type { Scenario } from "../scenario/types.ts";
import { packetsToUs } from "../scenario/units.ts";

/** Marks that a time axis has room for. */
const MARKS = 200;
/** Changes that the label of a mark names; of more it gives the number. */
const NAMED = 8;

/** Recorded changes as marks on the time axis. Changes of one instant are one mark, and so are those too close to tell. */
export function changeEvents(scenario: Scenario): { readonly timeUs: number; readonly label: string }[] {
  const timeline = scenario.timeline ?? [];
  const grain = timeline.length > MARKS ? scenario.durationUs / MARKS : 0;
  const groups = group(timeline, ({ atUs }) => (grain > 0 ? Math.floor(atUs / grain) : atUs));
  return [...groups.values()].map((changes) => ({
    timeUs: changes[0]?.atUs ?? 0,
    label:
      changes.length > NAMED
        ? `${changes.length} changes`
        : changes.map((change) => describeChange(scenario, change)).join(", "),
  }));
}

/** The ECN threshold over time: the scenario's, then each recorded change of it. */
export function thresholdSteps(scenario: Scenario): ThresholdStep[] {
  const scale = packetScale(scenario);
  const step = (fromUs: number, packets: number) => ({
    fromUs,
    packets,
    delayUs: packetsToUs(packets, scale),
  });
  return [
    step(0, Number(valueAt(scenario, "switch.ecnThresholdPackets"))),
    ...(scenario.timeline ?? [])
      .filter((change) => change.path === "switch.ecnThresholdPackets")
      .map((change) => step(change.atUs, Number(change.value))),
  ];
}
