import type { Session } from "../../engine/run/session.ts";
import { fragmentOf } from "../../scenario/codec.ts";
import { scenarioOf, stepOf } from "../../scenario/store.ts";
import type { Diagnostic, Scenario } from "../../scenario/types.ts";
import { showTheme } from "../../ui/theme.ts";
import { isScored } from "../../workbench/lesson/lesson.ts";
import {
  isDone,
  openLessonStore,
  type Progress,
  progress,
  scoreOf,
} from "../../workbench/lesson/progress.ts";
import { openAddress, openLink } from "../../workbench/view/address.ts";
import type { Embed } from "../../workbench/view/embed.ts";
import type { Views } from "../../workbench/view/views.ts";

/** Shortest time between two messages that say how far the run is. */
const PERIOD_MS = 250;

/**
 * Listens to the page around this one, and to no other, and tells it where the run stands: every change of phase, and the time at
 * most four times a second; how far a lesson is, at every change; and, if it follows, the scenario. `docs/embedding.md` lists the
 * messages; any other is passed over. They act in turn: what a message opens is open before the next one acts, and so is what this
 * page was opened with.
 */
export function speakWithHost(
  session: Session,
  views: Views,
  { follow }: Pick<Embed, "follow">,
  opening: Promise<unknown>,
): void {
  addEventListener("hashchange", () => void openAddress(session, views, location.hash));
  const host = window.parent;
  if (host === window) return;
  let turn = opening;
  addEventListener("message", ({ source, data }) => {
    if (source !== host) return;
    const act = () => perform(session, views, data);
    turn = turn.then(act, act);
  });
  tellState(session, (state) => host.postMessage(state, "*"));
  tellLesson(progress, (lesson) => host.postMessage(lesson, "*"));
  if (follow) tellScenario(session, (message) => host.postMessage(message, "*"));
}

/** Does what a message asks for, whatever it is. */
export async function perform(session: Session, views: Views, message: unknown): Promise<void> {
  const { qoscope, path, value, link, theme } = (message ?? {}) as Readonly<Record<string, unknown>>;
  if (qoscope === "play") session.play();
  else if (qoscope === "pause") session.pause();
  else if (qoscope === "restart") session.restart();
  else if (qoscope === "set" && typeof path === "string") session.changeFromHost(path, value);
  else if (qoscope === "theme" && (theme === "light" || theme === "dark")) showTheme(theme);
  else if (qoscope === "open" && typeof link === "string") await openLink(session, views, fragmentOf(link));
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

/** The scenario, or why it stays as it was, as a page that follows is told. */
type Followed =
  | { readonly qoscope: "scenario"; readonly scenario: Scenario }
  | { readonly qoscope: "refused"; readonly diagnostics: readonly Diagnostic[] };

/** Tells the scenario with its recorded changes, now and at every change, and what of a change is refused. */
export function tellScenario(
  { store, run }: Pick<Session, "store" | "run">,
  tell: (message: Followed) => void,
): void {
  const now = () => {
    // Before the first one is opened nothing that somebody asked for is there.
    if (run.getState().begun) tell({ qoscope: "scenario", scenario: scenarioOf(store.getState()) });
  };
  now();
  store.subscribe((state, before) => {
    if (stepOf(state) !== stepOf(before)) now();
  });
  run.subscribe(({ diagnostics }, before) => {
    if (diagnostics === before.diagnostics || diagnostics.length === 0) return;
    tell({ qoscope: "refused", diagnostics });
    now();
  });
}

/** How far a lesson is, as the page around this one is told: counts, and nothing of what was answered. */
interface LessonState {
  readonly qoscope: "lesson";
  readonly lesson: string;
  /** From 1. */
  readonly step: number;
  readonly steps: number;
  /** Predictions and challenges that are answered, of all. */
  readonly answered: number;
  readonly questions: number;
  /** Right predictions and solved challenges, as far as runs have shown them. */
  readonly score: number;
  readonly done: boolean;
}

/** Tells how far the lesson is that is open, now and from now on. */
export function tellLesson(progress: Progress, tell: (state: LessonState) => void): void {
  let told = "";
  const look = () => {
    const { lesson, ...opened } = openLessonStore.getState();
    if (!lesson || !("key" in opened)) return;
    const now = progress.of(opened.key, opened.seed);
    const { points, of } = scoreOf(lesson, now);
    const isAnswered = (at: number) => {
      const challenge = now.challenges[at];
      return now.answers[at] !== undefined || challenge?.solved || challenge?.shown;
    };
    const state: LessonState = {
      qoscope: "lesson",
      lesson: lesson.id,
      step: now.step + 1,
      steps: lesson.steps.length,
      answered: lesson.steps.filter((step, at) => isScored(step) && isAnswered(at)).length,
      questions: of,
      score: points,
      done: isDone(lesson, now),
    };
    const text = JSON.stringify(state);
    if (text === told) return;
    told = text;
    tell(state);
  };
  openLessonStore.subscribe(look);
  progress.store.subscribe(look);
  look();
}
