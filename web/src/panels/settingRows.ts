import type { DeviceLayout } from "../run/types.ts";
import { ARBITRATION, arbitrationOf } from "../scenario/arbitration.ts";
import { SCHEDULER } from "../scenario/contracts.ts";
import { type Explanation, NOTHING_SAID } from "../scenario/explanation.ts";
import { fieldAt, fieldsAt, valueAt } from "../scenario/schema.ts";
import { followsQuality, parameterGroups, pathsOf, transportOf } from "../scenario/transports.ts";
import type { Scenario, TransportKind } from "../scenario/types.ts";

/** Paths of the fields of a section that have a control: those folded away, or the others. */
function rowsOf(scenario: Scenario, section: string, detail: boolean): readonly string[] {
  const rows = fieldsAt(section, scenario).filter(({ form }) => form !== "object" && form !== "array");
  return rows
    .filter((field) => (field.detail ?? false) === detail)
    .map(({ name }) => (section ? `${section}.${name}` : name));
}

const allRowsOf = (scenario: Scenario, section: string) => [
  ...rowsOf(scenario, section, false),
  ...rowsOf(scenario, section, true),
];

/** Sections whose folded fields stand under "More settings": all but those with a panel that has a place for them. */
export const moreSections = (scenario: Scenario): readonly Fold[] =>
  fieldsAt("", scenario)
    .filter(({ name, form }) => form === "object" && !["switch", "access", "storage"].includes(name))
    .map(({ name, title, detail = false }) => ({
      title,
      rows: detail ? allRowsOf(scenario, name) : rowsOf(scenario, name, true),
    }))
    .filter(({ rows }) => rows.length > 0);

/**
 * Those fields that no other choice in the same section rules out: that choice stands beside them. Before the engine has
 * said which, there are none.
 */
function fitting(paths: readonly string[], explanation: Explanation): readonly string[] {
  if (explanation === NOTHING_SAID) return [];
  const section = (path: string) => path.slice(0, path.lastIndexOf("."));
  return paths.filter((path) => {
    const remedy = explanation.of(path)?.noEffect?.remedy;
    return !remedy || section(remedy.path) !== section(path);
  });
}

/** What stands in a panel, from the top: a field by its path, as `ParameterRow` takes it, or several fields. */
export type Row = string | Fold | Block;

/** Fields that are folded away under a title. */
export interface Fold {
  readonly title: string;
  readonly rows: readonly string[];
}

/** Fields that stand together in a form of their own. */
export interface Block {
  readonly block: string;
  readonly rows: readonly string[];
}

interface SettingsPanelRows {
  readonly title: string;
  readonly rows: (scenario: Scenario, explanation: Explanation) => readonly Row[];
}

/** Whether requests go to storage devices. Where they do not, the panel of storage says so. */
const hasDevices = (explanation: Explanation): boolean =>
  !explanation.of("storage.treatment")?.noEffect?.remedy;

export const THRESHOLD = "switch.ecnThresholdPackets";
export const ACCESS_PROTOCOL = "access.protocol";
export const NVME = "storage.nvme";
export const SSD = "storage.ssd";

/** Weights of the priority levels of a controller, for those who choose them; none where it does not weigh. */
const weightRows = (scenario: Scenario): readonly string[] =>
  arbitrationOf(scenario).weighs
    ? rowsOf(scenario, NVME, false).filter((path) => path.endsWith("Weight"))
    : [];

/** Fields of a section of some groups: those in sight, and those folded away. */
function groupRows(
  scenario: Scenario,
  section: string,
  groups: readonly string[],
  fold: string,
): readonly Row[] {
  const fields = fieldsAt(section, scenario).filter(({ group = "" }) => groups.includes(group));
  const paths = (detail: boolean) =>
    fields.filter((field) => (field.detail ?? false) === detail).map(({ name }) => `${section}.${name}`);
  const folded = paths(true);
  return [...paths(false), ...(folded.length > 0 ? [{ title: fold, rows: folded }] : [])];
}

const allFields = (section: string) => (scenario: Scenario) =>
  fieldsAt(section, scenario).map(({ name }) => `${section}.${name}`);

