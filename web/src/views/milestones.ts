import { group } from "d3";
import { figure } from "../charts/run.ts";
import type { RunView, ThresholdStep } from "../charts/types.ts";
import { describeChange } from "../panels/changeText.ts";
import { packetScale } from "../panels/context.tsx";
import { valueAt } from "../scenario/schema.ts";
import type { Scenario } from "../scenario/types.ts";
import { packetsToUs } from "../scenario/units.ts";

/** Recorded changes as marks on the time axis; changes of one instant are one mark. */
export function changeEvents(document: Scenario): { readonly timeUs: number; readonly label: string }[] {
  const groups = group(document.timeline ?? [], (change) => change.atUs);
  return [...groups].map(([timeUs, changes]) => ({
    timeUs,
    label: changes.map((change) => describeChange(document, change)).join(", "),
  }));
}

/** When every class had converged; null before, or when one has left its band again. */
export function allConvergedUs(run: RunView): number | null {
  const instants = run.classes.map((_, i) => figure(run, i, "convergedAtUs"));
  return instants.length > 0 && instants.every(Number.isFinite) ? Math.max(...instants) : null;
}

/** The ECN threshold over time: the document's, then each recorded change of it. */
export function thresholdSteps(document: Scenario): ThresholdStep[] {
  const scale = packetScale(document);
  const step = (fromUs: number, packets: number) => ({
    fromUs,
    packets,
    delayUs: packetsToUs(packets, scale),
  });
  return [
    step(0, Number(valueAt(document, "switch.ecnThresholdPackets"))),
    ...(document.timeline ?? [])
      .filter((change) => change.path === "switch.ecnThresholdPackets")
      .map((change) => step(change.atUs, Number(change.value))),
  ];
}

/** The watched port in words: "port e3.0 to s12". */
export function bottleneckPort(run: RunView): string | undefined {
  const { nodes, links, bottleneck } = run.layout.graph;
  const link = links[bottleneck];
  return link && `port ${nodes[link.from]?.name} to ${nodes[link.to]?.name}`;
}
