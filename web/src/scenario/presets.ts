import { group } from "d3";
import type { Scenario } from "./types.ts";

const FIRST = "three-writers";

const collator = new Intl.Collator("en", { numeric: true });

/** A scenario of the menu. */
export interface Preset {
  /** File name without its ending. */
  readonly id: string;
  readonly scenario: Scenario;
}

/** Scenarios that repeat a case of another simulator or only measure speed stay out of the menu. */
const files = import.meta.glob<Scenario>(
  ["../../../scenarios/*.json", "!../../../scenarios/ref-*.json", "!../../../scenarios/bench-*.json"],
  {
    eager: true,
    import: "default",
  },
);

export const PRESETS: readonly Preset[] = Object.entries(files)
  .map(([path, scenario]) => ({ id: path.replace(/^.*\/|\.json$/g, ""), scenario }))
  .sort((a, b) => rank(a.id) - rank(b.id) || collator.compare(a.id, b.id));

/** What a page opened without a link shows. */
export function firstPreset(): Preset {
  const found = PRESETS.find((preset) => preset.id === FIRST) ?? PRESETS[0];
  if (!found) throw new Error("no scenario was built into the page");
  return found;
}

export interface PresetGroup {
  readonly title: string;
  readonly presets: readonly Preset[];
}

/** The menu: starting points first, then the figures of each paper. */
export function presetGroups(): PresetGroup[] {
  const groups = group(PRESETS, ({ id }) => /^paper(\d)-/.exec(id)?.[1] ?? "");
  return [...groups].map(([paper, presets]) => ({ title: paper ? `Paper ${paper}` : "Start here", presets }));
}

/** The first preset, other starting points, then figures. */
function rank(id: string): number {
  if (id === FIRST) return 0;
  return /^paper\d-/.test(id) ? 2 : 1;
}
