import type { Scenario } from "../../web/src/scenario/types.ts";

/** As many classes as a scenario may have, together offering twice what the bottleneck carries. */
export const sixteenClasses = {
  version: 3,
  name: "Sixteen classes",
  durationUs: 200_000,
  topology: { shape: { kind: "fat-tree", k: 4 }, linkGbps: 100, linkDelayUs: 1, baseRttUs: 25 },
  switch: { ecnThresholdPackets: 140 },
  classes: Array.from({ length: 16 }, (_, i) => ({
    name: `Class ${i + 1}`,
    ratio: 16 - i,
    transport: "qtcp",
  })),
  workloads: Array.from({ length: 16 }, (_, i) => ({
    class: `Class ${i + 1}`,
    endpoints: { kind: "pairs", initiators: [`h${i % 12}`], targets: ["h12"] },
    traffic: {
      kind: "open-loop",
      offeredGbps: 12,
      size: { kind: "uniform", minimumBlocks: 17, maximumBlocks: 98 },
    },
  })),
} as unknown as Scenario;
