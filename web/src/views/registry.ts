import { compareView } from "./compare/compareView.ts";
import { exploreView } from "./explore/exploreView.ts";
import { figuresView } from "./figures/figuresView.ts";
import { learnView } from "./learn/learnView.ts";
import { planView } from "./plan/planView.ts";
import { storageView } from "./storage/storageView.ts";
import { sweepView } from "./sweep/sweepView.ts";
import type { View } from "./views.ts";

/** The views of the page, in the order of the switch between them: a new one is an entry here. */
export const VIEWS: readonly [View, ...View[]] = [
  exploreView,
  compareView,
  sweepView,
  storageView,
  figuresView,
  learnView,
  planView,
];
