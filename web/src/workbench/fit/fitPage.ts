import { createStore } from "zustand/vanilla";
import type { OperationKind } from "../../answers/fit.ts";
import type { KeptDrive } from "../../engine/campaign/fit/drivesStore.ts";
import type { FieldChange, FitDrive } from "../../generated/answers.d.ts";
import { setPath } from "../../scenario/path.ts";
import type { Scenario } from "../../scenario/types.ts";

/** What of the view is chosen; it stays while another view is shown. */
export interface FitPage {
  /** The drive that the fit begins with: `scenario`, `preset NAME` or `drive ID`. */
  readonly start: string;
  /** The job whose distributions are shown, by its number. */
  readonly job: number;
  readonly kind: OperationKind;
  /** What the drive is called; null while nobody has named it. */
  readonly name: string | null;
  /** What became of the drive last, in words. */
  readonly said: string;
}

export const fitPage = createStore<FitPage>()(() => ({
  start: "scenario",
  job: 0,
  kind: "reads",
  name: null,
  said: "",
}));

const SSD = "storage.ssd";

/** What a scenario takes of a drive. */
export const changesOf = ({ ssd, beside = {} }: FitDrive): readonly FieldChange[] => [
  { path: SSD, value: ssd },
  ...Object.entries(beside).map(([path, value]) => ({ path, value })),
];

/** The scenario whose drive a fit begins with. */
export function baseOf(scenario: Scenario, start: string, drives: readonly KeptDrive[]): Scenario {
  const [kind, ...rest] = start.split(" ");
  const which = rest.join(" ");
  if (kind === "preset") return setPath(scenario, SSD, { preset: which });
  const kept = kind === "drive" ? drives.find(({ id }) => id === which) : undefined;
  const changes = kept ? changesOf(kept.drive) : [];
  return changes.reduce((base, { path, value }) => setPath(base, path, value), scenario);
}
