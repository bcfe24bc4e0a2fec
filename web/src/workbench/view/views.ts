import { createStore } from "zustand/vanilla";
import type { LinkedView } from "../../scenario/codec.ts";
import type { Scenario } from "../../scenario/types.ts";
import type { IconName } from "../../ui/Icon.tsx";
import {
  differences,
  type Fields,
  initialState,
  MAX_TIME_US,
  readState,
  type StateOf,
} from "./linkedState.ts";
import type { ShortLink } from "./shortLinks.ts";

/** Definition of a view: what fills the page between its bars, with a state that links carry. */
export interface View<F extends Fields = Fields> {
  /** Its route: names it in links. */
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly fields: F;
  /** What of its state is not as in its fields where a scenario is opened; absent where all of it is. */
  opening?(scenario: Scenario): Partial<StateOf<F>>;
  /** How it is reached by links without a scenario. */
  readonly short?: ShortLink<StateOf<F>>;
  /** It shows nothing of the run of the page, whose time bar is not beneath it then. */
  readonly isWithoutRun?: boolean;
  /** It is about the scenario of the page, which the bar at the top names; absent: as far as it shows its run. */
  readonly isOfScenario?: boolean;
  /** Whether all keys are its own in a state: shortcuts of the page rest. */
  ownsKeys?(state: StateOf<F>): boolean;
}

/** Defines a view; its component is registered by `viewPage`. */
export const defineView = <F extends Fields>(view: View<F>): View<F> => view;

/** Which view is shown and how. */
export interface ViewState {
  readonly current: View;
  /** State of each view, by its `id`. */
  readonly states: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Where the run waits, in microseconds; null while it runs, and at its beginning and end. */
  readonly atUs: number | null;
  /** Why a link is not shown as it says; null where there is nothing to say. */
  readonly notice: string | null;
}

/** The views of the page and their states. The first is shown where a link names none. */
export class Views {
  readonly store;
  /** State of each view as the scenario that is on the page was opened with, by its `id`. */
  private first: ViewState["states"];

  constructor(readonly all: readonly [View, ...View[]]) {
    this.first = Object.fromEntries(all.map(({ id, fields }) => [id, initialState(fields)]));
    this.store = createStore<ViewState>()(() => ({
      current: all[0],
      states: this.first,
      atUs: null,
      notice: null,
    }));
  }

  /**
   * Shows a scenario that is opened as its story speaks of it: nothing stays of how the one before was shown, but for what is
   * kept. A view of the run that keeps something goes on; otherwise the first is shown.
   */
  begin(scenario: Scenario): void {
    this.first = Object.fromEntries(
      this.all.map((view) => [view.id, { ...initialState(view.fields), ...view.opening?.(scenario) }]),
    );
    const states = Object.fromEntries(
      this.all.map((view) => [view.id, { ...this.firstOf(view), ...kept(view, this.stateOf(view)) }]),
    );
    const { current } = this.store.getState();
    const keeps = { ...initialState(current.fields), ...kept(current, this.stateOf(current)) };
    const goesOn = !current.isWithoutRun && Object.keys(differences(current.fields, keeps)).length > 0;
    this.store.setState({ current: goesOn ? current : this.all[0], states, atUs: null, notice: null });
  }

  show(view: View): void {
    this.store.setState({ current: view });
  }

  /** Shows a view in a state; what of it is left out is as at first. */
  open<F extends Fields>(view: View<F>, state: Partial<StateOf<F>>): void {
    this.put(view, { ...this.firstOf(view), ...state });
    this.store.setState({ current: view, notice: null });
  }

  stateOf<F extends Fields>(view: View<F>): StateOf<F> {
    return stateIn(this.store.getState(), view);
  }

  change<F extends Fields>(view: View<F>, part: Partial<StateOf<F>>): void {
    this.put(view, { ...this.stateOf(view), ...part });
  }

