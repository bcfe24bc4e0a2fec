import type { RunDevice } from "../run/types.ts";
import { SCHEDULER } from "../scenario/contracts.ts";
import { type Explanation, NOTHING_SAID } from "../scenario/explanation.ts";
import { fieldAt, fieldsAt, valueAt } from "../scenario/schema.ts";
import { followsQuality, parameterGroups, pathsOf, transportOf } from "../scenario/transports.ts";
import type { Scenario, TransportKind } from "../scenario/types.ts";

/** Paths of the fields of a section that have a control: those folded away, or the others. */
export function rowsOf(scenario: Scenario, section: string, detail: boolean): readonly string[] {
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
export function moreSections(
  scenario: Scenario,
): { readonly title: string; readonly paths: readonly string[] }[] {
  return fieldsAt("", scenario)
    .filter(({ name, form }) => form === "object" && !["switch", "access", "storage"].includes(name))
    .map(({ name, title, detail = false }) => ({
      title,
      paths: detail ? allRowsOf(scenario, name) : rowsOf(scenario, name, true),
    }))
    .filter(({ paths }) => paths.length > 0);
}

/**
 * Those fields that no other choice in the same section rules out: that choice stands beside them. Before the engine has
 * said which, there are none.
 */
export function fitting(paths: readonly string[], explanation: Explanation): readonly string[] {
  if (explanation === NOTHING_SAID) return [];
  const section = (path: string) => path.slice(0, path.lastIndexOf("."));
  return paths.filter((path) => {
    const remedy = explanation.of(path)?.noEffect?.remedy;
    return !remedy || section(remedy.path) !== section(path);
  });
}

/** Fields of the controller that matter to classes, beside the servers. */
export const classedNvmeRows = (scenario: Scenario): readonly string[] =>
  rowsOf(scenario, "storage.nvme", false).filter((path) => /arbitration|Weight$/.test(path));

/** Fields of the scheduler of tenants, those of the burst ladder only where another scheduler does not rule them out. */
export function tenantRows(scenario: Scenario, explanation: Explanation): readonly string[] {
  const ladder = allRowsOf(scenario, "storage.tenants.ladder");
  return [
    ...allRowsOf(scenario, "storage.tenants"),
    ...ladder.filter((path) => explanation.of(path)?.noEffect?.remedy?.path !== SCHEDULER),
  ];
}

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

/** Every field that has a row among the settings of Explore, as the scenario is. */
export function settingRows(scenario: Scenario, explanation: Explanation): readonly SettingRow[] {
  const { shape } = scenario.topology;
  const transports = [...new Set(scenario.classes.map((_, index) => transportOf(scenario, index)))];
  const hasDevices = !explanation.of("storage.treatment")?.noEffect?.remedy;
  const rows = rowsIn(scenario);
  return [
    ...scenario.classes.flatMap(({ name }, classIndex) =>
      rows("classes", name, classRows(scenario, classIndex, hasDevices)).map((row) => ({
        ...row,
        classIndex,
      })),
    ),
    ...rows("network", "Network", [
      ...(shape.kind === "fat-tree" ? [] : rowsOf(scenario, "topology.shape", false)),
      ...rowsOf(scenario, "topology", false),
    ]),
    ...rows("switch", "Switch", [
      ...fitting(rowsOf(scenario, "switch", false), explanation),
      ...rowsOf(scenario, "switch", true),
    ]),
    ...rows("transport", "Transport", [
      ...transportRows(scenario, "transport", transports),
      ...fitting(rowsOf(scenario, "qos", false), explanation),
    ]),
    ...rows("access", "Access", [
      ...fitting(rowsOf(scenario, "access", false), explanation),
      ...allRowsOf(scenario, "access.software"),
      ...rowsOf(scenario, "access", true),
      ...rowsOf(scenario, "access.iscsi", false),
    ]),
    ...(hasDevices
      ? rows("storage", "Storage", ["storage.treatment", ...fitting(classedNvmeRows(scenario), explanation)])
      : []),
    ...rows("run", "Run", ["seed", "durationUs"]),
    ...moreSections(scenario).flatMap(({ title, paths }) => rows("more", title, paths)),
  ];
}

const SSD_PANELS = { ssd: "SSD", gc: "Garbage collection" };

/** Every field that has a row among the settings of a device, and none among those of Explore. */
export function deviceRows(
  scenario: Scenario,
  explanation: Explanation,
  kind: RunDevice["kind"],
): readonly SettingRow[] {
  const rows = rowsIn(scenario);
  const section = (panel: string, title: string) =>
    rows(
      panel,
      title,
      fieldsAt(`storage.${panel}`, scenario).map(({ name }) => `storage.${panel}.${name}`),
    );
  const tenants = rows("tenants", "Tenants", tenantRows(scenario, explanation));
  if (kind === "constant-capacity") return [...section("constant", "Constant capacity"), ...tenants];
  const arbitration = rows("arbitration", "NVMe arbitration", ARBITRATION_ROWS);
  if (kind === "persistent-memory")
    return [...arbitration, ...section("memory", "Persistent memory"), ...tenants];
  const ssd = fieldsAt("storage.ssd", scenario).flatMap(({ name, group }) => {
    const panel = group === "gc" ? "gc" : "ssd";
    return rows(panel, SSD_PANELS[panel], [`storage.ssd.${name}`]);
  });
  return [...arbitration, ...ssd, ...tenants];
}

/** The controller beside what `classedNvmeRows` has of it, and what addresses it. */
const ARBITRATION_ROWS: readonly string[] = [
  "storage.nvme.burst",
  "storage.nvme.deviceCommands",
  "storage.nvme.queueCommands",
  "storage.nvme.maxTransferBytes",
  "storage.placement",
  "storage.stripeBytes",
];

/** The fields of a class beside its row of the table, as `ClassDetails` has them. */
function classRows(scenario: Scenario, index: number, hasDevices: boolean): readonly string[] {
  const transport = transportOf(scenario, index);
  const path = `classes[${index}]`;
  const aims = followsQuality(transport);
  return [
    ...(aims ? [`${path}.goal`] : []),
    `${path}.latencyTargetUs`,
    ...(aims ? [`${path}.percentile`] : []),
    `${path}.priority`,
    ...(hasSubclasses(scenario, transport) ? [`${path}.urgentSubclass`] : []),
    ...(hasDevices ? [`${path}.nvmePriority`] : []),
    ...transportRows(scenario, path, [transport]),
    ...labelRows(index, hasDevices),
    `${path}.baseRttUs`,
  ];
}

/** Whether the hosts of a class tell an urgent sub-class of its priority apart. */
export const hasSubclasses = (scenario: Scenario, transport: TransportKind): boolean =>
  fieldAt("classes[0].urgentSubclass", scenario).transports?.includes(transport) ?? false;

/** What the headers of the packets of a class say of it. */
export function labelRows(index: number, hasDevices: boolean): readonly string[] {
  return ["dscp", ...(hasDevices ? ["vxlanGroup", "burstBit"] : [])].map(
    (name) => `classes[${index}].${name}`,
  );
}

/** The parameters of some transports; none of those that a switched-off leader folds away. */
function transportRows(
  scenario: Scenario,
  prefix: string,
  transports: readonly TransportKind[],
): readonly string[] {
  return parameterGroups(scenario, transports).flatMap((group) => {
    if (group.kind === "field") return [`${prefix}.${group.name}`];
    const first = (name: string) => pathsOf(`${prefix}.${name}`, scenario)[0] ?? "";
    const off = group.lead !== null && valueAt(scenario, first(group.lead)) === false;
    const names = [...(group.lead ? [group.lead] : []), ...(off ? [] : group.rest)];
    return names.map((name) => `${prefix}.${name}`);
  });
}

/** Rows of a panel. */
const rowsIn =
  (scenario: Scenario) =>
  (panel: string, title: string, paths: readonly string[]): readonly SettingRow[] =>
    paths.map((path) => ({ path, name: nameOf(path, scenario), panel, title }));

/** Title and symbol, as the row has them. */
function nameOf(path: string, scenario: Scenario): string {
  const { title, symbol } = fieldAt(pathsOf(path, scenario)[0] ?? path, scenario);
  return symbol ? `${title} ${symbol}` : title;
}
