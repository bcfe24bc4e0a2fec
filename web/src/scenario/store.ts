import { createStore } from "zustand/vanilla";
import { type History, moveTo, record, redo, startHistory, undo } from "./history.ts";
import type { Scenario } from "./types.ts";

/** A state of the scenario, as undo and redo know it. */
export interface Step {
  readonly scenario: Scenario;
  /** What the scenario started as: a preset, a link or a file. */
  readonly origin: Scenario;
  /** The opening that this step belongs to. No two openings have the same name, in any page. */
  readonly visit: string;
}

/** The scenario being looked at, with its undo history. Knows nothing of runs. */
export interface ScenarioState {
  readonly history: History<Step>;
  /** Opens a scenario that nothing came before. */
  start(scenario: Scenario): void;
  /** Opens another scenario. What was there before is a step back. */
  open(scenario: Scenario): void;
  edit(next: Scenario): void;
  /** Goes back to a history that was good, as if what followed had not been. */
  restore(history: History<Step>): void;
  undo(): void;
  redo(): void;
  /** Goes to the scenario of an opening, as it was left. Returns whether it is still known. */
  revisit(visit: string): boolean;
}

export function createScenarioStore(scenario: Scenario) {
  return createStore<ScenarioState>()((set, get) => {
    const move = (step: (history: History<Step>) => History<Step>) =>
      set((state) => ({ history: step(state.history) }));
    return {
      history: startHistory(opened(scenario)),
      start: (next) => set({ history: startHistory(opened(next)) }),
      open: (next) => move((history) => record(history, opened(next))),
      edit: (next) => move((history) => record(history, { ...history.present, scenario: next })),
      restore: (history) => set({ history }),
      undo: () => move(undo),
      redo: () => move(redo),
      revisit: (visit) => {
        const history = moveTo(get().history, (step) => step.visit === visit);
        if (history) set({ history });
        return history !== null;
      },
    };
  });
}

let visits = 0;

const opened = (scenario: Scenario): Step => ({
  scenario,
  origin: scenario,
  visit: `${performance.timeOrigin} ${++visits}`,
});

export type ScenarioStore = ReturnType<typeof createScenarioStore>;

export const stepOf = (state: ScenarioState): Step => state.history.present;

export const scenarioOf = (state: ScenarioState): Scenario => stepOf(state).scenario;

export const originOf = (state: ScenarioState): Scenario => stepOf(state).origin;
