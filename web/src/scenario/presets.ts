import { FIRST } from "./first.ts";
import { type Preset, type ThemeGroup, themeGroups } from "./themes.ts";
import type { Scenario } from "./types.ts";

const collator = new Intl.Collator("en", { numeric: true });

/** Scenarios that repeat a case of another simulator or only measure speed stay out of the menu. */
const files = import.meta.glob<Scenario>(
  ["../../../scenarios/*.json", "!../../../scenarios/ref-*.json", "!../../../scenarios/bench-*.json"],
  { eager: true, import: "default" },
);

/** Of those that measure speed, the ones in which switches pause are worth looking at, too. */
const pausing = import.meta.glob<Scenario>("../../../scenarios/bench-*-pfc.json", {
  eager: true,
  import: "default",
});

export const PRESETS: readonly Preset[] = Object.entries({ ...files, ...pausing })
  .map(([path, scenario]) => ({ id: path.replace(/^.*\/|\.json$/g, ""), scenario }))
  .sort((a, b) => rank(a.id) - rank(b.id) || collator.compare(a.id, b.id));

/** The menu, by theme. */
export const PRESET_GROUPS: readonly ThemeGroup[] = themeGroups(PRESETS);

/** The first preset, other starting points, then figures. */
function rank(id: string): number {
  if (id === FIRST) return 0;
  return /^paper\d-/.test(id) ? 2 : 1;
}
