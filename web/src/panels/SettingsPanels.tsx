import type { ReactNode } from "react";
import type { Explanation } from "../scenario/explanation.ts";
import { type Band, thresholdBand, thresholdSentence } from "../scenario/recommend.ts";
import { defaultShape } from "../scenario/reshape.ts";
import { fieldAt, kindsAt, valueAt } from "../scenario/schema.ts";
import { withoutChanges } from "../scenario/timeline.ts";
import { hostCount, switchCount } from "../scenario/topology.ts";
import { transportName, transportOf } from "../scenario/transports.ts";
import type { Shape, ShapeKind } from "../scenario/types.ts";
import { formatField, packetsToBytes, packetsToUs } from "../scenario/units.ts";
import { Button, IconButton } from "../ui/Button.tsx";
import { MathSymbol } from "../ui/MathSymbol.tsx";
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
import { Disclosure } from "./Disclosure.tsx";
import { hoverHint, ParameterRow } from "./ParameterRow.tsx";
import { Recommend } from "./Recommend.tsx";
import { ServersList } from "./ServersList.tsx";
import { FieldLock } from "./Settings.tsx";
import { classedNvmeRows, fitting, moreSections, rowsOf } from "./settingRows.ts";
import { TransportRows } from "./TransportRows.tsx";
import "./SettingsPanels.css";

interface PanelProps {
  readonly id: string;
  readonly title: string;
  readonly note?: ReactNode;
  /** A button beside the title. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function Panel({ id, title, note, action, children }: PanelProps) {
  return (
    <section className="panel" id={`panel-${id}`} aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        {note && <span className="note">{note}</span>}
        {action}
      </header>
      {children}
    </section>
  );
}

/** Everything else that a scenario can say, folded away. */
export function MorePanel() {
  const shown = useEffectiveScenario();
  return (
    <details className="panel more" id="panel-more">
      <summary>More settings</summary>
      {moreSections(shown).map(({ title, paths }) => (
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

/** Rows of fields that another choice in the same section may rule out: those that it does are left out. */
function FittingRows({ paths }: { readonly paths: readonly string[] }) {
  const explanation = useExplanation();
  return fitting(paths, explanation).map((path) => <ParameterRow key={path} path={path} />);
}

const PORTS = [2, 4, 6, 8, 10, 12, 14, 16];

export function NetworkPanel() {
  const session = useSession();
  const shown = useEffectiveScenario();
  const scenario = useScenario();
  const { shape } = shown.topology;
  const kinds = kindsAt("topology.shape", shown).filter(
    ({ value }) => value !== "custom" || value === shape.kind,
  );
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
      {shape.kind !== "fat-tree" &&
        rowsOf(shown, "topology.shape", false).map((path) => <ParameterRow key={path} path={path} />)}
      {rowsOf(shown, "topology", false).map((path) => (
        <ParameterRow key={path} path={path} />
      ))}
    </Panel>
  );
}

/** Band of K that theory recommends for the network as it is; null before the engine has said it. */
export function useThresholdBand(): Band | null {
  return thresholdBand(useExplanation());
}

const THRESHOLD = "switch.ecnThresholdPackets";

export function SwitchPanel() {
  const shown = useEffectiveScenario();
  const band = useThresholdBand();
  const scale = packetScale(shown);
  const threshold = Number(valueAt(shown, THRESHOLD));
  const us = packetsToUs(threshold, scale);
  const marks = valueAt(shown, "switch.marking") !== "off";
  return (
    <Panel id="switch" title="Switch" action={<Recommend />}>
      <ParameterRow path={THRESHOLD} slider band={band}>
        <p className="readings">
          <b>{threshold} packets</b>
          <span>=</span>
          <b>{Number((packetsToBytes(threshold, scale) / 1000).toPrecision(4))} KB</b>
          <span>=</span>
          <b>{us.toPrecision(3)} µs</b> at {formatField(scale.linkGbps)} Gb/s
        </p>
        {band && marks && <p className="row-note">{thresholdSentence(threshold, band, scale)}</p>}
      </ParameterRow>
      <FittingRows paths={rowsOf(shown, "switch", false).filter((path) => path !== THRESHOLD)} />
      <Disclosure title="Thresholds, headroom, marking point">
        {rowsOf(shown, "switch", true).map((path) => (
          <ParameterRow key={path} path={path} />
        ))}
      </Disclosure>
    </Panel>
  );
}

export function TransportPanel() {
  const shown = useEffectiveScenario();
  const transports = [...new Set(shown.classes.map((_, index) => transportOf(shown, index)))];
  return (
    <Panel id="transport" title="Transport" note={`all classes: ${transports.map(transportName).join(", ")}`}>
      <TransportRows prefix="transport" transports={transports} />
      <FittingRows paths={rowsOf(shown, "qos", false)} />
    </Panel>
  );
}

/** How requests reach storage: the protocol, and what else matters for the one that is chosen. */
export function AccessPanel() {
  const shown = useEffectiveScenario();
  const protocol = valueAt(shown, ACCESS_PROTOCOL);
  const title = fieldAt(ACCESS_PROTOCOL, shown).options?.find(({ value }) => value === protocol)?.title;
  return (
    <Panel id="access" title="Access" note={title}>
      <FittingRows paths={rowsOf(shown, "access", false)} />
      <Disclosure title="Software">
        {["access.software"].flatMap((section) =>
          [...rowsOf(shown, section, false), ...rowsOf(shown, section, true)].map((path) => (
            <ParameterRow key={path} path={path} />
          )),
        )}
      </Disclosure>
      <Disclosure title="PDUs, digests, iSCSI">
        {[...rowsOf(shown, "access", true), ...rowsOf(shown, "access.iscsi", false)].map((path) => (
          <ParameterRow key={path} path={path} />
        ))}
      </Disclosure>
    </Panel>
  );
}

const ACCESS_PROTOCOL = "access.protocol";

/** What the storage servers do with classes; without devices the way to have some. */
export function StoragePanel({ more }: { readonly more?: ReactNode }) {
  const session = useSession();
  const shown = useEffectiveScenario();
  const explanation = useExplanation();
  const devices = useRun(({ view }) => view?.layout.devices.length ?? 0);
  const missing = noDevices(explanation);
  if (missing) {
    return (
      <Panel id="storage" title="Storage" note="no devices">
        <p className="row-note">
          Requests end at the hosts.{" "}
          <button type="button" className="link" onClick={() => session.change([missing])}>
            {missing.label}
          </button>
        </p>
      </Panel>
    );
  }
  return (
    <Panel id="storage" title="Storage" note={devices === 1 ? "1 device" : `${devices} devices`}>
      <ParameterRow path="storage.treatment" />
      <FittingRows paths={classedNvmeRows(shown)} />
      {more}
      <ServersList />
    </Panel>
  );
}

/** The change that lets requests go to devices, where they go to none. */
export const noDevices = (explanation: Explanation) =>
  explanation.of("storage.treatment")?.noEffect?.remedy ?? null;

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
