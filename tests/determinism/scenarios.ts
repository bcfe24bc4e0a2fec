/**
 * Short runs that together pass through every part of the engine: each topology, routing, marking, transport, kind of
 * traffic and size, losses with their timeouts, and changes of a live run.
 */
const block = { kind: "uniform", minimumBlocks: 5, maximumBlocks: 30 };
const empirical = {
  kind: "empirical",
  points: [
    [1000, 20],
    [20_000, 80],
    [300_000, 100],
  ],
};

const qtcp = [
  { name: "High", ratio: 3 },
  { name: "Low", ratio: 1, gain: 0.1, updateIntervalRtts: 3 },
];
const mixed = [
  { name: "High", transport: "qtcp", ratio: 2 },
  { name: "Low", transport: "dctcp" },
];

const pairs = (sources: number[], destinations: number[]) => ({ kind: "pairs", sources, destinations });

export const scenarios = [
  {
    version: 1,
    name: "Fat-tree, open loop, changed while it runs",
    durationUs: 1500,
    topology: { shape: { kind: "fat-tree", k: 4 }, baseRttUs: 40 },
    classes: qtcp,
    workloads: [
      {
        class: "High",
        endpoints: pairs([0, 1], [12]),
        traffic: { kind: "open-loop", offeredGbps: 90, size: block },
      },
      {
        class: "Low",
        endpoints: pairs([4], [12]),
        startUs: 100,
        traffic: { kind: "open-loop", offeredGbps: 60, gaps: "uniform", size: empirical },
      },
    ],
    timeline: [
      { atUs: 500, path: "switch.ecnThresholdPackets", value: 40 },
      { atUs: 700, path: "classes[0].transport", value: "dctcp" },
      { atUs: 900, path: "classes[1].ratio", value: 4 },
    ],
  },
  {
    version: 1,
    name: "Leaf-spine, closed loop, RED marking",
    seed: 7,
    durationUs: 1000,
    topology: {
      shape: { kind: "leaf-spine", leaves: 3, spines: 2, hostsPerLeaf: 4, uplinkGbps: 40 },
      linkGbps: 25,
      switchDelayUs: 0.5,
    },
    switch: {
      marking: "red",
      ecnThresholdPackets: 20,
      redMaximumPackets: 90,
      redMaximumProbability: 0.4,
    },
    host: { mtuBytes: 9000, delayedAckPackets: 1 },
    classes: mixed,
    workloads: [
      {
        class: "High",
        endpoints: { kind: "permutation" },
        traffic: { kind: "closed-loop", outstanding: 4, size: empirical },
      },
      {
        class: "Low",
        endpoints: { kind: "permutation" },
        connections: 2,
        traffic: {
          kind: "closed-loop",
          outstanding: 1,
          requests: 20,
          size: { kind: "fixed", bytes: 50_000 },
        },
      },
    ],
  },
  {
    version: 1,
    name: "Dumbbell with losses and timeouts",
    durationUs: 20_000,
    topology: {
      shape: { kind: "dumbbell", senders: 6, receivers: 1, switches: 2 },
      linkGbps: 10,
      linkDelayUs: 5,
    },
    switch: { marking: "off", bufferPackets: 12 },
    host: { minimumRtoUs: 1000 },
    classes: mixed,
    workloads: [
      {
        class: "High",
        endpoints: pairs([0, 1, 2], [6]),
        startGapUs: 50,
        traffic: { kind: "backlogged" },
      },
      {
        class: "Low",
        endpoints: pairs([3, 4, 5], [6]),
        stopUs: 10_000,
        traffic: {
          kind: "open-loop",
          offeredGbps: 4,
          gaps: "constant",
          size: { kind: "fixed", bytes: 8192 },
        },
      },
    ],
  },
  {
    version: 1,
    name: "Fat-tree permutation, d-mod-k",
    durationUs: 300,
    topology: { shape: { kind: "fat-tree", k: 4 }, routing: "d-mod-k" },
    classes: [{ name: "All", transport: "dctcp" }],
    workloads: [{ class: "All", endpoints: { kind: "permutation" }, traffic: { kind: "backlogged" } }],
  },
  {
    version: 1,
    name: "A graph of its own, classes with their own round trips",
    durationUs: 4000,
    topology: {
      shape: {
        kind: "custom",
        nodes: [
          { name: "client", role: "host" },
          { name: "server", role: "host" },
          { name: "left", role: "switch" },
          { name: "right", role: "switch" },
        ],
        links: [
          { from: "client", to: "left", gbps: 40 },
          { from: "left", to: "right", gbps: 10, delayUs: 20 },
          { from: "right", to: "server", gbps: 25 },
        ],
      },
    },
    switch: { ecnThresholdPackets: 30 },
    classes: [
      { name: "Near", ratio: 1 },
      { name: "Far", ratio: 2, baseRttUs: 300 },
    ],
    workloads: [
      { class: "Near", endpoints: pairs([0], [1]), traffic: { kind: "backlogged" } },
      { class: "Far", endpoints: pairs([0], [1]), connections: 3, traffic: { kind: "backlogged" } },
    ],
  },
];
