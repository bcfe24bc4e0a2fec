import { createStore } from "zustand/vanilla";
import { type History, record, redo, startHistory, undo } from "./history.ts";
import type { Scenario } from "./types.ts";

/** The document being looked at, with its undo history. Knows nothing of runs. */
export interface ScenarioState {
  readonly history: History<Scenario>;
  /** What the document started as: a preset or an opened link. */
  readonly origin: Scenario;
  /** A document of the person's choosing; begins a new history. */
  open(document: Scenario): void;
  edit(next: Scenario, gesture?: string | null): void;
  /** Goes back to a history that was good, as if what followed had not been. */
  restore(history: History<Scenario>): void;
  undo(): void;
  redo(): void;
}

export function createScenarioStore(document: Scenario) {
  return createStore<ScenarioState>()((set) => {
    const move = (step: (history: History<Scenario>) => History<Scenario>) =>
      set((state) => ({ history: step(state.history) }));
    return {
      history: startHistory(document),
      origin: document,
      open: (next) => set({ history: startHistory(next), origin: next }),
      edit: (next, gesture = null) => move((history) => record(history, next, gesture)),
      restore: (history) => set({ history }),
      undo: () => move(undo),
      redo: () => move(redo),
    };
  });
}

export type ScenarioStore = ReturnType<typeof createScenarioStore>;

export const documentOf = (state: ScenarioState): Scenario => state.history.present;
