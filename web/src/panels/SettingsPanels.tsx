import type { ReactNode } from "react";
import { recommendedThreshold, thresholdSentence } from "../scenario/recommend.ts";
import { defaultShape } from "../scenario/reshape.ts";
import { valueAt } from "../scenario/schema.ts";
import { withoutChanges } from "../scenario/timeline.ts";
import { hostCount, switchCount } from "../scenario/topology.ts";
import { transportName, transportOf } from "../scenario/transports.ts";
import type { Shape, ShapeKind } from "../scenario/types.ts";
import { formatField, packetsToBytes, packetsToUs } from "../scenario/units.ts";
import { Button, IconButton } from "../ui/Button.tsx";
import { MathSymbol } from "../ui/MathSymbol.tsx";
import { Select } from "../ui/Select.tsx";
import { describeChange } from "./changeText.ts";
import { packetScale, useEffectiveScenario, useRun, useScenario, useSession } from "./context.tsx";
import { Disclosure } from "./Disclosure.tsx";
import { hoverHint, ParameterRow } from "./ParameterRow.tsx";
import { TransportRows } from "./TransportRows.tsx";
import "./SettingsPanels.css";

interface PanelProps {
  readonly id: string;
  readonly title: string;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

function Panel({ id, title, note, children }: PanelProps) {
  return (
    <section className="panel" id={`panel-${id}`} aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        {note && <span className="note">{note}</span>}
      </header>
      {children}
    </section>
  );
}

/** Fields that few scenarios need, by group. */
const MORE: readonly { readonly title: string; readonly paths: readonly string[] }[] = [
  {
    title: "Network",
    paths: [
      "topology.hostDelayUs",
      "topology.switchDelayUs",
      "topology.routing",
      "topology.frameOverheadBytes",
      "qos.capacityGbps",
    ],
  },
  { title: "Class control", paths: ["qos.growthSlot", "qos.markInDeficit"] },
  {
    title: "Host",
    paths: [
      "host.mtuBytes",
      "host.headerBytes",
      "host.initialWindowPackets",
      "host.maximumWindowPackets",
      "host.minimumWindowPackets",
      "host.minimumRtoUs",
      "host.delayedAckPackets",
      "host.delayedAckTimeoutUs",
      "host.queuePackets",
    ],
  },
  {
    title: "Measurement",
    paths: [
      "measurement.warmupUs",
      "measurement.samplePeriodUs",
      "measurement.convergenceBand",
      "measurement.convergenceRtts",
    ],
  },
];

/** Everything else that a scenario can say, folded away. */
export function MorePanel() {
  return (
    <details className="panel more" id="panel-more">
      <summary>More settings</summary>
      {MORE.map(({ title, paths }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          {paths.map((path) => (
            <ParameterRow key={path} path={path} />
          ))}
        </section>
      ))}
    </details>
  );
}

const SHAPES: readonly { readonly value: Exclude<ShapeKind, "custom">; readonly title: string }[] = [
  { value: "fat-tree", title: "Fat-tree" },
  { value: "leaf-spine", title: "Leaf–spine" },
  { value: "dumbbell", title: "Dumbbell" },
];

/** Fields of each shape, in the order of the rows. */
const SHAPE_FIELDS: Readonly<Record<ShapeKind, readonly string[]>> = {
  "fat-tree": [],
  "leaf-spine": ["leaves", "spines", "hostsPerLeaf", "uplinkGbps"],
  dumbbell: ["senders", "receivers", "switches", "trunkGbps"],
  custom: [],
};

const PORTS = [2, 4, 6, 8, 10, 12, 14, 16];

export function NetworkPanel() {
  const session = useSession();
  const shown = useEffectiveScenario();
  const scenario = useScenario();
  const { shape } = shown.topology;
  const baseRttUs = useRun((run) => run.view?.layout.baseRttUs);
  const choose = (next: Shape) => session.change([{ path: "topology.shape", value: next }]);
  return (
    <Panel
      id="network"
      title="Network"
      note={`${hostCount(shape)} hosts, ${switchCount(shape)} ${switchCount(shape) === 1 ? "switch" : "switches"}`}
    >
      <div className="row">
        <div className="row-main">
          <label className="row-label" htmlFor="shape" {...hoverHint("topology.shape")}>
            Topology {shape.kind === "fat-tree" && <MathSymbol>k</MathSymbol>}
          </label>
          <Select
            id="shape"
            value={shape.kind}
            options={shape.kind === "custom" ? [...SHAPES, { value: "custom", title: "Custom" }] : SHAPES}
            onChange={(kind) => choose(defaultShape(kind as (typeof SHAPES)[number]["value"], scenario))}
          />
          {shape.kind === "fat-tree" && (
            <Select
              aria-label="Ports per switch, k"
              value={String(shape.k)}
              options={[...new Set([...PORTS, shape.k])].map((k) => ({ value: String(k), title: k }))}
              onChange={(k) => choose({ kind: "fat-tree", k: Number(k) })}
            />
          )}
        </div>
      </div>
      {SHAPE_FIELDS[shape.kind].map((name) => (
        <ParameterRow key={name} path={`topology.shape.${name}`} placeholder="as links" />
      ))}
      <ParameterRow path="topology.linkGbps" />
      <ParameterRow path="topology.linkDelayUs" />
      <ParameterRow path="topology.baseRttUs" fallback={baseRttUs} />
    </Panel>
  );
}

/** Recommended band of K for the network as it is; null before its round trip is known. */
export function useThresholdBand() {
  const shown = useEffectiveScenario();
  const baseRttUs = useRun((run) => run.view?.layout.baseRttUs);
  const wanted = shown.topology.baseRttUs ?? baseRttUs;
  return wanted ? recommendedThreshold(wanted, packetScale(shown)) : null;
}

/** Fields of the switch that apply as it is, by what becomes of packets without room. */
const MEMORY: Readonly<Record<string, readonly string[]>> = {
  "per-port": ["switch.bufferPackets"],
  shared: ["switch.sharedBufferBytes", "switch.threshold"],
  pfc: ["switch.sharedBufferBytes", "switch.threshold"],
};

/** Everything else a switch has, folded away. */
const SWITCH_DETAILS = [
  "switch.markingPoint",
  "switch.xonOffsetBytes",
  "switch.headroomBytes",
  "switch.guaranteedBytes",
  "switch.urgentReservePackets",
  "switch.bufferBytes",
];

export function SwitchPanel() {
  const shown = useEffectiveScenario();
  const band = useThresholdBand();
  const scale = packetScale(shown);
  const threshold = Number(valueAt(shown, "switch.ecnThresholdPackets"));
  const us = packetsToUs(threshold, scale);
  const marking = valueAt(shown, "switch.marking");
  const buffering = String(valueAt(shown, "switch.buffering"));
  const limit =
    valueAt(shown, "switch.threshold") === "static" ? "switch.xoffBytes" : "switch.thresholdAlpha";
  return (
    <Panel id="switch" title="Switch">
      <ParameterRow path="switch.ecnThresholdPackets" slider band={band}>
        <p className="readings">
          <b>{threshold} packets</b>
          <span>=</span>
          <b>{Number((packetsToBytes(threshold, scale) / 1000).toPrecision(4))} KB</b>
          <span>=</span>
          <b>{us.toPrecision(3)} µs</b> at {formatField(scale.linkGbps)} Gb/s
        </p>
        {band && marking !== "off" && <p className="row-note">{thresholdSentence(threshold, band, scale)}</p>}
      </ParameterRow>
      <ParameterRow path="switch.marking" title="Marking" />
      {marking === "red" && (
        <>
          <ParameterRow path="switch.redMaximumPackets" />
          <ParameterRow path="switch.redMaximumProbability" />
        </>
      )}
      <ParameterRow path="switch.buffering" />
      {MEMORY[buffering]?.map((path) => (
        <ParameterRow key={path} path={path} />
      ))}
      {buffering !== "per-port" && <ParameterRow path={limit} />}
      <Disclosure title="Thresholds, headroom, marking point">
        {SWITCH_DETAILS.map((path) => (
          <ParameterRow
            key={path}
            path={path}
            {...(path === "switch.headroomBytes" && { placeholder: "auto" })}
          />
        ))}
      </Disclosure>
    </Panel>
  );
}

export function TransportPanel() {
  const shown = useEffectiveScenario();
  const transports = [...new Set(shown.classes.map((_, index) => transportOf(shown, index)))];
  const adapts = valueAt(shown, "qos.adaptToInterference") === true;
  return (
    <Panel id="transport" title="Transport" note={`all classes: ${transports.map(transportName).join(", ")}`}>
      <TransportRows prefix="transport" transports={transports} />
      <ParameterRow path="qos.adaptToInterference" />
      {adapts && (
        <>
          <ParameterRow path="qos.interferenceTolerance" />
          <ParameterRow path="qos.interferenceIntervalRtts" />
        </>
      )}
    </Panel>
  );
}

/** Seeds that are easy to read out. */
const newSeed = () => 1 + Math.floor(Math.random() * 99_999);

export function RunPanel() {
  const session = useSession();
  return (
    <Panel id="run" title="Run">
      <div className="run-rows">
        <ParameterRow path="seed" />
        <IconButton
          icon="dice"
          label="Another seed"
          onClick={() => session.change([{ path: "seed", value: newSeed() }])}
        />
        <ParameterRow path="durationUs" />
      </div>
      <RecordedChanges />
    </Panel>
  );
}

/** Recorded changes that are listed: the last ones. */
const LISTED = 100;

/** The changes made while the run was going on, and the way to forget them. */
function RecordedChanges() {
  const session = useSession();
  const scenario = useScenario();
  const timeline = scenario.timeline ?? [];
  if (timeline.length === 0) return null;
  const first = Math.max(0, timeline.length - LISTED);
  return (
    <div className="recorded">
      <h3>
        {timeline.length === 1 ? "1 recorded change" : `${timeline.length} recorded changes`}
        <Button look="link" onClick={() => session.edit(withoutChanges(scenario))}>
          Clear
        </Button>
      </h3>
      {first > 0 && <p className="row-note">The last {LISTED} of them:</p>}
      <ol>
        {timeline.slice(first).map((change, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry is told from another of the same instant by its place alone
          <li key={first + i}>
            <span className="note">{(change.atUs / 1000).toFixed(3)} ms</span>{" "}
            {describeChange(scenario, change)}
          </li>
        ))}
      </ol>
    </div>
  );
}
