import { useEffect, useMemo, useRef } from "react";
import { useStore } from "zustand";
import { SessionProvider, useSession } from "../../panels/context.tsx";
import { Hint } from "../../panels/Hint.tsx";
import { Button } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { useFrame } from "../../ui/media.ts";
import { Guarded } from "../../workbench/Guarded.tsx";
import type { Lesson, LessonStep } from "../../workbench/lesson/lesson.ts";
import { Line, Markup, plain } from "../../workbench/lesson/Markup.tsx";
import { type LessonKey, type LessonProgress, progress } from "../../workbench/lesson/progress.ts";
import { pageStore } from "../../workbench/pageStore.ts";
import { learnView } from "../../workbench/state/learnView.ts";
import { useInLms, useViewState } from "../../workbench/view/viewContext.tsx";
import { CompareLive } from "./CompareLive.tsx";
import { LessonBar } from "./LessonBar.tsx";
import { LessonEnd } from "./LessonEnd.tsx";
import { LiveControls } from "./LiveControls.tsx";
import { LiveView } from "./LiveView.tsx";
import type { Player } from "./player.ts";
import { Steps } from "./Steps.tsx";
import { expectationOf, type StepProps, StepTask } from "./StepTask.tsx";

interface LessonPlayerProps {
  readonly player: Player;
  readonly lesson: Lesson;
  readonly lessonKey: LessonKey;
  readonly seed: string;
}

