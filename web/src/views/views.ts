import type { ComponentType } from "react";
import { createStore } from "zustand/vanilla";
import type { LinkedView } from "../scenario/codec.ts";
import type { IconName } from "../ui/Icon.tsx";
import { part } from "../ui/part.tsx";
import { differences, type Fields, initialState, readState, type StateOf } from "./linkedState.ts";

/** One view of the page: what fills it between its bars, with a state that links carry. */
export interface View<F extends Fields = Fields> {
  /** Its route: names it in links. */
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly fields: F;
  /** Fetches its code. */
  readonly load: () => Promise<{ readonly default: ComponentType }>;
  readonly component: ComponentType;
}

/** A view whose code comes when it is first shown. */
export const defineView = <F extends Fields>(view: Omit<View<F>, "component">): View<F> => ({
  ...view,
  component: part(view.load),
});

/** Which view is shown and how. */
export interface ViewState {
  readonly current: View;
  /** State of each view, by its `id`. */
  readonly states: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Why a link is not shown as it says; null where there is nothing to say. */
  readonly notice: string | null;
}

/** The views of the page and their states. The first is shown where a link names none. */
export class Views {
  readonly store;

  constructor(readonly all: readonly [View, ...View[]]) {
    this.store = createStore<ViewState>()(() => ({
      current: all[0],
      states: Object.fromEntries(all.map(({ id, fields }) => [id, initialState(fields)])),
      notice: null,
    }));
  }

  show(view: View): void {
    this.store.setState({ current: view });
  }

  stateOf<F extends Fields>(view: View<F>): StateOf<F> {
    return stateIn(this.store.getState(), view);
  }

  change<F extends Fields>(view: View<F>, part: Partial<StateOf<F>>): void {
    this.put(view, { ...this.stateOf(view), ...part });
  }

  /** What a link has to say of the view: JSON, empty where everything is as at first. */
  linked(): string {
    const { current } = this.store.getState();
    const state = differences(current.fields, this.stateOf(current));
    const parts = {
      ...(current !== this.all[0] && { view: current.id }),
      ...(Object.keys(state).length > 0 && { state }),
    };
    return Object.keys(parts).length > 0 ? JSON.stringify(parts) : "";
  }

  /** Shows what a link says. What cannot be shown is as at first, and a notice says so. */
  restore(linked: LinkedView): void {
    const { id, state: json } = linked.kind === "json" ? said(linked.json) : NOTHING;
    const asked = id === undefined ? this.all[0] : this.all.find((view) => view.id === id);
    const current = asked ?? this.all[0];
    const { state, faults } = readState(current.fields, asked ? json : {});
    this.put(current, state);
    this.store.setState({ current, notice: noticeOf(linked, asked ? undefined : id, faults) });
  }

  dismiss(): void {
    this.store.setState({ notice: null });
  }

  private put(view: View, state: Readonly<Record<string, unknown>>): void {
    this.store.setState(({ states }) => ({ states: { ...states, [view.id]: state } }));
  }
}

/** The state of a view. */
export const stateIn = <F extends Fields>({ states }: ViewState, view: View<F>): StateOf<F> =>
  states[view.id] as StateOf<F>;

/** What the JSON of a link holds, of any origin. */
interface Said {
  /** Absent where the link is for the first view. */
  readonly id?: unknown;
  readonly state: unknown;
}

const NOTHING: Said = { state: {} };

/** Takes the JSON of a link apart, whatever it is. */
function said(json: string): Said {
  try {
    const parts: unknown = JSON.parse(json);
    if (typeof parts !== "object" || parts === null) return { state: null };
    const { view, state = {} } = parts as { readonly view?: unknown; readonly state?: unknown };
    return { id: view, state };
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
