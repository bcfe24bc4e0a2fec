import { createStore } from "zustand/vanilla";
import type { Stretch } from "../charts/time/timeRange.ts";
import type { Wish } from "../engine/run/protocol.ts";
import type { Session } from "../engine/run/session.ts";
import { endUs, type Journey } from "../run/journey.ts";
import { exploreView } from "./state/exploreView.ts";
import type { Views } from "./view/views.ts";

/** What was asked for last, of which run, and where that stood. */
interface Asked extends Wish {
  readonly generation: number;
  readonly fromUs: number;
  readonly changes: number;
}

/** The request that is followed, and the instant of its life that is looked at. */
export interface Following {
  readonly asked: Asked | null;
  /** The answer has not come. */
  readonly searching: boolean;
  /** The last that was found; null where none was. */
  readonly journey: Journey | null;
  /** The instant that is looked at, since the start of the run. */
  readonly us: number;
  /** That instant moves by itself. */
  readonly playing: boolean;
  /** Shown stretch since the request was issued; null is all of it. */
  readonly range: Stretch | null;
}

const NOTHING: Following = {
  asked: null,
  searching: false,
  journey: null,
  us: 0,
  playing: false,
  range: null,
};

export const following = createStore<Following>()(() => NOTHING);

/** Wall time in which the shown stretch passes. */
const SHOWN_IN_MS = 12_000;
/** From this share of its latency on the wait at its host is left out at first. */
const LONG_WAIT = 0.4;

/** Follows a request of a run that stands, unless that is what was asked for last. */
export async function followRequest(session: Session, wish: Wish, plays: boolean): Promise<void> {
  const { generation, nowUs: fromUs, changesInForce: changes } = session.run.getState();
  const asked: Asked = { ...wish, generation, fromUs, changes };
  const last = following.getState().asked;
  if (last && Object.entries(asked).every(([name, value]) => last[name as keyof Asked] === value)) return;
  following.setState({ asked, searching: true, playing: false });
  const followed = await session.follow(wish);
  if (followed === "superseded") return;
  following.setState({ searching: false, journey: followed, ...(followed && shownFirst(followed, plays)) });
}

/** A request from where it gets under way. */
function shownFirst(journey: Journey, plays: boolean): Partial<Following> {
  const { issuedUs, sentUs } = journey.moments;
  const total = endUs(journey) - issuedUs;
  const waited = (sentUs ?? issuedUs) - issuedUs;
  const rest = total - waited;
  const range = waited >= LONG_WAIT * total && rest > 0 ? ([waited - rest / 20, total] as const) : null;
  return { range, us: issuedUs + (range?.[0] ?? 0), playing: plays };
}

/** What is shown of a request, since it was issued. */
export const shownRange = ({ journey, range }: Following): Stretch =>
  range ?? [0, journey ? Math.max(endUs(journey) - journey.moments.issuedUs, 1e-3) : 1];

/** Looks at another instant. */
export function lookAt(us: number): void {
  const { journey } = following.getState();
  if (!journey) return;
  const { issuedUs } = journey.moments;
  following.setState({ us: Math.min(endUs(journey), Math.max(issuedUs, us)), playing: false });
}

/** Lets the instant that is looked at move on, from the start of what is shown once that has passed. */
export function togglePlaying(): void {
  const state = following.getState();
  if (!state.journey) return;
  const [from, to] = shownRange(state);
  const at = state.us - state.journey.moments.issuedUs;
  const us = at >= to - (to - from) / 1000 || at < from ? state.journey.moments.issuedUs + from : state.us;
  following.setState({ playing: !state.playing, us });
}

/** Moves the instant by the wall time that has passed. */
export function pass(ms: number): void {
  const state = following.getState();
  if (!state.playing || !state.journey) return;
  const [from, to] = shownRange(state);
  const { issuedUs } = state.journey.moments;
  const us = Math.min(issuedUs + to, state.us + ((to - from) * ms) / SHOWN_IN_MS);
  following.setState({ us, playing: us < issuedUs + to });
}

/** Begins to follow requests where the run stands, or goes back to the charts. */
export function toggleFollowing(session: Session, views: Views): void {
  const { follow, class: unfolded } = views.stateOf(exploreView);
  views.show(exploreView);
  if (follow) {
    stopFollowing(views);
    return;
  }
  session.pause();
  const wish: Wish = { class: unfolded ?? 0, of: 100, operation: "all" };
  views.change(exploreView, { follow: wish, edit: false });
}

export function stopFollowing(views: Views): void {
  following.setState(NOTHING);
  views.change(exploreView, { follow: null });
}