  /** Notes where the run waits. */
  standAt(atUs: number | null): void {
    if (atUs !== this.store.getState().atUs) this.store.setState({ atUs });
  }

  /** What a link has to say of the view: JSON, empty where everything is as at first. */
  linked(): string {
    const { current, atUs } = this.store.getState();
    const state = differences(current.fields, this.stateOf(current), this.firstOf(current));
    const parts = {
      ...(current !== this.all[0] && { view: current.id }),
      ...(Object.keys(state).length > 0 && { state }),
      ...(atUs !== null && { atUs }),
    };
    return Object.keys(parts).length > 0 ? JSON.stringify(parts) : "";
  }

  /**
   * Shows what a link says. What cannot be shown is as at first, and a notice says so. Returns where the run is to wait; null
   * where the link does not say.
   */
  restore(linked: LinkedView): number | null {
    const { id, state: json, atUs } = linked.kind === "json" ? said(linked.json) : NOTHING;
    const asked = id === undefined ? this.all[0] : this.all.find((view) => view.id === id);
    const current = asked ?? this.all[0];
    const { state, faults } = readState(current.fields, asked ? json : {}, this.firstOf(current));
    this.put(current, state);
    const stands = typeof atUs === "number" && atUs > 0 && atUs <= MAX_TIME_US ? atUs : null;
    this.store.setState({ current, atUs: stands, notice: noticeOf(linked, asked ? undefined : id, faults) });
    return stands;
  }

  dismiss(): void {
    this.store.setState({ notice: null });
  }

  private firstOf<F extends Fields>(view: View<F>): StateOf<F> {
    return this.first[view.id] as StateOf<F>;
  }

  private put(view: View, state: Readonly<Record<string, unknown>>): void {
    this.store.setState(({ states }) => ({ states: { ...states, [view.id]: state } }));
  }
}

/** The state of a view. */
export const stateIn = <F extends Fields>({ states }: ViewState, view: View<F>): StateOf<F> =>
  states[view.id] as StateOf<F>;

/** What of the state of a view stays where another scenario is opened. */
const kept = <F extends Fields>({ fields }: View<F>, state: StateOf<F>): Partial<StateOf<F>> =>
  Object.fromEntries(
    Object.keys(fields).flatMap((name) => (fields[name]?.isKept ? [[name, state[name as keyof F]]] : [])),
  ) as Partial<StateOf<F>>;

/** What the JSON of a link holds, of any origin. */
interface Said {
  /** Absent where the link is for the first view. */
  readonly id?: unknown;
  readonly state: unknown;
  /** Absent where the link does not say where the run waits. */
  readonly atUs?: unknown;
}

const NOTHING: Said = { state: {} };

/** Takes the JSON of a link apart, whatever it is. */
function said(json: string): Said {
  try {
    const parts: unknown = JSON.parse(json);
    if (typeof parts !== "object" || parts === null) return { state: null };
    const { view, state = {}, atUs } = parts as Readonly<Record<string, unknown>>;
    return { id: view, state, atUs };
  } catch {
    return { state: null };
  }
}

/** Names from a link in a notice: as long and as many as fit. */
const NAMED = 3;
const shortened = (name: unknown): string => `“${typeof name === "string" ? name.slice(0, 24) : "…"}”`;

function noticeOf({ kind }: LinkedView, unknown: unknown, faults: readonly string[]): string | null {
  if (kind === "damaged")
    return "The end of the link is missing or damaged: the scenario is as it was shared, its charts are the usual ones.";
  if (unknown !== undefined)
    return `The link asks for a view that this page does not have: ${shortened(unknown)}. The scenario is as it was shared.`;
  if (faults.length === 0) return null;
  const named = faults.slice(0, NAMED).map(shortened).join(", ");
  const more = faults.length > NAMED ? ` and ${faults.length - NAMED} more` : "";
  return `The link asks for something that this page cannot show: ${named}${more}. The scenario is as it was shared.`;
}
