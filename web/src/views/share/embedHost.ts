import type { Session } from "../../engine/session.ts";
import { fragmentOf } from "../../scenario/codec.ts";
import { openAddress, openLink } from "../address.ts";
import type { Views } from "../views.ts";

/** Shortest time between two messages that say how far the run is. */
const PERIOD_MS = 250;

/**
 * Listens to the page around this one, and to no other, and tells it where the run stands: every change of phase, and the time at
 * most four times a second. `docs/embedding.md` lists the messages; any other is passed over.
 */
export function speakWithHost(session: Session, views: Views): void {
  addEventListener("hashchange", () => void openAddress(session, views, location.hash));
  const host = window.parent;
  if (host === window) return;
  addEventListener("message", ({ source, data }) => {
    if (source === host) perform(session, views, data);
  });
  tellState(session, (state) => host.postMessage(state, "*"));
}

/** Does what a message asks for, whatever it is. */
export function perform(session: Session, views: Views, message: unknown): void {
  const { qoscope, path, value, link } = (message ?? {}) as Readonly<Record<string, unknown>>;
  if (qoscope === "play") session.play();
  else if (qoscope === "pause") session.pause();
  else if (qoscope === "restart") session.restart();
  else if (qoscope === "set" && typeof path === "string") session.changeFromHost(path, value);
  else if (qoscope === "open" && typeof link === "string") void openLink(session, views, fragmentOf(link));
}

/** Where the run stands, as the page around this one is told. */
interface State {
  readonly qoscope: "state";
  readonly phase: string;
  readonly timeUs: number;
}

/** Tells where the run stands, now and from now on. */
export function tellState({ run }: Pick<Session, "run">, tell: (state: State) => void): void {
  let told: State | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    clearTimeout(timer);
    timer = undefined;
    const { phase, nowUs } = run.getState();
    told = { qoscope: "state", phase, timeUs: nowUs };
    tell(told);
  };
  now();
  run.subscribe(({ phase, nowUs }) => {
    if (phase !== told?.phase) now();
    else if (nowUs !== told.timeUs) timer ??= setTimeout(now, PERIOD_MS);
  });
}
