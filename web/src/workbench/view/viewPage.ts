import type { ComponentType } from "react";
import { part } from "../../ui/part.tsx";
import type { Fields } from "./linkedState.ts";
import type { View } from "./views.ts";

/** A registered view: its definition and its component. */
export interface ViewPage {
  readonly view: View;
  /** Fetches the code of the component. */
  readonly load: () => Promise<{ readonly default: ComponentType }>;
  readonly component: ComponentType;
}

/** Registers a view whose component is fetched when it is first shown. */
export const viewPage = <F extends Fields>(view: View<F>, load: ViewPage["load"]): ViewPage => ({
  view,
  load,
  component: part(load),
});

export type ViewPages = readonly [ViewPage, ...ViewPage[]];

/** The definitions of registered views, in their order. */
export const viewsOf = ([first, ...others]: ViewPages): readonly [View, ...View[]] => [
  first.view,
  ...others.map(({ view }) => view),
];

/** The component of a view. */
export function componentOf(pages: ViewPages, view: View): ComponentType {
  const page = pages.find((item) => item.view === view);
  if (!page) throw new Error(`The view ${view.id} is not registered`);
  return page.component;
}
