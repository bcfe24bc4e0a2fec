import { useEffect, useId, useRef, useState } from "react";
import { useStore } from "zustand";
import { choiceOf, shownBy } from "../../charts/registry.ts";
import { isOfUnit } from "../../charts/time/frame.ts";
import type { Expectation } from "../../charts/types.ts";
import type { Session } from "../../engine/run/session.ts";
import { getPath } from "../../scenario/path.ts";
import { formatField } from "../../scenario/units.ts";
import { Button } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import type {
  Answer,
  ChallengeStep,
  ExploreStep,
  Lesson,
  LessonStep,
  PredictStep,
  Told,
} from "../../workbench/lesson/lesson.ts";
import { Line, Markup } from "../../workbench/lesson/Markup.tsx";
import {
  type AnsweredQuestion,
  type LessonKey,
  type LessonProgress,
  progress,
} from "../../workbench/lesson/progress.ts";
import { type Player, playThrough } from "./player.ts";
import { QuestionField } from "./Question.tsx";
import HandIn from "./teacher/HandIn.tsx";

export interface StepProps<S extends LessonStep = LessonStep> {
  readonly player: Player;
  readonly lesson: Lesson;
  readonly lessonKey: LessonKey;
  readonly seed: string;
  readonly step: S;
  /** Its place, from 0. */
  readonly at: number;
  /** Null until the engine has told it. */
  readonly told: Told | null;
  readonly answered: AnsweredQuestion | null;
  readonly kept: LessonProgress;
  /** The run on the screen. */
  readonly session: Session;
  /** Predictions are not run: what happened waits. */
  readonly hide: boolean;
}

/** What a step asks to be done. */
export function StepTask(props: StepProps) {
  const { step } = props;
  switch (step.kind) {
    case "read":
      return null;
    case "predict":
      return <Predict {...props} step={step} />;
    case "explore":
      return <Explore {...props} step={step} />;
    case "challenge":
      return <Challenge {...props} step={step} />;
    case "compare":
      return <Compare {...props} />;
  }
}

/** Plays the runs side by side; the explanation follows at their end. */
function Compare({ player, at, told, session }: StepProps) {
  const phase = useStore(session.run, (run) => run.phase);
  const [seen, setSeen] = useState(() => ended(session));
  useEffect(() => {
    if (phase === "ended") setSeen(true);
  }, [phase]);
  if (player.holdsBack(at)) return null;
  return (
    <>
      <section className="learn-part" aria-label="Run">
        <div className="button-row">
          <Button
            look={seen ? "default" : "primary"}
            icon={seen ? "restart" : phase === "running" ? "pause" : "play"}
            onClick={() => {
              if (seen) session.restart();
              else if (phase === "running") session.pause();
              else playThrough(session);
            }}
          >
            {seen ? "Play again" : phase === "running" ? "Pause" : "Play both"}
          </Button>
          {!seen && (
            <Button look="quiet" onClick={() => session.seek(session.scenario.durationUs)}>
              To their end
            </Button>
          )}
        </div>
      </section>
      {told?.explain && (
        <section
          className="learn-part learn-outcome"
          aria-labelledby="explain-title"
          data-later={!seen || undefined}
        >
          <header>
            <h3 id="explain-title">Explain</h3>
            {!seen && <span className="note">after the runs</span>}
          </header>
          <div className="learn-prose" role="status">
            {seen && <Markup text={told.explain} />}
          </div>
        </section>
      )}
    </>
  );
}

/** The prediction of a number, as the one chart of the step draws it that shows its unit; null where there is no such chart, or several. */
export function expectationOf(step: LessonStep, answered: AnsweredQuestion | null): Expectation | null {
  if (step.kind !== "predict" || step.question.kind !== "number" || answered?.answer.kind !== "number")
    return null;
  const { value } = answered.answer;
  const { unit } = step.question;
  if (unit == null) return null;
  const units = (step.show ?? []).map((name) => (name === "tail" ? LATENCY_UNIT : unitOf(name)));
  if (units.filter((other) => other !== undefined && isOfUnit(other, unit)).length !== 1) return null;
  return { value, unit, label: `your prediction ${formatField(value)}` };
}

