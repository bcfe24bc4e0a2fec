import { compareView } from "./compareView.ts";
import { exploreView } from "./exploreView.ts";
import { planView } from "./planView.ts";
import { storageView } from "./storageView.ts";
import type { View } from "./views.ts";

/** The views of the page, in the order of the switch between them: a new one is an entry here. */
export const VIEWS: readonly [View, ...View[]] = [exploreView, compareView, storageView, planView];
