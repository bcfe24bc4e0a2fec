import type { ReactNode } from "react";
import { useStore } from "zustand";
import type { Explanation } from "../scenario/explanation.ts";
import { marks } from "../scenario/marking.ts";
import { type Band, thresholdBand, thresholdSentence } from "../scenario/recommend.ts";
import { defaultShape } from "../scenario/reshape.ts";
import { fieldAt, kindsAt, valueAt } from "../scenario/schema.ts";
import { originOf } from "../scenario/store.ts";
import { triesOf } from "../scenario/story.ts";
import { withoutChanges } from "../scenario/timeline.ts";
import { transportName } from "../scenario/transports.ts";
import type { Shape, ShapeKind } from "../scenario/types.ts";
import { formatField, packetsToBytes, packetsToUs } from "../scenario/units.ts";
import { Button, IconButton } from "../ui/Button.tsx";
import { MathSymbol } from "../ui/MathSymbol.tsx";
import { late } from "../ui/onDemand.tsx";
import { Select } from "../ui/Select.tsx";
import { describeChange } from "./changeText.ts";
import {
  packetScale,
  useEffectiveScenario,
  useExplanation,
  useRun,
  useScenario,
  useSession,
} from "./context.tsx";
import { PanelRows, SettingsPanel } from "./PanelRows.tsx";
import { hoverHint, ParameterRow, type ParameterRowProps } from "./ParameterRow.tsx";
import { Recommend } from "./Recommend.tsx";
import { FieldLock } from "./Settings.tsx";
import { ACCESS_PROTOCOL, moreSections, THRESHOLD, transportsOf } from "./settingRows.ts";
import "./SettingsPanels.css";

const ServersList = late(() => import("./ServersList.tsx"));

/** Everything else that a scenario can say, folded away. */
export function MorePanel() {
  return (
    <details className="panel more" id="panel-more">
      <summary>More settings</summary>
      {moreSections(useEffectiveScenario()).map(({ title, rows }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <PanelRows rows={rows} />
        </section>
      ))}
    </details>
  );
}

/** Ports per switch that a fat-tree may have: even numbers, up to the most. */
const PORTS = Array.from(
  { length: (fieldAt("topology.shape.k", { topology: { shape: { kind: "fat-tree" } } }).maximum ?? 0) / 2 },
  (_, half) => 2 * (half + 1),
);

export function NetworkPanel() {
  const { hosts, switches } = useExplanation().network;
  return (
    <SettingsPanel
      id="network"
      note={`${hosts} hosts, ${switches} ${switches === 1 ? "switch" : "switches"}`}
      special={{ "topology.shape": <ShapeRow /> }}
    />
  );
}

/** Which generator makes the network, and of a fat-tree its size. */
function ShapeRow() {
  const session = useSession();
  const shown = useEffectiveScenario();
  const scenario = useScenario();
  const { shape } = shown.topology;
  const kinds = kindsAt("topology.shape", shown).filter(
    ({ value }) => value !== "custom" || value === shape.kind,
  );
  const choose = (next: Shape) => session.change([{ path: "topology.shape", value: next }]);
  return (
    <div className="row" data-path="topology.shape">
      <div className="row-main">
        <label className="row-label" htmlFor="shape" {...hoverHint("topology.shape")}>
          Topology {shape.kind === "fat-tree" && <MathSymbol>k</MathSymbol>}
        </label>
        <FieldLock paths={["topology.shape"]}>
          <Select
            id="shape"
            value={shape.kind}
            options={kinds}
            onChange={(kind) => choose(defaultShape(kind as Exclude<ShapeKind, "custom">, scenario))}
          />
          {shape.kind === "fat-tree" && (
            <Select
              aria-label="Ports per switch, k"
              value={String(shape.k)}
              options={[...new Set([...PORTS, shape.k])].map((k) => ({ value: String(k), title: k }))}
              onChange={(k) => choose({ kind: "fat-tree", k: Number(k) })}
            />
          )}
        </FieldLock>
      </div>
    </div>
  );
}

/** Band of K that theory recommends for the network as it is; null before the engine has said it. */
export function useThresholdBand(): Band | null {
  return thresholdBand(useExplanation());
}

