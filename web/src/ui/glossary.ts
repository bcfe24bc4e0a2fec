/** A term of the field: what it stands for, and what it is. What a setting is stands in the schema, not here. */
export interface GlossaryEntry {
  readonly term: string;
  readonly sentence: string;
}

/** Terms on the screen that are not settings. */
export const GLOSSARY = {
  quality: {
    term: "Quality factor Q",
    sentence:
      "The target of a class divided by what it gets. 1 is on target, 2 is half of it, 0.5 twice as much. QTCP and QRDMA steer every class towards 1.",
  },
  target: {
    term: "Target",
    sentence:
      "What a class should get of the payload that the bottleneck carries: its ratio over the sum of all.",
  },
  p50: { term: "p50", sentence: "The median: half of the requests are faster." },
  p99: { term: "p99", sentence: "99 of 100 requests are faster." },
  p999: { term: "p99.9", sentence: "999 of 1000 requests are faster." },
  rtt: {
    term: "RTT",
    sentence: "Round-trip time: a full packet out and its acknowledgement back, with empty queues.",
  },
  digest: {
    term: "Digest",
    sentence:
      "A fingerprint of all results so far. The same scenario and seed give the same digest in every browser and on the command line.",
  },
  ecn: {
    term: "ECN",
    sentence:
      "Explicit congestion notification: a switch marks packets instead of dropping them, and their senders slow down.",
  },
  cnp: {
    term: "CNP",
    sentence:
      "Congestion notification packet: what an RDMA receiver sends back when marked packets arrive. Its sender lowers the rate.",
  },
  pfc: {
    term: "Pause frame",
    sentence:
      "A switch short of buffer memory stops the sender at the other end of a link, one priority at a time (priority flow control, IEEE 802.1Qbb).",
  },
  goodput: {
    term: "Goodput",
    sentence: "Payload delivered per second, without headers and retransmissions.",
  },
  bottleneck: {
    term: "Bottleneck",
    sentence:
      "The link whose demand is the largest multiple of its rate. The queue shown is that of its port.",
  },
  model: {
    term: "Model (DTM)",
    sentence:
      "The discrete-time model of the papers: what theory predicts for the same bottleneck, slot by slot.",
  },
  wrr: {
    term: "WRR",
    sentence: "Weighted round robin: queues are served in turn, each as often as its weight says.",
  },
} as const satisfies Readonly<Record<string, GlossaryEntry>>;

export type TermId = keyof typeof GLOSSARY;
