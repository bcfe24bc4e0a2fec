import { figure } from "../../run/read.ts";
import type { RunView } from "../../run/types.ts";
import { marks } from "../../scenario/marking.ts";
import { withValue } from "../../scenario/reshape.ts";
import { valueAt } from "../../scenario/schema.ts";
import { followsQuality, isRateBased, transportOf } from "../../scenario/transports.ts";
import type { Scenario } from "../../scenario/types.ts";
import { deadlockSentence } from "../../topology/index.ts";

/** What a run shows that one should know to read it, and what would prevent it. */
export interface Advisory {
  readonly id: "deadlock" | "retransmissions" | "host-bottleneck";
  readonly sentence: string;
  /** Where a setting prevents it: the button's words, and the scenario with it. */
  readonly remedy?: { readonly label: string; readonly scenario: Scenario };
}

/** What to say of a run, the gravest first. */
export function advisories(run: RunView, scenario: Scenario, origin = scenario): Advisory[] {
  return [
    deadlock(run, scenario),
    retransmissions(run, scenario),
    hostBottleneck(run, scenario, origin),
  ].filter((advisory) => advisory !== null);
}

const withMarking = (scenario: Scenario) => ({
  remedy: { label: "Rerun with ECN marking", scenario: withValue(scenario, "switch.marking", "step") },
});

const withPauses = (scenario: Scenario) => ({
  remedy: { label: "Rerun with pause frames", scenario: withValue(scenario, "switch.buffering", "pfc") },
});

/** Which links will never move again, and what would have kept them moving. */
function deadlock(run: RunView, scenario: Scenario): Advisory | null {
  const sentence = deadlockSentence(run);
  if (!sentence) return null;
  return {
    id: "deadlock",
    sentence: `${sentence} ${marks(scenario) ? "Earlier ECN marking" : "ECN marking"}, more buffer memory or loop-free routes prevent it.`,
    ...(!marks(scenario) && withMarking(scenario)),
  };
}

/** Share of the packets from which on retransmissions are more than the price of a loss now and then. */
const WASTED = 0.05;

/** Which class wastes how much of the link on packets that it sends again. */
function retransmissions(run: RunView, scenario: Scenario): Advisory | null {
  const wasteful = run.classes
    .map(({ name }, index) => ({ name, index, share: figure(run, index, "retransmittedFraction") }))
    .filter(({ share }) => share >= WASTED)
    .sort((a, b) => b.share - a.share);
  const [worst, ...others] = wasteful;
  if (!worst) return null;
  const more =
    others.length > 0
      ? `, ${others.map(({ name, share }) => `${percent(share)} of ${name}`).join(", ")}`
      : "";
  const said = `${percent(worst.share)} of the packets ${worst.name} sent were retransmissions${more}.`;
  const rdma = wasteful.some(({ index }) => isRateBased(transportOf(scenario, index)));
  const pauses = valueAt(scenario, "switch.buffering") === "pfc";
  if (rdma && !pauses) {
    return {
      id: "retransmissions",
      sentence: `${said} RDMA sends everything after a lost packet again; pause frames (PFC) prevent losses.`,
      ...withPauses(scenario),
    };
  }
  if (!marks(scenario)) {
    return {
      id: "retransmissions",
      sentence: `${said} ECN marking slows senders before packets are lost.`,
      ...withMarking(scenario),
    };
  }
  return {
    id: "retransmissions",
    sentence: `${said} A lower ECN threshold K or a larger buffer prevents losses.`,
  };
}

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}\u202f%`;

/**
 * Classes that share the port of a host, which does not mark: nothing steers them, and Q stays where it comes to lie. A
 * larger fat-tree is offered where its hosts give the classes more ports to send from.
 */
function hostBottleneck(run: RunView, scenario: Scenario, origin: Scenario): Advisory | null {
  const { nodes, links, flows, bottleneck } = run.layout.graph;
  const host = nodes[links[bottleneck]?.from ?? -1];
  if (host?.kind !== "host") return null;
  const sharing = new Set(flows.filter(({ path }) => path.includes(bottleneck)).map((flow) => flow.class));
  if (sharing.size < 2 || ![...sharing].some((index) => followsQuality(transportOf(scenario, index))))
    return null;
  const larger = withValue(scenario, "topology.shape", { kind: "fat-tree", k: PORTS }, origin);
  return {
    id: "host-bottleneck",
    sentence: `${sharing.size} classes send from host ${host.name}, and its own port is the bottleneck. Host ports do not mark packets, so nothing steers the classes to their targets. Let them send from hosts of their own.`,
    ...(sendingHosts(larger) > sendingHosts(scenario) && {
      remedy: { label: `Use a fat-tree with k = ${PORTS}`, scenario: larger },
    }),
  };
}

/** Ports per switch of the smallest fat-tree in which classes send from hosts of their own. */
const PORTS = 4;

const sendingHosts = ({ workloads }: Scenario): number =>
  new Set(workloads.flatMap(({ endpoints }) => (endpoints.kind === "pairs" ? endpoints.initiators : [])))
    .size;