export function SwitchPanel({ recommend }: { readonly recommend?: ReactNode }) {
  return (
    <SettingsPanel
      id="switch"
      action={<Recommend more={recommend} />}
      special={{ [THRESHOLD]: <ThresholdRow /> }}
    />
  );
}

/** The ECN threshold: its slider with the recommended band, and what it is in bytes and in time. */
export function ThresholdRow(props: Pick<ParameterRowProps, "title" | "bounds">) {
  const shown = useEffectiveScenario();
  const band = useThresholdBand();
  const scale = packetScale(shown);
  const threshold = Number(valueAt(shown, THRESHOLD));
  const us = packetsToUs(threshold, scale);
  const isMarking = marks(shown);
  return (
    <ParameterRow path={THRESHOLD} slider band={band} {...props}>
      <p className="readings">
        <b>{threshold} packets</b>
        <span>=</span>
        <b>{Number((packetsToBytes(threshold, scale) / 1000).toPrecision(4))} KB</b>
        <span>=</span>
        <b>{us.toPrecision(3)} µs</b> at {formatField(scale.linkGbps)} Gb/s
      </p>
      {isMarking && <ThresholdNote usual={band && thresholdSentence(threshold, band, scale)} />}
    </ParameterRow>
  );
}

/**
 * What K does here: why it marks nothing, else why it has no effect now and the try that gives it one, else how it compares with what is
 * recommended.
 */
function ThresholdNote({ usual }: { readonly usual: string | null }) {
  const session = useSession();
  const shown = useEffectiveScenario();
  const origin = useStore(session.store, originOf);
  const warning = useExplanation().of(THRESHOLD)?.warning;
  const idle = useRun((run) => run.view?.bottleneck.idleThreshold ?? null);
  if (warning) return <p className="row-note">K {warning}</p>;
  if (!idle) return usual && <p className="row-note">{usual}</p>;
  const slower = triesOf(shown, origin).find(
    ({ on, changes }) => !on && changes.some(({ path }) => path === LINK_RATE),
  );
  return (
    <p className="row-note">
      {idle}{" "}
      {slower && (
        <Button look="link" onClick={() => session.change(slower.changes)}>
          {slower.label}
        </Button>
      )}
    </p>
  );
}

const LINK_RATE = "topology.linkGbps";

export function TransportPanel() {
  const transports = transportsOf(useEffectiveScenario());
  return <SettingsPanel id="transport" note={`all classes: ${transports.map(transportName).join(", ")}`} />;
}

/** How requests reach storage: the protocol, and what else matters for the one that is chosen. */
export function AccessPanel() {
  const shown = useEffectiveScenario();
  const protocol = valueAt(shown, ACCESS_PROTOCOL);
  const title = fieldAt(ACCESS_PROTOCOL, shown).options?.find(({ value }) => value === protocol)?.title;
  return <SettingsPanel id="access" note={title} />;
}

/** What the storage servers do with classes; without devices the way to have some. */
export function StoragePanel({ more }: { readonly more?: ReactNode }) {
  const session = useSession();
  const explanation = useExplanation();
  const devices = useRun(({ view }) => view?.layout.devices.length ?? 0);
  const missing = noDevices(explanation);
  if (missing) {
    return (
      <SettingsPanel id="storage" note="no devices">
        <p className="row-note">
          Requests end at the hosts.{" "}
          <button type="button" className="link" onClick={() => session.change([missing])}>
            {missing.label}
          </button>
        </p>
      </SettingsPanel>
    );
  }
  return (
    <SettingsPanel id="storage" note={devices === 1 ? "1 device" : `${devices} devices`}>
      {more}
      <ServersList />
    </SettingsPanel>
  );
}

/** The change that lets requests go to devices, where they go to none. */
export const noDevices = (explanation: Explanation) =>
  explanation.of("storage.treatment")?.noEffect?.remedy ?? null;

/** Seeds that are easy to read out. */
const newSeed = () => 1 + Math.floor(Math.random() * 99_999);

export function RunPanel() {
  const session = useSession();
  const seed = (
    <>
      <ParameterRow path="seed" />
      <IconButton
        icon="dice"
        label="Another seed"
        onClick={() => session.change([{ path: "seed", value: newSeed() }])}
      />
    </>
  );
  return (
    <SettingsPanel id="run" special={{ seed }}>
      <RecordedChanges />
    </SettingsPanel>
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
