import { fetchedWhenIdle } from "../ui/onDemand.tsx";
import { compareView } from "../workbench/state/compareView.ts";
import { exploreView } from "../workbench/state/exploreView.ts";
import { figuresView } from "../workbench/state/figuresView.ts";
import { learnView } from "../workbench/state/learnView.ts";
import { planView } from "../workbench/state/planView.ts";
import { storageView } from "../workbench/state/storageView.ts";
import { sweepView } from "../workbench/state/sweepView.ts";
import { type ViewPages, viewPage, viewsOf } from "../workbench/view/viewPage.ts";

/** The views of the page with their components, in the order of the switch: a new view is an entry here. */
export const PAGES: ViewPages = [
  viewPage(exploreView, () => import("./explore/Explore.tsx")),
  viewPage(
    compareView,
    fetchedWhenIdle(() => import("./compare/Compare.tsx")),
  ),
  viewPage(sweepView, () => import("./sweep/Sweep.tsx")),
  viewPage(
    storageView,
    fetchedWhenIdle(() => import("./storage/Storage.tsx")),
  ),
  viewPage(figuresView, () => import("./figures/Figures.tsx")),
  viewPage(learnView, () => import("./learn/Learn.tsx")),
  viewPage(
    planView,
    fetchedWhenIdle(() => import("./plan/Plan.tsx")),
  ),
];

/** Their definitions. */
export const VIEWS = viewsOf(PAGES);