/** The panels of settings, and the rows of each: what is shown, found, and jumped to. */
export const PANELS = {
  network: {
    title: "Network",
    rows: (scenario) => [
      "topology.shape",
      ...(scenario.topology.shape.kind === "fat-tree" ? [] : rowsOf(scenario, "topology.shape", false)),
      ...rowsOf(scenario, "topology", false),
    ],
  },
  switch: {
    title: "Switch",
    rows: (scenario, explanation) => [
      THRESHOLD,
      ...fitting(
        rowsOf(scenario, "switch", false).filter((path) => path !== THRESHOLD),
        explanation,
      ),
      { title: "Thresholds, headroom, marking point", rows: rowsOf(scenario, "switch", true) },
    ],
  },
  transport: {
    title: "Transport",
    rows: (scenario, explanation) => [
      ...transportRows(scenario, "transport", transportsOf(scenario)),
      ...fitting(rowsOf(scenario, "qos", false), explanation),
    ],
  },
  access: {
    title: "Access",
    rows: (scenario, explanation) => [
      ...fitting(rowsOf(scenario, "access", false), explanation),
      { title: "Software", rows: allRowsOf(scenario, "access.software") },
      {
        title: "PDUs, digests, iSCSI",
        rows: [...rowsOf(scenario, "access", true), ...rowsOf(scenario, "access.iscsi", false)],
      },
    ],
  },
  storage: {
    title: "Storage",
    rows: (scenario, explanation) =>
      hasDevices(explanation)
        ? ["storage.treatment", ...fitting([ARBITRATION, ...weightRows(scenario)], explanation)]
        : [],
  },
  run: { title: "Run", rows: () => [{ block: "run-rows", rows: ["seed", "durationUs"] }] },
  arbitration: {
    title: "NVMe arbitration",
    rows: (scenario) => {
      const weights = weightRows(scenario);
      return [
        "storage.treatment",
        ARBITRATION,
        ...(weights.length > 0 ? [{ block: "weights", rows: weights }] : []),
        `${NVME}.burst`,
        "access.queueDepth",
        `${NVME}.deviceCommands`,
        {
          title: "Limits, address translation",
          rows: [
            `${NVME}.queueCommands`,
            `${NVME}.maxTransferBytes`,
            "storage.placement",
            "storage.stripeBytes",
          ],
        },
      ];
    },
  },
  ssd: {
    title: "SSD",
    rows: (scenario) => [
      `${SSD}.preset`,
      ...groupRows(scenario, SSD, ["geometry"], "Blocks and pages"),
      ...groupRows(scenario, SSD, ["flash"], "Cells, other pages"),
      ...groupRows(scenario, SSD, ["scheduling"], "Rounds, ages, channel"),
      ...groupRows(scenario, SSD, ["cache"], "DRAM"),
      ...groupRows(scenario, SSD, ["mapping", "link"], "Allocation, mapping, PCIe"),
    ],
  },
  gc: {
    title: "Garbage collection",
    rows: (scenario) => groupRows(scenario, SSD, ["gc"], "Urgency, choices, wear"),
  },
  tenants: {
    title: "Tenants",
    // The burst ladder only where another scheduler does not rule it out.
    rows: (scenario, explanation) => [
      ...allRowsOf(scenario, "storage.tenants"),
      ...allRowsOf(scenario, "storage.tenants.ladder").filter(
        (path) => explanation.of(path)?.noEffect?.remedy?.path !== SCHEDULER,
      ),
    ],
  },
  constant: { title: "Constant capacity", rows: allFields("storage.constant") },
  memory: { title: "Persistent memory", rows: allFields("storage.memory") },
} as const satisfies Readonly<Record<string, SettingsPanelRows>>;

export type PanelId = keyof typeof PANELS;

/** A field that has a row among the settings of a view, and where that stands. */
export interface SettingRow {
  /** As `ParameterRow` takes it. */
  readonly path: string;
  readonly name: string;
  /** Id of the panel. */
  readonly panel: string;
  /** Of the panel, or of the class that is unfolded for it. */
  readonly title: string;
  /** Place of that class. */
  readonly classIndex?: number;
}

const EXPLORE: readonly PanelId[] = ["network", "switch", "transport", "access", "storage", "run"];

