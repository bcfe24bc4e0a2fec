import { readFileSync } from "node:fs";

/**
 * Short runs that together pass through every part of the engine: each topology, routing, marking, buffering, transport
 * with its parameter sets, kind of traffic, endpoints and size, losses with their timeouts, pauses, priorities, aims at
 * shares and at latencies, and changes of a live run.
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

const named = (numbers: number[]) => numbers.map((number) => `h${number}`);
const pairs = (initiators: number[], targets: number[]) => ({
  kind: "pairs",
  initiators: named(initiators),
  targets: named(targets),
});
/** The only two hosts of a graph of its own. */
const ends = { kind: "pairs", initiators: ["client"], targets: ["server"] };
const backlogged = { kind: "backlogged" };
const openLoop = (offeredGbps: number, size: object) => ({ kind: "open-loop", offeredGbps, size });

/** Sixteen requests outstanding of one host to the storage of another, or of its own. */
const stored = (name: string, from: string, to: string, more: object) => ({
  class: name,
  endpoints: { kind: "pairs", initiators: [from], targets: [to] },
  traffic: { kind: "closed-loop", outstanding: 16, size: { kind: "exponential", meanBytes: 20_000 } },
  ...more,
});

/** Marks by RED, and memory so scarce that switches pause. */
const pausing = {
  marking: "red",
  ecnThresholdPackets: 20,
  redMaximumPackets: 100,
  redMaximumProbability: 0.1,
  markingPoint: "departure",
  buffering: "pfc",
  sharedBufferBytes: 250_000,
};

/** Incast over two switches by each published set of DCQCN's parameters. */
const dcqcnSets = ["sigcomm15", "vendor", "hpcc"].map((set) => ({
  version: 3,
  name: `DCQCN, set ${set}, over switches that pause`,
  durationUs: 2000,
  topology: { shape: { kind: "dumbbell", senders: 8, receivers: 2 }, linkGbps: 40 },
  switch: pausing,
  host: { startJitterUs: 0, mtuBytes: 1048, headerBytes: 48, delayedAckPackets: 1 },
  classes: [{ name: "Writes", transport: "dcqcn", dcqcn: { set } }],
  workloads: [{ class: "Writes", endpoints: pairs([0, 1, 2, 3, 4, 5, 6, 7], [8]), traffic: backlogged }],
}));

/** Names of the schedulers of tenants, as the engine lists them. */
const schedulers: readonly string[] = JSON.parse(
  readFileSync("web/src/generated/catalogue.json", "utf8"),
).tenantSchedulers.map(({ value }: { value: string }) => value);