/** A lesson that is taken: what it says and asks on the left, its run on the right. The step behind the last one sums up. */
export function LessonPlayer({ player, lesson, lessonKey, seed }: LessonPlayerProps) {
  const frame = useFrame();
  const page = useSession();
  const inLms = useInLms();
  const [{ step: asked, hide, lock }, change] = useViewState(learnView);
  const { told, sessions, step: shown, presented } = useStore(player.store);
  const kept = useProgress(lessonKey, seed);
  const { steps } = lesson;
  const at = Math.min(asked, steps.length);
  const step = steps[at];
  const answered = kept.answers[at] ?? null;
  const isHeldBack = player.holdsBack(at);
  const mayRun = !isHeldBack && (step?.kind !== "predict" || answered !== null);
  const title = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  // Behind the last step its run is still to be looked at.
  const live = step ?? steps.at(-1);

  // The step is shown once, as it was when it was come to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    const isDone = kept.done.includes(at) && step?.kind !== "explore" && step?.kind !== "challenge";
    void player.show(Math.min(at, steps.length - 1), (isDone || at === steps.length) && mayRun);
    progress.stand(lessonKey, seed, at);
    if (!isFirst.current) title.current?.focus();
    isFirst.current = false;
  }, [player, at]);

  const session = sessions.at(-1) ?? null;
  const isPresented = presented === Math.min(at, steps.length - 1);
  useEffect(() => {
    pageStore.setState({ ownRun: mayRun && isPresented ? session : null });
    return () => pageStore.setState({ ownRun: null });
  }, [session, mayRun, isPresented]);

  const isHere = shown === at;
  const go = (next: number) => {
    if (step && next > at && !isScoredStep(step)) progress.finish(lessonKey, seed, at);
    change({ step: next });
  };
  const reached = Math.max(at, ...kept.done.map((done) => done + 1));
  const isOpen = (place: number) => !lock || place <= reached;
  const wait = step ? waitOf(step, kept, at, hide) : null;
  const next = steps[at + 1];
  const props: StepProps | null =
    step && session && isPresented
      ? {
          player,
          lesson,
          lessonKey,
          seed,
          step,
          at,
          told: isHere ? told : null,
          answered,
          kept,
          session,
          hide,
        }
      : null;

  const body = (
    <>
      <section className="learn-text" aria-labelledby="step-title">
        <header className="learn-head">
          <button
            type="button"
            className="learn-back"
            disabled={inLms}
            onClick={() => change({ lesson: "", own: "", step: 0 })}
          >
            <Icon name="list" />
            <span>
              {lesson.number == null ? "" : `Lesson ${lesson.number}, `}
              <Line text={lesson.title} />
            </span>
          </button>
          <span className="note">{step ? `step ${at + 1} of ${steps.length}` : "at its end"}</span>
          <Steps lesson={lesson} done={kept.done} current={at} onGo={go} isOpen={isOpen} />
        </header>
        <div className="learn-scroll">
          {step ? (
            <>
              <h2 id="step-title" ref={title} tabIndex={-1}>
                <Line text={(isHere && told?.title) || step.title} />
              </h2>
              <div className="learn-prose">
                <Markup text={(isHere && told?.text) || blank(step.text)} />
              </div>
              {props && <StepTask key={at} {...props} />}
            </>
          ) : (
            <LessonEnd lesson={lesson} kept={kept} titleRef={title} onGo={go} onAgain={() => again()} />
          )}
          <Failure player={player} />
        </div>
        <footer className="learn-foot">
          {!(inLms && at === 0) && (
            <Button onClick={() => (at === 0 ? change({ lesson: "", own: "", step: 0 }) : go(at - 1))}>
              {at === 0 ? "Contents" : "Back"}
            </Button>
          )}
          {wait && (
            <span id="learn-wait" className="note">
              {wait}
            </span>
          )}
          {step && (
            <Button
              look={wait ? "default" : "primary"}
              className="learn-next"
              aria-disabled={wait ? true : undefined}
              aria-describedby={wait ? "learn-wait" : undefined}
              onClick={() => !wait && go(at + 1)}
            >
              <span>{next ? `Next: ${plain(blank(next.title))}` : "Finish"}</span>
            </Button>
          )}
        </footer>
      </section>
      <section className="learn-live" aria-label="The run of this step">
        {session && live && isPresented && (
          <>
            {step && (
              <LiveControls
                key={at}
                step={step}
                lesson={lesson}
                player={player}
                onExplore={lock || inLms ? null : explore}
              />
            )}
            <Guarded name="The run">
              {live.kind === "compare" && sessions.length > 1 ? (
                <CompareLive
                  sessions={sessions}
                  lesson={lesson}
                  names={live.runs}
                  show={live.show}
                  frame={frame}
                />
              ) : (
                <LiveView
                  key={`${at}`}
                  show={live.show}
                  frame={frame}
                  picture={
                    isHere && (answered?.judgement || live.kind !== "predict")
                      ? (told?.picture ?? null)
                      : null
                  }
                  waits={live.kind === "predict" && !answered}
                  expected={expectationOf(live, answered)}
                />
              )}
            </Guarded>
          </>
        )}
      </section>
      {session && <LessonBar frame={frame} mayRun={mayRun && isPresented} isHeldBack={isHeldBack} />}
      <Hint />
    </>
  );

  function again() {
    progress.forget(lessonKey, seed);
    change({ step: 0 });
  }
  function explore() {
    if (session) page.begin(session.scenario);
  }

  return (
    <main className="learn" data-step={at + 1} data-kind={step?.kind ?? "end"} data-hides={hide || undefined}>
      {session ? <SessionProvider session={session}>{body}</SessionProvider> : body}
    </main>
  );
}

/** What was done in a lesson, kept up to date. */
function useProgress(key: LessonKey, seed: string): LessonProgress {
  const lessons = useStore(progress.store, (state) => state.lessons);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept changes with the store
  return useMemo(() => progress.of(key, seed), [key.id, key.hash, seed, lessons]);
}

const isScoredStep = ({ kind }: LessonStep): boolean => kind === "predict" || kind === "challenge";

/** Why the next step has to wait; null where it does not. */
function waitOf({ kind }: LessonStep, { answers }: LessonProgress, at: number, hide: boolean): string | null {
  if (kind !== "predict" || answers[at]?.judgement) return null;
  if (!answers[at]) return "Predict first";
  return hide ? null : "Run it first";
}

/** A text before its numbers are there. */
const blank = (text: string): string => text.replace(/\{[^}]*\}/g, "…");

/** Why a result does not come. */
function Failure({ player }: { readonly player: Player }) {
  const failure = useStore(player.store, (state) => state.failure);
  if (failure === null) return null;
  return (
    <p className="learn-failure" role="alert">
      <Icon name="warning" /> A run of this step could not be computed: {failure}
    </p>
  );
}