/** Every field that has a row among the settings of Explore, as the scenario is. */
export const settingRows = (scenario: Scenario, explanation: Explanation): readonly SettingRow[] => [
  ...scenario.classes.flatMap(({ name }, classIndex) =>
    named(scenario, "classes", name, classRows(scenario, classIndex, explanation)).map((row) => ({
      ...row,
      classIndex,
    })),
  ),
  ...EXPLORE.flatMap((panel) => rowsIn(panel, scenario, explanation)),
  ...moreSections(scenario).flatMap(({ title, rows }) => named(scenario, "more", title, rows)),
];

/** The panels of a device of each kind. */
const DEVICE: Readonly<Record<DeviceLayout["kind"], readonly PanelId[]>> = {
  ssd: ["arbitration", "ssd", "gc", "tenants"],
  "persistent-memory": ["arbitration", "memory", "tenants"],
  "constant-capacity": ["constant", "tenants"],
};

/** Every field that has a row among the settings of a device. */
export const deviceRows = (
  scenario: Scenario,
  explanation: Explanation,
  kind: DeviceLayout["kind"],
): readonly SettingRow[] => DEVICE[kind].flatMap((panel) => rowsIn(panel, scenario, explanation));

/** The rows of a class beside its row of the table. */
export function classRows(scenario: Scenario, index: number, explanation: Explanation): readonly Row[] {
  const transport = transportOf(scenario, index);
  const path = `classes[${index}]`;
  const aims = followsQuality(transport);
  // Without devices the panel of storage says so: a row more would be one without effect.
  const devices = hasDevices(explanation);
  const labels = ["dscp", ...(devices ? ["vxlanGroup", "burstBit"] : [])];
  return [
    ...(aims ? [`${path}.goal`] : []),
    `${path}.latencyTargetUs`,
    ...(aims ? [`${path}.percentile`] : []),
    `${path}.priority`,
    ...(hasSubclasses(scenario, transport) ? [`${path}.urgentSubclass`] : []),
    ...(devices ? [`${path}.nvmePriority`] : []),
    ...transportRows(scenario, path, [transport]),
    { title: "Labels of packets", rows: labels.map((name) => `${path}.${name}`) },
    { title: "Rename, base RTT, delete", rows: [`${path}.baseRttUs`] },
  ];
}

/** Whether the hosts of a class tell an urgent sub-class of its priority apart. */
const hasSubclasses = (scenario: Scenario, transport: TransportKind): boolean =>
  fieldAt("classes[0].urgentSubclass", scenario).transports?.includes(transport) ?? false;

/** The transports that the classes use, each once. */
export const transportsOf = (scenario: Scenario): readonly TransportKind[] => [
  ...new Set(scenario.classes.map((_, index) => transportOf(scenario, index))),
];

/**
 * The parameters that matter for some transports, and no others, under `classes[1]` or, for all classes that use each, `transport`. Of
 * an object what leads it, then the rest folded away; nothing more where the leader is switched off.
 */
function transportRows(
  scenario: Scenario,
  prefix: string,
  transports: readonly TransportKind[],
): readonly Row[] {
  return parameterGroups(scenario, transports).flatMap((group): readonly Row[] => {
    if (group.kind === "field") return [`${prefix}.${group.name}`];
    const lead = group.lead === null ? null : `${prefix}.${group.lead}`;
    const isOff = lead !== null && valueAt(scenario, pathsOf(lead, scenario)[0] ?? "") === false;
    const fold = { title: `${group.title} parameters`, rows: group.rest.map((name) => `${prefix}.${name}`) };
    return [...(lead === null ? [] : [lead]), ...(isOff ? [] : [fold])];
  });
}

const rowsIn = (panel: PanelId, scenario: Scenario, explanation: Explanation): readonly SettingRow[] =>
  named(scenario, panel, PANELS[panel].title, PANELS[panel].rows(scenario, explanation));

/** Rows of a panel, or of a part of it. */
const named = (
  scenario: Scenario,
  panel: string,
  title: string,
  rows: readonly Row[],
): readonly SettingRow[] =>
  rows
    .flatMap((row) => (typeof row === "string" ? [row] : row.rows))
    .map((path) => ({ path, name: nameOf(path, scenario), panel, title }));

/** Title and symbol, as the row has them. */
function nameOf(path: string, scenario: Scenario): string {
  const { title, symbol } = fieldAt(pathsOf(path, scenario)[0] ?? path, scenario);
  return symbol ? `${title} ${symbol}` : title;
}