export const scenarios = [
  {
    version: 3,
    name: "Fat-tree, open loop, changed while it runs",
    durationUs: 1500,
    topology: { shape: { kind: "fat-tree", k: 4 }, baseRttUs: 40 },
    host: { startJitterUs: 0 },
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
    version: 3,
    name: "Leaf-spine, closed loop with pauses, RED marking, a common slot of growth, acknowledgements in order",
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
    host: { mtuBytes: 9000, delayedAckPackets: 1, ackPriority: "in-order", startJitterUs: 5 },
    qos: { growthSlot: "longest-rtt", markInDeficit: "hold" },
    classes: mixed,
    workloads: [
      {
        class: "High",
        endpoints: { kind: "permutation" },
        traffic: {
          kind: "closed-loop",
          outstanding: 4,
          thinkTimeUs: 10,
          thinkTimeDistribution: "exponential",
          size: empirical,
        },
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
    version: 3,
    name: "Dumbbell with losses and timeouts",
    durationUs: 20_000,
    topology: {
      shape: { kind: "dumbbell", senders: 6, receivers: 1, switches: 2 },
      linkGbps: 10,
      linkDelayUs: 5,
    },
    switch: { marking: "off", bufferPackets: 12 },
    host: { startJitterUs: 0, minimumRtoUs: 1000 },
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
    version: 3,
    name: "Fat-tree permutation, d-mod-k",
    durationUs: 300,
    topology: { shape: { kind: "fat-tree", k: 4 }, routing: "d-mod-k" },
    host: { startJitterUs: 0 },
    classes: [{ name: "All", transport: "dctcp" }],
    workloads: [{ class: "All", endpoints: { kind: "permutation" }, traffic: { kind: "backlogged" } }],
  },
  {
    version: 3,
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
    host: { startJitterUs: 0 },
    classes: [
      { name: "Near", ratio: 1 },
      { name: "Far", ratio: 2, baseRttUs: 300 },
    ],
    workloads: [
      { class: "Near", endpoints: ends, traffic: { kind: "backlogged" } },
      { class: "Far", endpoints: ends, connections: 3, traffic: { kind: "backlogged" } },
    ],
  },
  ...dcqcnSets,
  {
    version: 3,
    name: "QRDMA and TIMELY, as published and patched, each of its own priority",
    durationUs: 2000,
    topology: { shape: { kind: "leaf-spine", leaves: 2, spines: 2, hostsPerLeaf: 4 }, linkGbps: 40 },
    switch: { ...pausing, threshold: "static", xoffBytes: 40_000, sharedBufferBytes: 1_500_000 },
    host: { startJitterUs: 0 },
    classes: [
      { name: "Shares", transport: "qrdma", ratio: 2, priority: 2 },
      { name: "Delays", transport: "timely", priority: 1 },
      { name: "Patched", transport: "timely", timely: { patched: true } },
    ],
    workloads: [
      { class: "Shares", endpoints: pairs([0, 1], [7]), traffic: backlogged },
      { class: "Delays", endpoints: pairs([2], [7]), connections: 2, traffic: backlogged },
      { class: "Patched", endpoints: pairs([3, 4], [7]), traffic: openLoop(20, empirical) },
    ],
  },
  {
    version: 3,
    name: "DIRS: a flow for every request, of published sizes, to one host and between random ones",
    durationUs: 4000,
    topology: { shape: { kind: "leaf-spine", leaves: 2, spines: 2, hostsPerLeaf: 8 }, linkGbps: 40 },
    switch: pausing,
    host: { startJitterUs: 0 },
    classes: ["Writes", "Victim"].map((name) => ({ name, transport: "dcqcn", dirs: { enabled: true } })),
    workloads: [
      {
        class: "Writes",
        endpoints: { kind: "incast", target: "h15", initiators: 8 },
        connections: 16,
        flows: "per-request",
        traffic: openLoop(36, { kind: "published", distribution: "tencent-like" }),
      },
      {
        class: "Victim",
        endpoints: { kind: "random", pairs: 12 },
        connections: 4,
        flows: "per-request",
        traffic: { ...openLoop(10, { kind: "fixed", bytes: 12_000 }), requests: 300 },
      },
    ],
  },
  {
    version: 3,
    name: "Urgent packets with a reserve, beside what fills the ports",
    durationUs: 3000,
    topology: { shape: { kind: "dumbbell", senders: 3, receivers: 1, switches: 1 } },
    switch: { marking: "off", bufferPackets: 20, urgentReservePackets: 4 },
    host: { startJitterUs: 0, minimumRtoUs: 1000 },
    classes: [
      { name: "PM", transport: "qrdma", priority: 7, goal: "latency", latencyTargetUs: 4 },
      { name: "Bulk", transport: "dctcp" },
    ],
    workloads: [
      {
        class: "PM",
        endpoints: pairs([0], [3]),
        traffic: openLoop(2, { kind: "choice", bytes: [128, 256] }),
      },
      { class: "Bulk", endpoints: pairs([0, 1, 2], [3]), traffic: backlogged },
    ],
  },
  {
    version: 3,
    name: "Shared memory without pauses: windows and rates that lose packets",
    durationUs: 5000,
    topology: { shape: { kind: "dumbbell", senders: 6, receivers: 1 }, linkGbps: 25 },
    switch: { ecnThresholdPackets: 60, buffering: "shared", sharedBufferBytes: 150_000, thresholdAlpha: 1 },
    host: { startJitterUs: 0, minimumRtoUs: 500 },
    classes: [
      { name: "Windows", transport: "dctcp" },
      { name: "Rates", transport: "dcqcn" },
    ],
    workloads: [
      { class: "Windows", endpoints: pairs([0, 1, 2], [6]), traffic: backlogged },
      { class: "Rates", endpoints: pairs([3, 4, 5], [6]), traffic: openLoop(15, block) },
    ],
  },
  {
    version: 3,
    name: "D2TCP with deadlines of two lengths, beside none",
    durationUs: 8000,
    topology: { shape: { kind: "dumbbell", senders: 3, receivers: 1 }, linkGbps: 10, baseRttUs: 30 },
    switch: { ecnThresholdPackets: 30 },
    host: { startJitterUs: 0 },
    classes: [
      { name: "Near", transport: "d2tcp", latencyTargetUs: 400 },
      { name: "Far", transport: "d2tcp", latencyTargetUs: 1500 },
      { name: "None", transport: "d2tcp" },
    ],
    workloads: ["Near", "Far", "None"].map((name, host) => ({
      class: name,
      endpoints: pairs([host], [3]),
      connections: 3,
      traffic: openLoop(3.2, { kind: "exponential", meanBytes: 100_000 }),
    })),
  },
  {
    version: 3,
    name: "QTCP: a tail latency beside shares",
    durationUs: 8000,
    topology: { shape: { kind: "dumbbell", senders: 3, receivers: 1 }, linkGbps: 25, baseRttUs: 25 },
    switch: { ecnThresholdPackets: 40 },
    host: { startJitterUs: 0 },
    classes: [
      { name: "Quick", goal: "latency", latencyTargetUs: 200, percentile: 90 },
      { name: "High", ratio: 3 },
      { name: "Low", ratio: 1 },
    ],
    workloads: [
      { class: "Quick", endpoints: pairs([0], [3]), connections: 4, traffic: openLoop(5, block) },
      { class: "High", endpoints: pairs([1], [3]), connections: 2, traffic: backlogged },
      {
        class: "Low",
        endpoints: pairs([2], [3]),
        traffic: openLoop(12, { kind: "published", distribution: "web-search", scale: 0.05 }),
      },
    ],
  },
  {
    version: 3,
    name: "Shares that adapt to an intruder",
    durationUs: 6000,
    topology: { shape: { kind: "fat-tree", k: 4 }, linkGbps: 40 },
    host: { startJitterUs: 0 },
    classes: [...qtcp, { name: "Intruder", transport: "dctcp" }],
    qos: { adaptToInterference: true, interferenceIntervalRtts: 2 },
    workloads: [
      { class: "High", endpoints: pairs([0], [12]), traffic: backlogged },
      { class: "Low", endpoints: pairs([4], [12]), traffic: backlogged },
      {
        class: "Intruder",
        endpoints: pairs([8], [12]),
        startUs: 1500,
        stopUs: 4000,
        traffic: openLoop(15, { kind: "published", distribution: "ali-storage2019" }),
      },
    ],
  },
  {
    version: 3,
    name: "Swift: large windows, and many below a packet, with losses and a target that changes",
    durationUs: 6000,
    topology: { shape: { kind: "leaf-spine", leaves: 2, spines: 2, hostsPerLeaf: 4 }, linkGbps: 10 },
    switch: { ecnThresholdPackets: 30, bufferPackets: 100 },
    host: { startJitterUs: 0, minimumRtoUs: 500 },
    classes: [
      { name: "Few", transport: "swift", swift: { flowScalingUs: 0 } },
      { name: "Many", transport: "swift", swift: { baseTargetUs: 10, minimumWindowPackets: 0.1 } },
      { name: "Marks", transport: "dctcp" },
    ],
    workloads: [
      { class: "Few", endpoints: pairs([0], [4]), traffic: openLoop(4, block) },
      { class: "Many", endpoints: pairs([1, 2, 5], [7]), connections: 30, traffic: backlogged },
      { class: "Marks", endpoints: pairs([3], [4]), startUs: 2000, traffic: backlogged },
    ],
    timeline: [
      { atUs: 3000, path: "classes[0].swift.baseTargetUs", value: 60 },
      { atUs: 4000, path: "classes[2].transport", value: "swift" },
      { atUs: 5000, path: "classes[1].transport", value: "timely" },
    ],
  },
  {
    version: 3,
    name: "Every transport, buffering and priority, one after the other while it runs",
    durationUs: 5000,
    topology: { shape: { kind: "dumbbell", senders: 4, receivers: 1 }, linkGbps: 40 },
    switch: { ecnThresholdPackets: 40, sharedBufferBytes: 1_000_000 },
    host: { startJitterUs: 0, minimumRtoUs: 1000 },
    classes: [
      { name: "First", ratio: 2, latencyTargetUs: 500 },
      { name: "Second", transport: "dctcp" },
    ],
    workloads: [
      { class: "First", endpoints: pairs([0, 1], [4]), traffic: openLoop(25, block) },
      { class: "Second", endpoints: pairs([2, 3], [4]), traffic: backlogged },
    ],
    timeline: [
      { atUs: 400, path: "classes[0].transport", value: "qrdma" },
      { atUs: 800, path: "switch.buffering", value: "pfc" },
      { atUs: 1200, path: "classes[0].priority", value: 5 },
      { atUs: 1600, path: "classes[1].transport", value: "dcqcn" },
      { atUs: 2000, path: "classes[1].dcqcn.set", value: "hpcc" },
      { atUs: 2400, path: "switch.buffering", value: "shared" },
      { atUs: 2800, path: "classes[0].transport", value: "timely" },
      { atUs: 3200, path: "classes[1].transport", value: "d2tcp" },
      { atUs: 3600, path: "switch.buffering", value: "per-port" },
      { atUs: 4000, path: "classes[0].transport", value: "qtcp" },
      { atUs: 4200, path: "classes[0].goal", value: "latency" },
      { atUs: 4600, path: "classes[0].priority", value: 0 },
    ],
  },
  {
    version: 3,
    name: "Reads and writes, on lasting connections and flow by flow",
    durationUs: 4000,
    topology: { shape: { kind: "leaf-spine", leaves: 2, spines: 2, hostsPerLeaf: 4 }, linkGbps: 25 },
    classes: [
      { name: "High", ratio: 2, latencyTargetUs: 200 },
      { name: "Low", transport: "qrdma", dirs: { enabled: true } },
    ],
    workloads: [
      {
        class: "High",
        endpoints: { kind: "pairs", initiators: ["h0", "h1"], targets: ["h4"] },
        readFraction: 0.7,
        connections: 2,
        traffic: openLoop(15, block),
      },
      {
        class: "Low",
        endpoints: { kind: "incast", target: "h5", initiators: 3 },
        readFraction: 1,
        connections: 4,
        flows: "per-request",
        traffic: openLoop(20, block),
      },
      {
        class: "Low",
        endpoints: { kind: "pairs", initiators: ["h2"], targets: ["h6"] },
        readFraction: 1,
        startUs: 1000,
        traffic: backlogged,
      },
    ],
  },
  {
    version: 3,
    name: "Reads and writes of SSDs and memories over every protocol, changed on the way",
    durationUs: 4000,
    topology: { shape: { kind: "dumbbell", senders: 4, receivers: 1 }, linkGbps: 25 },
    classes: [
      { name: "High", ratio: 3 },
      { name: "Low", transport: "dctcp" },
      { name: "Memory", transport: "qrdma", priority: 5 },
    ],
    storage: {
      servers: [
        {
          host: "h4",
          devices: [
            { name: "a", kind: "ssd" },
            { name: "b", kind: "ssd" },
            { name: "pm", kind: "persistent-memory" },
          ],
        },
      ],
      ssd: {
        blocksPerPlane: 64,
        pagesPerBlock: 32,
        cacheBytes: 2_000_000,
        precondition: "random",
        occupancy: 1,
      },
    },
    access: { protocol: "nvme-tcp" },
    workloads: [
      stored("High", "h0", "h4", { readFraction: 0.5 }),
      stored("Low", "h1", "h4", { readFraction: 0.3, protocol: "iscsi" }),
      stored("Memory", "h2", "h4", { protocol: "nvme-rdma", devices: "persistent-memory" }),
      stored("Low", "h3", "h3", { readFraction: 0.5, protocol: "local" }),
    ],
    timeline: [
      { atUs: 800, path: "storage.treatment", value: "agnostic" },
      { atUs: 1200, path: "storage.nvme.deviceCommands", value: 8 },
      { atUs: 1600, path: "storage.ssd.writeCache", value: false },
      { atUs: 2000, path: "storage.ssd.suspension", value: "none" },
      { atUs: 2400, path: "storage.treatment", value: "inverted" },
    ],
  },
  {
    version: 3,
    name: "Submission queues by strict priority, weighed on the way",
    durationUs: 3000,
    topology: { shape: { kind: "dumbbell", senders: 3, receivers: 1 }, linkGbps: 25 },
    classes: [
      { name: "Urgent", nvmePriority: "urgent" },
      { name: "High", ratio: 3, nvmePriority: "high" },
      { name: "Low", nvmePriority: "low" },
    ],
    storage: {
      servers: [{ host: "h3", devices: [{ name: "a", kind: "ssd" }] }],
      nvme: { arbitration: "strict-priority", burst: 2, deviceCommands: 4 },
    },
    access: { protocol: "nvme-rdma" },
    workloads: [
      stored("Urgent", "h0", "h3", { readFraction: 1, traffic: openLoop(1, block) }),
      stored("High", "h1", "h3", { readFraction: 1 }),
      stored("Low", "h2", "h3", { readFraction: 0.5 }),
    ],
    timeline: [{ atUs: 1500, path: "storage.nvme.arbitration", value: "weighted-round-robin" }],
  },
  {
    version: 3,
    name: "Groups of tenants whose bursts climb a ladder, changed on the way",
    durationUs: 60_000,
    topology: { shape: { kind: "dumbbell", senders: 3, receivers: 1 }, linkGbps: 25 },
    classes: [
      { name: "High", ratio: 3, vxlanGroup: 7 },
      { name: "Medium", ratio: 2, vxlanGroup: 7 },
      { name: "Low", transport: "dctcp", burstBit: false },
    ],
    storage: {
      servers: [
        {
          host: "h3",
          devices: [
            { name: "a", kind: "constant-capacity" },
            { name: "b", kind: "constant-capacity" },
          ],
        },
      ],
      tenants: {
        scheduler: "burst-ladder",
        ladder: { amount: 4, first: 2, second: 5, end: 12, stepUs: 1000 },
      },
      constant: { capacityIops: 20_000 },
    },
    access: { protocol: "nvme-tcp" },
    workloads: [
      stored("High", "h0", "h3", { stopUs: 20_000 }),
      stored("Medium", "h1", "h3", { traffic: openLoop(0.2, block) }),
      stored("Low", "h2", "h3", {}),
    ],
    timeline: [
      { atUs: 10_500, path: "storage.tenants.ladder.stepUs", value: 700 },
      { atUs: 20_500, path: "classes[2].burstBit", value: true },
      { atUs: 30_500, path: "classes[1].vxlanGroup", value: 8 },
      { atUs: 40_500, path: "storage.tenants.scheduler", value: "wf2q-plus" },
      { atUs: 45_500, path: "storage.tenants.scheduler", value: "burst-ladder" },
    ],
  },
  {
    version: 3,
    name: "Tenants with and without contracts under one scheduler after the other",
    durationUs: 10_000 * (schedulers.length + 1),
    topology: { shape: { kind: "dumbbell", senders: 3, receivers: 1 }, linkGbps: 25 },
    classes: [
      {
        name: "High",
        contract: [
          { burst: 4, rateIops: 4000, responseUs: 1000 },
          { burst: 16, rateIops: 6000, responseUs: 4000 },
        ],
      },
      { name: "Medium", contract: [{ burst: 8, rateIops: 5000, responseUs: 2000 }] },
      { name: "Low", ratio: 2, transport: "dctcp" },
    ],
    storage: {
      servers: [{ host: "h3", devices: [{ name: "a", kind: "constant-capacity" }] }],
      constant: { capacityIops: 20_000 },
    },
    access: { protocol: "nvme-tcp" },
    workloads: [
      stored("High", "h0", "h3", { traffic: openLoop(0.5, block) }),
      stored("Medium", "h1", "h3", { traffic: openLoop(1, block) }),
      stored("Low", "h2", "h3", {}),
    ],
    timeline: schedulers.map((value, number) => ({
      atUs: 10_000 * (number + 1) - 500,
      path: "storage.tenants.scheduler",
      value,
    })),
  },
  {
    version: 3,
    name: "An urgent sub-class beside another of the same DSCP, changed on the way",
    durationUs: 2000,
    topology: { shape: { kind: "dumbbell", senders: 2, receivers: 1 }, linkGbps: 25 },
    switch: {
      ...pausing,
      dscpMap: [
        { dscp: 26, priority: 3 },
        { dscp: 46, priority: 6 },
      ],
    },
    classes: [
      { name: "High", transport: "dcqcn", dscp: 26, urgentSubclass: true },
      { name: "Low", transport: "dcqcn", dscp: 26 },
    ],
    workloads: [
      {
        class: "High",
        endpoints: { kind: "incast", target: "h2", initiators: 2 },
        connections: 3,
        traffic: openLoop(4, block),
      },
      {
        class: "Low",
        endpoints: { kind: "incast", target: "h2", initiators: 2 },
        connections: 6,
        traffic: backlogged,
      },
    ],
    timeline: [
      { atUs: 700, path: "classes[1].dscp", value: 46 },
      { atUs: 1200, path: "classes[1].urgentSubclass", value: true },
      { atUs: 1600, path: "classes[0].urgentSubclass", value: false },
    ],
  },
];
