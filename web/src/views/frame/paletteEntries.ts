import type { Session } from "../../engine/run/session.ts";
import { SPEEDS, speedText } from "../../engine/run/speed.ts";
import { deviceRows, type SettingRow, settingRows } from "../../panels/settingRows.ts";
import type { Suggestions } from "../../scenario/study.ts";
import type { Figure, ThemeGroup } from "../../scenario/themes.ts";
import type { Scenario } from "../../scenario/types.ts";
import { ACTIONS } from "../../workbench/actions.ts";
import { jumpTo } from "../../workbench/jump.ts";
import { figuresView } from "../../workbench/state/figuresView.ts";
import { searchSettings, varyThis } from "../../workbench/study/varyThis.ts";
import type { Views } from "../../workbench/view/views.ts";

/** Something that the palette finds. */
export interface Entry {
  readonly id: string;
  readonly kind: "Action" | "Speed" | "View" | "Setting" | "Study" | "Scenario" | "Figure";
  readonly name: string;
  /** Where it stands or comes from. */
  readonly aside?: string;
  /** The key that does the same. */
  readonly key?: string;
  /** Found by these words, too. */
  readonly more?: string;
  /** Why it cannot be done now. */
  readonly hindrance?: string | null;
  readonly run: () => void;
}

/** Words by which people look for something whose name has them not, by the id of the entry. */
const ALSO: Readonly<Record<string, string>> = {
  "action share": "embed frame link",
  "action fit": "calibrate storage SSD benchmark JSON preset",
  "action focusThreshold": "recommend recommended value",
  "action rack":
    "export tools settings fio job NVMe arbitration SONiC switch config Linux hosts tc RoCE DCQCN ns-3 HPCC MQSim report recommend",
  "view explore": "tail latency percentiles p99",
  "view figures": "papers published reproduced validation ns-3 MQSim HPCC report",
  "view storage": "garbage collection write cache dies queues",
  "view sweep": "vary parameter study sensitivity search optimise",
  "view plan": "recommend capacity IOPS",
};

/** Most that are shown at a time. */
export const SHOWN = 60;

const more = (id: string) => (ALSO[id] === undefined ? {} : { more: ALSO[id] });

/** The entries in which every word of a search stands; those whose name begins with it first. */
export function matching(entries: readonly Entry[], search: string): readonly Entry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (entry: Entry) =>
    `${entry.name} ${entry.aside ?? ""} ${entry.more ?? ""} ${entry.kind}`.toLowerCase();
  const found = entries.filter((entry) => words.every((word) => text(entry).includes(word)));
  const rank = ({ name }: Entry) => {
    const own = name.toLowerCase();
    if (words.length === 0) return 0;
    if (own.startsWith(words[0] as string)) return 0;
    return words.every((word) => own.includes(word)) ? 1 : 2;
  };
  return found.toSorted((a, b) => rank(a) - rank(b));
}

/** What can be done now, with or without a key. A page inside another has no bar at the top to open anything of. */
export const actionEntries = (session: Session, views: Views, hasBar: boolean): readonly Entry[] =>
  ACTIONS.filter(({ id, bar = false }) => id !== "palette" && (hasBar || !bar)).map((item) => ({
    id: `action ${item.id}`,
    kind: "Action",
    name: item.id === "shortcuts" ? "Shortcuts and help" : item.name,
    key: item.shown,
    ...more(`action ${item.id}`),
    hindrance: item.hindrance?.(session, views) ?? null,
    run: () => item.perform(session, views),
  }));

export const speedEntries = (session: Session): readonly Entry[] =>
  SPEEDS.map((speed) => ({
    id: `speed ${speed}`,
    kind: "Speed",
    name: speedText(speed),
    aside: "Speed",
    more: "simulated time",
    run: () => session.setSpeed(speed),
  }));

export const viewEntries = (views: Views): readonly Entry[] =>
  views.all.map((view) => ({
    id: `view ${view.id}`,
    kind: "View",
    name: view.title,
    ...more(`view ${view.id}`),
    run: () => views.show(view),
  }));

/** Every field that has a row on the page: in Explore, or else with one of the devices. */
export function settingEntries(session: Session, views: Views, scenario: Scenario): readonly Entry[] {
  const { explanation, view } = session.run.getState();
  const entry = (row: SettingRow, device?: number): Entry => ({
    id: `setting ${row.path}`,
    kind: "Setting",
    name: row.name,
    aside: row.title,
    more: row.path,
    run: () => jumpTo({ ...row, ...(device !== undefined && { device }) }, views),
  });
  const kinds = (view?.layout.devices ?? []).map(({ kind }) => kind);
  const firsts = [...new Set(kinds)].map((kind) => ({ kind, device: kinds.indexOf(kind) }));
  const all = [
    ...settingRows(scenario, explanation).map((row) => entry(row)),
    ...firsts.flatMap(({ kind, device }) =>
      deviceRows(scenario, explanation, kind).map((row) => entry(row, device)),
    ),
  ];
  return [...new Map(all.toReversed().map((item) => [item.id, item])).values()].toReversed();
}

/** Every setting that can vary, and the search over them. */
export const studyEntries = (session: Session, views: Views, { fields }: Suggestions): readonly Entry[] => [
  {
    id: "study search",
    kind: "Study",
    name: "Find settings that meet my targets",
    aside: "Sweep",
    more: "search optimise recommend",
    run: () => void searchSettings(session, views),
  },
  ...fields.map(
    ({ path, title, symbol }): Entry => ({
      id: `study ${path}`,
      kind: "Study",
      name: `Vary ${symbol ? `${title} ${symbol}` : title}`,
      aside: "Sweep",
      more: path,
      run: () => void varyThis(path, "alone", session, views),
    }),
  ),
];

/** What the menu has; what stands under several themes once. */
export const scenarioEntries = (session: Session, groups: readonly ThemeGroup[]): readonly Entry[] =>
  groups.flatMap(({ theme, presets }) =>
    presets.map(({ id, figure, title, source, scenario }) => ({
      id: `scenario ${figure} ${id}`,
      kind: "Scenario",
      name: title,
      aside: source,
      more: `${scenario.name} ${theme.title} ${scenario.story?.text ?? ""}`,
      run: () => session.begin(scenario),
    })),
  );

/** The figures of papers, which open in their view. */
export const figureEntries = (views: Views, figures: readonly Figure[]): readonly Entry[] =>
  figures.map(({ id, title, source, theme = "" }) => ({
    id: `figure ${id}`,
    kind: "Figure",
    name: `${source}: ${title}`,
    aside: "Figure",
    more: `${id} ${theme} published reproduced`,
    run: () => views.open(figuresView, { figure: id }),
  }));
