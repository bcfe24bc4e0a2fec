import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import threeWriters from "../../../scenarios/presets/three-writers.json";
import { EngineClient } from "../engine/run/client.ts";
import type { Phase, Reply, RunRequest } from "../engine/run/protocol.ts";
import { createSession, type Session } from "../engine/run/session.ts";
import { engineSays } from "../engine/run/testEngine.ts";
import type { Reading, RunLayout } from "../run/types.ts";
import { decodeView } from "../scenario/codec.ts";
import { setPaths } from "../scenario/path.ts";
import { createScenarioStore } from "../scenario/store.ts";
import type { Diagnostic, Scenario } from "../scenario/types.ts";
import { SessionProvider } from "./context.tsx";

/**
 * For tests of components: a session without a run, whose worker is played by the test. What is said of the parameters in force
 * comes from the engine.
 */
export interface TestSession {
  readonly session: Session;
  /** What the page asked the worker for. */
  readonly requests: RunRequest[];
  /** Answers the last load with a run of two samples and brings it to an instant. */
  run(nowUs: number, phase?: Phase): void;
  /** Answers the last load with what the engine has against it. */
  refuse(diagnostic: Diagnostic): void;
  /** Puts a part of the page into the document. */
  show(part: ReactNode): ReturnType<typeof render>;
}

export const testScenario = threeWriters as unknown as Scenario;

const PER_CLASS = ["goodputGbps", "targetGbps", "qualityFactor", "rateGbps"];
const FIGURES = [
  "carriedGbps",
  "targetGbps",
  "qualityFactor",
  "requestsCompleted",
  "p50Us",
  "p99Us",
  "p999Us",
];
const QUEUE = ["timeUs", "queueMinimum", "queueMaximum", "queueMean", "markedFraction"];

const STAGES = [
  "hostQueue",
  "networkOut",
  "target",
  "submissionQueue",
  "deviceQueue",
  "garbageCollection",
  "channel",
  "media",
  "networkBack",
];

/** Stages of writes alone, whose slowest take ten times as long: 10.4 us at the host and 40.4 us in the network. */
const stagesOf = ({ classes }: Scenario): Float32Array<ArrayBuffer> => {
  const writes = [10.4, 40.4, 0, 0, 0, 0, 0, 0, 0];
  const none = [...new Array<number>(2 * STAGES.length).fill(Number.NaN), 0];
  const some = [...writes, ...writes.map((us) => 10 * us), 2000];
  return new Float32Array(classes.flatMap(() => [...none, ...some, ...some]));
};

const layoutOf = ({ classes, durationUs }: Scenario): RunLayout => ({
  version: "0.1.0",
  hash: "0123456789abcdef",
  classes: classes.map(({ name }) => ({ name, transport: "qtcp" })),
  samplePeriodUs: 10,
  baseRttUs: 25,
  classRttUs: [],
  convergenceBand: 0.05,
  warmupUs: 0,
  durationUs,
  nowUs: 1000,
  sampleColumns: [...QUEUE, ...classes.flatMap((_, i) => PER_CLASS.map((name) => `${name}.${i}`))],
  flowColumns: ["rateGbps.0", "qualityFactor.0"],
  stages: STAGES,
  deviceColumns: [],
  devices: [],
  figureColumns: FIGURES,
  graph: {
    nodes: ["h0", "s1"].map((name, index) => ({
      name,
      kind: "host" as const,
      tier: 0,
      pod: -1,
      index,
      storage: index === 1,
    })),
    links: [{ from: 0, to: 1, gbps: 100 }],
    flows: [{ class: 0, source: 0, destination: 1, path: [0] }],
    bottleneck: 0,
  },
});

/** Two samples; class i carries 10 (i + 1) Gb/s of as much. */
function samplesOf({ classes }: Scenario): Reading {
  const row = (us: number) => [
    us,
    5,
    15,
    10,
    0.1,
    ...classes.flatMap((_, i) => [10 * (i + 1), 10 * (i + 1), 1, 5]),
  ];
  return {
    rows: new Float64Array([...row(10), ...row(20)]),
    flowRows: new Float64Array([5, 1, 5, 1]),
    figures: new Float64Array(
      classes.flatMap((_, i) => [10 * (i + 1), 10 * (i + 1), 1, 2000, 100, 200, 300]),
    ),
  };
}

export function testSession(scenario = testScenario): TestSession {
  const requests: RunRequest[] = [];
  let inForce = scenario;
  const worker = {
    onmessage: null as ((event: { data: Reply }) => void) | null,
    onerror: null,
    postMessage(request: RunRequest) {
      requests.push(request);
      if (request.kind !== "change") return;
      inForce = setPaths(inForce, request.changes);
      reply({
        kind: "explained",
        generation: request.generation,
        explanation: engineSays(inForce),
        reading: {},
      });
    },
    terminate() {},
  };
  const session = createSession(
    createScenarioStore(scenario),
    { reducedMotion: false },
    (onReply) => new EngineClient(onReply, () => worker as unknown as Worker),
    async (source) => ({
      kind: "accepted",
      scenario,
      ...(source.kind === "link" && { view: decodeView(source.fragment) }),
    }),
  );
  const reply = (data: Reply) => worker.onmessage?.({ data });
  return {
    session,
    requests,
    run(nowUs, phase = "paused") {
      const generation = requests.findLast(({ kind }) => kind === "load")?.generation ?? 0;
      const layout = layoutOf(session.scenario);
      inForce = session.scenario;
      reply({
        kind: "loaded",
        generation,
        layout,
        explanation: engineSays(inForce),
        warnings: [],
        reading: {},
      });
      reply({
        kind: "frame",
        generation,
        phase,
        reading: {
          nowUs,
          ...samplesOf(session.scenario),
          links: new Float32Array([0.5, 3, 0]),
          stages: stagesOf(session.scenario),
          latency: session.scenario.classes.map(() => new Float64Array([100, 1, 200, 0.01])),
        },
        changesInForce: (session.scenario.timeline ?? []).filter(({ atUs }) => atUs <= nowUs).length,
        hopsPerSecond: 1e7,
        forecast: null,
        paced: true,
        digest: null,
      });
    },
    refuse(diagnostic) {
      const generation = requests.findLast(({ kind }) => kind === "load")?.generation ?? 0;
      reply({ kind: "diagnostics", generation, of: "load", diagnostics: [diagnostic] });
    },
    show: (part) => render(<SessionProvider session={session}>{part}</SessionProvider>),
  };
}