const LATENCY_UNIT = "µs";

/** The unit of a chart over time. */
const unitOf = (name: string): string | undefined => shownBy(choiceOf(name)?.subject ?? "")?.subject.unit;

const ended = (session: Session) => session.run.getState().phase === "ended";

/** Predict, run, explain. */
function Predict({
  player,
  lesson,
  lessonKey,
  seed,
  step,
  at,
  told,
  answered,
  kept,
  session,
  hide,
}: StepProps<PredictStep>) {
  const { question } = step;
  const [draft, setDraft] = useState<Answer | null>(null);
  const [since] = useState(() => performance.now());
  const phase = useStore(session.run, (run) => run.phase);
  const nowMs = useStore(session.run, (run) => Math.floor(run.nowUs / 100) / 10);
  const { isComplete, missing } = useStore(player.store);
  const [seen, setSeen] = useState(() => ended(session));
  const run = useRef<HTMLButtonElement>(null);
  const judgement = answered?.judgement ?? null;
  const isShown = judgement !== null && !hide;
  const promptId = useId();

  useEffect(() => {
    if (phase === "ended" && answered) setSeen(true);
  }, [phase, answered]);
  useEffect(() => {
    if (!answered || answered.judgement || !seen || !isComplete || hide) return;
    void player.judge(at, answered.answer).then((judged) => progress.judge(lessonKey, seed, at, judged));
  }, [answered, seen, isComplete, hide, player, at, lessonKey, seed]);

  const lockIn = (answer: Answer) => {
    progress.answer(lessonKey, seed, at, answer, Math.round((performance.now() - since) / 1000));
    // The button that was pressed goes away.
    requestAnimationFrame(() => run.current?.focus());
  };
  return (
    <>
      <section className="learn-part" aria-labelledby="predict-title">
        <header>
          <h3 id="predict-title">1 Predict</h3>
          {answered && (
            <span className="note">
              <Icon name="lock" size={13} />{" "}
              {answered.answer.kind === "unknown" ? "answered: I don’t know" : "answered"}
            </span>
          )}
        </header>
        <p id={promptId} className="learn-prompt">
          <Line text={told?.prompt ?? question.prompt} />
        </p>
        <fieldset aria-labelledby={promptId}>
          <QuestionField
            question={question}
            options={told?.options ?? []}
            answer={answered?.answer ?? null}
            judgement={isShown ? judgement : null}
            onDraft={setDraft}
          />
        </fieldset>
        {!answered && (
          <div className="button-row">
            <Button
              look={draft ? "primary" : "default"}
              icon="lock"
              aria-disabled={draft ? undefined : true}
              onClick={() => draft && lockIn(draft)}
            >
              Lock in
            </Button>
            <Button look="quiet" onClick={() => lockIn({ kind: "unknown" })}>
              I don’t know
            </Button>
          </div>
        )}
      </section>
      {hide ? (
        answered && <Locked lesson={lesson} kept={kept} />
      ) : (
        <>
          <section className="learn-part" aria-labelledby="run-title" data-later={!answered || undefined}>
            <header>
              <h3 id="run-title">2 Run</h3>
              <span className="note">
                {seen && isComplete && <Icon name="check" size={13} />}
                {!answered
                  ? "after your prediction"
                  : seen && !isComplete
                    ? `computing ${missing} more ${missing === 1 ? "run" : "runs"}`
                    : `${nowMs.toFixed(1)} ms`}
              </span>
            </header>
            {answered && (
              <div className="button-row">
                <Button
                  ref={run}
                  look={judgement ? "default" : "primary"}
                  icon={seen ? "restart" : phase === "running" ? "pause" : "play"}
                  onClick={() => {
                    if (seen) session.restart();
                    else if (phase === "running") session.pause();
                    else playThrough(session);
                  }}
                >
                  {seen ? "Run again" : phase === "running" ? "Pause" : "Run"}
                </Button>
                {!seen && (
                  <Button look="quiet" onClick={() => session.seek(session.scenario.durationUs)}>
                    To its end
                  </Button>
                )}
              </div>
            )}
          </section>
          <section
            className="learn-part learn-outcome"
            aria-labelledby="explain-title"
            data-later={!isShown || undefined}
          >
            <header>
              <h3 id="explain-title">3 Explain</h3>
              {!isShown && <span className="note">after the run</span>}
            </header>
            <div className="learn-prose" role="status">
              {isShown && (
                <>
                  <p className="learn-verdict">
                    <Icon name={judgement.right ? "check" : "info"} />{" "}
                    {judgement.happened.kind === "none"
                      ? judgement.happened.text
                      : judgement.right
                        ? "As you predicted."
                        : answered?.answer.kind === "unknown"
                          ? "Now you know."
                          : "Not as you predicted."}
                  </p>
                  {judgement.feedback && <Markup text={judgement.feedback} />}
                  {told?.explain && <Markup text={told.explain} />}
                </>
              )}
            </div>
          </section>
        </>
      )}
    </>
  );
}

