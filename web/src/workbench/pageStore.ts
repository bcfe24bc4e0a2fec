import { createStore } from "zustand/vanilla";
import type { Session } from "../engine/run/session.ts";
import type { SavedRun } from "../scenario/saved.ts";
import type { StepUnit } from "./stepUnits.ts";
import type { View } from "./view/views.ts";

/** What is open over the page. */
export interface PageState {
  readonly shortcuts: boolean;
  readonly drawer: string | null;
  /** The menu of scenarios. */
  readonly scenarios: boolean;
  /** The palette, in which everything is found by its words. */
  readonly palette: boolean;
  /** The link to this run, its files, and its place in this browser: the one that has the focus first. */
  readonly share: "link" | "save" | null;
  /** What other tools take of the scenario. */
  readonly rack: boolean;
  /** The story of the scenario is being edited. */
  readonly story: boolean;
  /** The step of the tour that is shown; null while none is. */
  readonly tour: number | null;
  /** Why a topology file was not read, or what was made of it. */
  readonly topologyFault: string;
  /** A saved run that was just deleted, until somebody has answered whether for good. */
  readonly deleted: SavedRun | null;
  /** The view in which a baseline was pinned, until its notice is dismissed; null otherwise. */
  readonly pinned: View | null;
  /** The drawing takes the focus when its editor opens. */
  readonly focusesDrawing: boolean;
  /** How far a step goes. */
  readonly step: StepUnit;
  /** What the keys of a view with a run of its own act on; null where there is none, or where it must not run yet. */
  readonly ownRun: Session | null;
}

export const pageStore = createStore<PageState>()(() => ({
  shortcuts: false,
  drawer: null,
  scenarios: false,
  palette: false,
  share: null,
  rack: false,
  story: false,
  tour: null,
  topologyFault: "",
  deleted: null,
  pinned: null,
  focusesDrawing: false,
  step: "rtt",
  ownRun: null,
}));
