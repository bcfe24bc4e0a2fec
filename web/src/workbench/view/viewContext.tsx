import { createContext, type ReactNode, useContext } from "react";
import { useStore } from "zustand";
import { type Embed, PARTS, type Part } from "./embed.ts";
import type { Fields, StateOf } from "./linkedState.ts";
import { stateIn, type View, type Views } from "./views.ts";

const ViewsContext = createContext<Views | null>(null);

const EmbedContext = createContext<Embed | null>(null);

interface ViewsProviderProps {
  readonly views: Views;
  /** Absent where the page stands alone. */
  readonly embed?: Embed | null;
  readonly children: ReactNode;
}

/** Gives the views of the page to everything inside, and how it is shown inside another. */
export function ViewsProvider({ views, embed = null, children }: ViewsProviderProps) {
  return (
    <ViewsContext value={views}>
      <EmbedContext value={embed}>{children}</EmbedContext>
    </ViewsContext>
  );
}

/** How the page is shown inside another; null where it stands alone. */
export const useEmbed = (): Embed | null => useContext(EmbedContext);

/** Whether an LMS shows the page: then there is one lesson on it, and nothing else. */
export const useInLms = (): boolean => (useEmbed()?.scorm ?? null) !== null;

/** Which parts are on the page. */
export function useShown(): Readonly<Record<Part, boolean>> {
  const hidden = useEmbed()?.hidden ?? [];
  return Object.fromEntries(PARTS.map((part) => [part, !hidden.includes(part)])) as Record<Part, boolean>;
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
