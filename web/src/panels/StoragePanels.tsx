import { ClassMarker } from "../charts/frame/ClassMarker.tsx";
import { deviceReading } from "../run/devices.ts";
import { identityIndices } from "../run/identity.ts";
import type { CatalogueField } from "../scenario/catalogue.ts";
import { fieldAt, fieldsAt, valueAt } from "../scenario/schema.ts";
import { arbitrationOf, type LevelOfClasses, queueLevels } from "../scenario/storage.ts";
import type { Scenario } from "../scenario/types.ts";
import { classIdentity } from "../ui/classes.ts";
import { useEffectiveScenario, useExplanation, useRun } from "./context.tsx";
import { Disclosure } from "./Disclosure.tsx";
import { ParameterRow } from "./ParameterRow.tsx";
import { Panel } from "./SettingsPanels.tsx";
import { tenantRows } from "./settingRows.ts";
import "./StoragePanels.css";

const NVME = "storage.nvme";
const WEIGHTS = ["high", "medium", "low"] as const;

/** What storage knows of classes, and how the controller chooses among its submission queues. */
export function ArbitrationPanel({ device }: { readonly device: number }) {
  const shown = useEffectiveScenario();
  const levels = queueLevels(shown, useExplanation());
  const { weighs } = arbitrationOf(shown);
  return (
    <Panel id="arbitration" title="NVMe arbitration">
      <ParameterRow path="storage.treatment" />
      <ParameterRow path={`${NVME}.arbitration`} />
      {weighs && (
        <>
          <div className="weights">
            {WEIGHTS.map((level) => (
              <ParameterRow
                key={level}
                path={`${NVME}.${level}Weight`}
                label={<LevelLabel scenario={shown} level={level} levels={levels} />}
                slider
              />
            ))}
          </div>
          <Backlogged device={device} levels={levels} />
        </>
      )}
      <ParameterRow path={`${NVME}.burst`} />
      <ParameterRow path="access.queueDepth" />
      <ParameterRow path={`${NVME}.deviceCommands`} />
      <Disclosure title="Limits, address translation">
        {[
          `${NVME}.queueCommands`,
          `${NVME}.maxTransferBytes`,
          "storage.placement",
          "storage.stripeBytes",
        ].map((path) => (
          <ParameterRow key={path} path={path} />
        ))}
      </Disclosure>
    </Panel>
  );
}

interface LevelLabelProps {
  readonly scenario: Scenario;
  readonly level: (typeof WEIGHTS)[number];
  readonly levels: readonly LevelOfClasses[];
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
function Backlogged({
  device,
  levels,
}: {
  readonly device: number;
  readonly levels: readonly LevelOfClasses[];
}) {
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

const SSD = "storage.ssd";

/** Fields of the SSD of some groups: those in sight, those folded away. */
function ssdRows(scenario: Scenario, groups: readonly string[]) {
  const fields = fieldsAt(SSD, scenario).filter(({ group = "" }) => groups.includes(group));
  const paths = (of: readonly CatalogueField[]) => of.map(({ name }) => `${SSD}.${name}`);
  return {
    inSight: paths(fields.filter(({ detail }) => !detail)),
    folded: paths(fields.filter(({ detail }) => detail)),
  };
}

interface GroupProps {
  readonly groups: readonly string[];
  readonly fold: string;
}

function Group({ groups, fold }: GroupProps) {
  const shown = useEffectiveScenario();
  const { inSight, folded } = ssdRows(shown, groups);
  return (
    <>
      {inSight.map((path) => (
        <ParameterRow key={path} path={path} />
      ))}
      {folded.length > 0 && (
        <Disclosure title={fold}>
          {folded.map((path) => (
            <ParameterRow key={path} path={path} />
          ))}
        </Disclosure>
      )}
    </>
  );
}

/** Every SSD: a preset, and what a scenario has otherwise. */
export function SsdPanel() {
  const shown = useEffectiveScenario();
  const preset = fieldAt(`${SSD}.preset`, shown).options?.find(
    ({ value }) => value === valueAt(shown, `${SSD}.preset`),
  );
  return (
    <Panel id="ssd" title="SSD" note={preset && `preset: ${preset.title}`}>
      <ParameterRow path={`${SSD}.preset`} />
      <Group groups={["geometry"]} fold="Blocks and pages" />
      <Group groups={["flash"]} fold="Cells, other pages" />
      <Group groups={["scheduling"]} fold="Rounds, ages, channel" />
      <Group groups={["cache"]} fold="DRAM" />
      <Group groups={["mapping", "link"]} fold="Allocation, mapping, PCIe" />
    </Panel>
  );
}

/** When and how blocks are freed. */
export function CollectionPanel({ isMemory }: { readonly isMemory: boolean }) {
  return (
    <Panel id="gc" title="Garbage collection">
      {isMemory ? (
        <p className="row-note">
          Persistent memory is written in place: it has no blocks to erase, so nothing is collected.
        </p>
      ) : (
        <Group groups={["gc"]} fold="Urgency, choices, wear" />
      )}
    </Panel>
  );
}

/** The scheduler that servers have before their devices, for the classes as tenants. */
export function TenantsPanel() {
  const shown = useEffectiveScenario();
  const explanation = useExplanation();
  return (
    <Panel id="tenants" title="Tenants">
      {tenantRows(shown, explanation).map((path) => (
        <ParameterRow key={path} path={path} />
      ))}
    </Panel>
  );
}

/** Every server of constant capacity. */
export function ConstantPanel() {
  return <Rows id="constant" title="Constant capacity" section="storage.constant" />;
}

/** Every device of persistent memory. */
export function MemoryPanel() {
  return <Rows id="memory" title="Persistent memory" section="storage.memory" />;
}

interface RowsProps {
  readonly id: string;
  readonly title: string;
  readonly section: string;
}

/** All fields of a section. */
function Rows({ id, title, section }: RowsProps) {
  const shown = useEffectiveScenario();
  return (
    <Panel id={id} title={title}>
      {fieldsAt(section, shown).map(({ name }) => (
        <ParameterRow key={name} path={`${section}.${name}`} />
      ))}
    </Panel>
  );
}
