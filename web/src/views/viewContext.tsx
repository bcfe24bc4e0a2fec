import { createContext, type ReactNode, useContext } from "react";
import { useStore } from "zustand";
import type { Fields, StateOf } from "./linkedState.ts";
import { stateIn, type View, type Views } from "./views.ts";

const ViewsContext = createContext<Views | null>(null);

/** Gives the views of the page to everything inside. */
export function ViewsProvider({ views, children }: { readonly views: Views; readonly children: ReactNode }) {
  return <ViewsContext value={views}>{children}</ViewsContext>;
}

export function useViews(): Views {
  const views = useContext(ViewsContext);
  if (views === null) throw new Error("outside of a ViewsProvider");
  return views;
}

/** The view that is shown. */
export const useCurrentView = (): View => useStore(useViews().store, ({ current }) => current);

/** The state of a view, and what changes parts of it. */
export function useViewState<F extends Fields>(
  view: View<F>,
): readonly [state: StateOf<F>, change: (part: Partial<StateOf<F>>) => void] {
  const views = useViews();
  const state = useStore(views.store, (state) => stateIn(state, view));
  return [state, (part) => views.change(view, part)];
}
