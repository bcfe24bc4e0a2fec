import { createStore } from "zustand/vanilla";
import type { Session } from "../../engine/run/session.ts";
import { browserShelf, keepOn, keptOn, NAME_LIMIT, removeFrom, type SavedRun } from "../../scenario/saved.ts";
import { valueAt } from "../../scenario/schema.ts";
import { pageStore } from "../pageStore.ts";
import type { Views } from "../view/views.ts";

/** What this browser keeps, as far as it is known; null before it has been read. */
export interface SavedState {
  readonly runs: readonly SavedRun[] | null;
  readonly broken: readonly IDBValidKey[];
  /** What failed last. */
  readonly fault: string | null;
}

export const savedStore = createStore<SavedState>()(() => ({ runs: null, broken: [], fault: null }));

const shelf = browserShelf();

/** Does something with the shelf and looks what it holds then. Returns whether that went well. */
async function changed(change?: () => Promise<void>): Promise<boolean> {
  try {
    await change?.();
    savedStore.setState({ ...(await keptOn(shelf)), fault: null });
    return true;
  } catch (error) {
    savedStore.setState({ fault: error instanceof Error ? error.message : String(error) });
    return false;
  }
}

export const readSaved = (): Promise<boolean> => changed();

/** Saves what is on the page under a name. */
export function saveHere({ scenario, run }: Session, views: Views, name: string): Promise<boolean> {
  const { phase, digest, view } = run.getState();
  return changed(() =>
    keepOn(shelf, {
      id: crypto.randomUUID(),
      name: name.trim().slice(0, NAME_LIMIT) || scenario.name,
      savedAt: Date.now(),
      scenario: JSON.stringify(scenario),
      view: views.linked(),
      seed: Number(valueAt(scenario, "seed")),
      engineVersion: view?.layout.version ?? "",
      digest: phase === "ended" ? digest : null,
    }),
  );
}

/** Opens a saved run as a file is opened: only what the engine accepts comes to the page. */
export async function openSaved(
  session: Session,
  views: Views,
  { name, scenario, view }: SavedRun,
): Promise<void> {
  const file = new File([scenario], name);
  const linked = view === "" ? ({ kind: "none" } as const) : ({ kind: "json", json: view } as const);
  await session.open({ kind: "file", file }, () => views.restore(linked));
}

export const rename = (run: SavedRun, name: string): Promise<boolean> =>
  changed(() => keepOn(shelf, { ...run, name }));

/** Deletes a run. A notice offers to put it back. */
export async function deleteSaved(run: SavedRun): Promise<void> {
  if (await changed(() => removeFrom(shelf, run.id))) pageStore.setState({ deleted: run });
}

export async function putBack(run: SavedRun): Promise<void> {
  pageStore.setState({ deleted: null });
  if (!(await changed(() => keepOn(shelf, run)))) pageStore.setState({ deleted: run });
}

/** Deletes the entries that nobody can read. */
export const clearBroken = (): Promise<boolean> =>
  changed(async () => {
    for (const key of savedStore.getState().broken) await removeFrom(shelf, key);
  });
