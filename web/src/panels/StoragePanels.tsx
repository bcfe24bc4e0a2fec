import type { ReactNode } from "react";
import { ClassMarker } from "../charts/frame/ClassMarker.tsx";
import { deviceReading } from "../run/devices.ts";
import { identityIndices } from "../run/identity.ts";
import type { QueueLevel } from "../scenario/explanation.ts";
import { fieldAt, valueAt } from "../scenario/schema.ts";
import type { Scenario } from "../scenario/types.ts";
import { classIdentity } from "../ui/classes.ts";
import { useEffectiveScenario, useExplanation, useRun } from "./context.tsx";
import { Panel } from "./Panel.tsx";
import { SettingsPanel } from "./PanelRows.tsx";
import { ParameterRow } from "./ParameterRow.tsx";
import { NVME, PANELS, SSD } from "./settingRows.ts";
import "./StoragePanels.css";

const WEIGHTS = ["high", "medium", "low"] as const;

/** What storage knows of classes, and how the controller chooses among its submission queues. */
export function ArbitrationPanel({ device }: { readonly device: number }) {
  const shown = useEffectiveScenario();
  const { levels } = useExplanation().queues;
  const weights = WEIGHTS.map((level) => {
    const path = `${NVME}.${level}Weight`;
    return [
      path,
      <WeightRow key={path} path={path} scenario={shown} level={level} levels={levels} />,
    ] as const;
  });
  return (
    <SettingsPanel
      id="arbitration"
      special={{ ...Object.fromEntries(weights), weights: <Backlogged device={device} levels={levels} /> }}
    />
  );
}

/** How many commands of a level are taken in a round. */
const WeightRow = ({ path, ...level }: LevelLabelProps & { readonly path: string }) => (
  <ParameterRow path={path} label={<LevelLabel {...level} />} slider />
);

interface LevelLabelProps {
  readonly scenario: Scenario;
  readonly level: (typeof WEIGHTS)[number];
  readonly levels: readonly QueueLevel[];
}

/** A level, in the colour of its class where it has one; of several their markers. */
function LevelLabel({ scenario, level, levels }: LevelLabelProps) {
  const kinds = identityIndices(scenario.classes.map(({ name }) => name));
  const own = levels.find((item) => item.level === level);
  const classes = levels.length > 1 ? (own?.classes ?? []) : [];
  const [only, ...more] = classes;
  const identity = only !== undefined && more.length === 0 ? classIdentity(kinds[only] ?? 0) : null;
  const title = fieldAt(`${NVME}.${level}Weight`, scenario).title.replace(" weight", "");
  const name = identity ? scenario.classes[only ?? 0]?.name : title;
  return (
    <span className="level" style={identity ? { color: identity.label } : undefined}>
      {classes.slice(0, 3).map((index) => (
        <ClassMarker key={index} kindIndex={kinds[index] ?? 0} />
      ))}
      <span title={name}>{name}</span>
    </span>
  );
}

/** Whether the weights act now. */
function Backlogged({ device, levels }: { readonly device: number; readonly levels: readonly QueueLevel[] }) {
  const view = useRun((run) => run.view);
  useRun((run) => run.tick);
  const reading = view && deviceReading(view, device);
  const waiting = reading ? levels.filter(({ level }) => reading.waiting[level] > 0).length : 0;
  const now = !reading
    ? ""
    : waiting === levels.length && waiting > 1
      ? `; now all ${waiting} are`
      : `; now ${waiting} of ${levels.length} ${waiting === 1 ? "is" : "are"}`;
  return (
    <p className="row-note">
      Commands of each priority per round. Weights act only while several queues are backlogged{now}.
    </p>
  );
}

/** Every SSD: a preset, and what a scenario has otherwise. */
export function SsdPanel({ more }: { readonly more?: ReactNode }) {
  const shown = useEffectiveScenario();
  const preset = fieldAt(`${SSD}.preset`, shown).options?.find(
    ({ value }) => value === valueAt(shown, `${SSD}.preset`),
  );
  const first = { [`${SSD}.preset`]: <PresetRow more={more} /> };
  return <SettingsPanel id="ssd" note={preset && `preset: ${preset.title}`} special={first} />;
}

/** The presets there are, and a person's own below them. */
const PresetRow = ({ more }: { readonly more: ReactNode }) => (
  <>
    <ParameterRow path={`${SSD}.preset`} />
    {more}
  </>
);

/** When and how blocks are freed. */
export function CollectionPanel({ isMemory }: { readonly isMemory: boolean }) {
  if (!isMemory) return <SettingsPanel id="gc" />;
  return (
    <Panel id="gc" title={PANELS.gc.title}>
      <p className="row-note">
        Persistent memory is written in place: it has no blocks to erase, so nothing is collected.
      </p>
    </Panel>
  );
}

/** The scheduler that servers have before their devices, for the classes as tenants. */
export const TenantsPanel = () => <SettingsPanel id="tenants" />;

/** Every server of constant capacity. */
export const ConstantPanel = () => <SettingsPanel id="constant" />;

/** Every device of persistent memory. */
export const MemoryPanel = () => <SettingsPanel id="memory" />;
