import { decodeView, encodeFragment } from "../../scenario/codec.ts";
import { firstScenario } from "../../scenario/first.ts";
import type { Scenario } from "../../scenario/types.ts";
import type { View, Views } from "./views.ts";

/**
 * Short links: fragments without a scenario, which open the first one beside a view that needs none, such as `#figures` or
 * `#figure=paper1-fig12a`. What follows an `&` refines them: `#learn=2.4&hide`.
 */
export interface ShortLink<State> {
  /** The words that a fragment of the view begins with. */
  readonly names: readonly string[];
  /** State that a fragment asks for; what it leaves out is as at first. Whatever it says, the view has an answer to it. */
  read(name: string, value: string, options: URLSearchParams): Partial<State>;
  /** The fragment of a state, without its `#`; null where no short one says it. */
  write(state: State): string | null;
}

interface Reached {
  readonly view: View;
  readonly state: Readonly<Record<string, unknown>>;
}

/** What a fragment asks for, with or without its `#`; null where it is no short link of these views. */
export function readShort(views: readonly View[], fragment: string): Reached | null {
  const [, name = "", value = "", options = ""] = /^#?([a-z]+)(?:=([^&]*))?(?:&(.*))?$/.exec(fragment) ?? [];
  const view = views.find(({ short }) => short?.names.includes(name));
  if (!view?.short) return null;
  return { view, state: view.short.read(name, unescaped(value), new URLSearchParams(options)) };
}

/** A short link of words and values: those that are empty or off are left out. */
export function shortText(
  name: string,
  value: string,
  options: Readonly<Record<string, string | boolean>> = {},
): string {
  const parts = Object.entries(options).flatMap(([key, option]) =>
    option === false || option === "" ? [] : [option === true ? key : `${key}=${encodeURIComponent(option)}`],
  );
  return [value === "" ? name : `${name}=${encodeURIComponent(value)}`, ...parts].join("&");
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** How an address tells what is on the page. */
export interface Told {
  /** The state of the view as JSON, as links with a scenario have it. */
  readonly json: string;
  /** The short link of the view; null where it has none. */
  readonly short: string | null;
}

export const toldOf = (views: Views): Told => ({ json: views.linked(), short: shortOf(views) });

function shortOf(views: Views): string | null {
  const { current } = views.store.getState();
  return current.short?.write(views.stateOf(current)) ?? null;
}

/** The fragment of what is on the page, `#` included: a short one beside the first scenario as it is. */
export function fragmentFor(scenario: Scenario, { json, short }: Told): string {
  return short !== null && isFirst(scenario) ? `#${short}` : encodeFragment(scenario, json);
}

const isFirst = (scenario: Scenario): boolean =>
  scenario === firstScenario || JSON.stringify(scenario) === JSON.stringify(firstScenario);

/** Whether one page of a view gave way to another one of its own, which Back returns to: refinements turn no page. */
export const turnsPage = (before: Told, after: Told): boolean =>
  before.short !== null && after.short !== null && pageOf(before.short) !== pageOf(after.short);

const pageOf = (short: string): string => short.replace(/&.*$/, "");

/** Shows the view as a fragment says, whichever way it does. Returns where the run is to wait, if it says so. */
export function restoreView(views: Views, fragment: string): number | null {
  const reached = readShort(views.all, fragment);
  if (!reached) return views.restore(decodeView(fragment));
  views.open(reached.view, reached.state);
  return null;
}