/** A prediction that waits for its run: whoever gave the link will give another one that shows it. */
function Locked({ lesson, kept }: Pick<StepProps, "lesson" | "kept">) {
  const [open, setOpen] = useState(false);
  const text = useRef<HTMLParagraphElement>(null);
  // The button that locked it in is gone.
  useEffect(() => text.current?.focus(), []);
  return (
    <section className="learn-part learn-locked" aria-label="What happened is hidden">
      <p ref={text} tabIndex={-1}>
        <Icon name="lock" size={13} /> Locked in. What happened is hidden until your teacher gives you the
        link that shows it; your answers are kept for then.
      </p>
      <div className="button-row">
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          Hand in answers
        </Button>
      </div>
      {open && <HandIn lesson={lesson} progress={kept} />}
    </section>
  );
}

function Explore({ told, step }: StepProps<ExploreStep>) {
  const look = told?.look ?? step.look ?? [];
  if (look.length === 0) return null;
  return (
    <section className="learn-part learn-prose" aria-labelledby="look-title">
      <header>
        <h3 id="look-title">Look at</h3>
      </header>
      <ul>
        {look.map((text) => (
          <li key={text}>
            <Line text={text} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Time between two looks at a run under way. */
const LOOK_MS = 400;

/** Goals that the engine judges by the run as it stands, and for good at its end. */
function Challenge({ player, lessonKey, seed, step, at, told, kept, session }: StepProps<ChallengeStep>) {
  const record = kept.challenges[at] ?? { solved: false, hints: 0, shown: false };
  const goals = useLiveGoals(player, at, session);
  const phase = useStore(session.run, (run) => run.phase);
  const isFinal = goals.isFinal && phase === "ended";
  const shown = told?.goals ?? [];
  const isMet = isFinal && shown.length > 0 && shown.every(({ holds }) => holds === true);
  const hints = told?.hints ?? step.hints ?? [];
  const settings = session.scenario;
  const failing = (step.wrong ?? []).findIndex(({ set }) =>
    Object.entries(set).every(([path, value]) => getPath(settings, path) === value),
  );
  const why =
    isFinal && !isMet && failing >= 0 ? (told?.wrong?.[failing] ?? step.wrong?.[failing]?.text) : null;

  useEffect(() => {
    if (isMet) progress.challenge(lessonKey, seed, at, { solved: true });
  }, [isMet, lessonKey, seed, at]);

  const set = (values: Readonly<Record<string, unknown>>) =>
    session.change(Object.entries(values).map(([path, value]) => ({ path, value })));
  const origin = session.store.getState().history.present.origin;
  const isDone = record.solved || record.shown;
  return (
    <>
      <section className="learn-part" aria-labelledby="goals-title">
        <header>
          <h3 id="goals-title">Goals</h3>
          <span className="note">{isFinal ? "at the end of the run" : "as the run stands"}</span>
        </header>
        <ul className="goals" aria-live="off">
          {shown.map(({ says, text, wanted, holds }) => (
            <li key={says} data-holds={holds ?? undefined}>
              <Icon name={holds === true ? "check" : holds === false ? "close" : "more"} />
              <span className="goal-says">
                <Line text={says} />
              </span>
              <b>{text}</b>
              <span className="note">{wanted}</span>
              <span className="visually-hidden">
                {holds === true ? "holds" : holds === false ? "does not hold" : "not known yet"}
              </span>
            </li>
          ))}
        </ul>
        <div role="status">
          {isMet && (
            <p className="learn-verdict">
              <Icon name="check" />{" "}
              {record.shown ? "All goals are met, with the solution shown." : "All goals are met."}
            </p>
          )}
          {isFinal && !isMet && (
            <p className="learn-verdict">
              <Icon name="info" /> Not yet: {shown.filter(({ holds }) => holds !== true).length} of{" "}
              {shown.length} goals missed.
            </p>
          )}
        </div>
        {why && (
          <div className="learn-prose">
            <Markup text={why} />
          </div>
        )}
        <div className="button-row">
          <Button
            icon={phase === "running" ? "pause" : "restart"}
            onClick={() => (phase === "running" ? session.pause() : session.restart())}
          >
            {phase === "running" ? "Pause" : "Run again"}
          </Button>
          <Button look="quiet" onClick={() => session.seek(session.scenario.durationUs)}>
            To its end
          </Button>
          <Button
            look="quiet"
            onClick={() =>
              set(Object.fromEntries(step.controls.map(({ path }) => [path, getPath(origin, path) ?? null])))
            }
          >
            Reset
          </Button>
        </div>
      </section>
      {hints.length > 0 && (
        <section className="learn-part learn-prose" aria-labelledby="hints-title">
          <header>
            <h3 id="hints-title">Hints</h3>
            <span className="note">
              {record.hints} of {hints.length} read
            </span>
          </header>
          <ol className="hints" role="status">
            {hints.slice(0, record.hints).map((hint) => (
              <li key={hint}>
                <Line text={hint} />
              </li>
            ))}
          </ol>
          <div className="button-row">
            {record.hints < hints.length ? (
              <Button onClick={() => progress.challenge(lessonKey, seed, at, { hints: record.hints + 1 })}>
                {record.hints === 0 ? "Give me a hint" : "Another hint"}
              </Button>
            ) : (
              <>
                <Button
                  onClick={() => {
                    progress.challenge(lessonKey, seed, at, { shown: true });
                    set(step.solution);
                  }}
                >
                  Show the solution
                </Button>
                {!isDone && <span className="note">then it counts as not solved</span>}
              </>
            )}
          </div>
        </section>
      )}
      {isDone && told?.explain && (
        <section className="learn-part learn-prose learn-outcome" aria-labelledby="explain-title">
          <header>
            <h3 id="explain-title">Explain</h3>
          </header>
          <Markup text={told.explain} />
        </section>
      )}
    </>
  );
}

/** Has the step told by the run as it stands, again and again while it goes on, and once at its end. */
function useLiveGoals(player: Player, at: number, session: Session): { readonly isFinal: boolean } {
  const [judged, setJudged] = useState(-1);
  const generation = useStore(session.run, (run) => run.generation);
  useEffect(() => {
    let over = false;
    let busy = false;
    let last = 0;
    const look = async () => {
      const { phase, generation: of, nowUs } = session.run.getState();
      const isEnd = phase === "ended";
      if (busy || over || nowUs === 0 || (!isEnd && performance.now() - last < LOOK_MS)) return;
      busy = true;
      last = performance.now();
      const json = await session.summary();
      if (json !== null && !over) {
        await player.tryOut(at, JSON.parse(json) as object, session.scenario);
        if (!over && isEnd && session.run.getState().generation === of) setJudged(of);
      }
      busy = false;
      const now = session.run.getState();
      if (!over && now.phase === "ended" && (!isEnd || now.generation !== of)) void look();
    };
    void look();
    const stop = session.run.subscribe((state, before) => {
      if (state.tick !== before.tick || state.phase !== before.phase) void look();
    });
    return () => {
      over = true;
      stop();
    };
  }, [player, at, session]);
  return { isFinal: judged === generation };
}
