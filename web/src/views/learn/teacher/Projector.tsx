import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useStore } from "zustand";
import { choiceOf } from "../../../charts/registry.ts";
import { SessionProvider } from "../../../panels/context.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Icon } from "../../../ui/Icon.tsx";
import { useFrame } from "../../../ui/media.ts";
import { useWidth } from "../../../ui/useWidth.ts";
import { Guarded } from "../../../workbench/Guarded.tsx";
import type { Judgement, Lesson, LessonStep, PredictStep, Told } from "../../../workbench/lesson/lesson.ts";
import { Line, Markup, plain } from "../../../workbench/lesson/Markup.tsx";
import { learnView } from "../../../workbench/state/learnView.ts";
import { useViewState } from "../../../workbench/view/viewContext.tsx";
import { CompareLive } from "../CompareLive.tsx";
import { LiveControls } from "../LiveControls.tsx";
import { LiveView } from "../LiveView.tsx";
import { type Player, playThrough } from "../player.ts";
import { CurveAnswers, NumberAnswers } from "./AnswerChart.tsx";
import "./Projector.css";

interface ProjectorProps {
  readonly player: Player;
  readonly lesson: Lesson;
}

/** Stages of a question or a comparison: it is asked, its run is shown, it is explained. Other steps have one stage. */
const STAGES = ["ask", "run", "explain"] as const;
type Stage = (typeof STAGES)[number];

/** Keys of a keyboard and of clickers. */
const FORWARD = ["ArrowRight", "ArrowDown", "PageDown", " ", "Enter"];
const BACK = ["ArrowLeft", "ArrowUp", "PageUp", "Backspace"];

/** Where keys belong to what has the focus. */
const OWN_KEYS = "input, textarea, select, [role=slider]";

const stagesOf = (step: LessonStep | undefined): readonly Stage[] =>
  step?.kind === "predict" || step?.kind === "compare" ? STAGES : ["ask"];

/** How much larger than on a desk charts of questions are. */
const ROOM = 1.5;

/** A lesson before a room: large type, one question, one chart; keys or a clicker go on. Nothing of it is kept. */
export default function Projector({ player, lesson }: ProjectorProps) {
  const frame = useFrame();
  const [{ step: asked }, change] = useViewState(learnView);
  const at = Math.min(asked, lesson.steps.length - 1);
  const step = lesson.steps[at];
  const [stage, setStage] = useState<Stage>("ask");
  const { told, sessions, step: shown, isComplete } = useStore(player.store);
  const [judgement, setJudgement] = useState<Judgement | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const isHere = shown === at;
  const session = sessions.at(-1) ?? null;

  useEffect(() => {
    void player.show(at, false);
    title.current?.focus();
  }, [player, at]);
  useEffect(() => {
    if (stage === "run" && isHere && session) playThrough(session);
  }, [stage, isHere, session]);
  useEffect(() => {
    if (step?.kind !== "predict" || stage !== "explain" || !isComplete || !isHere) return undefined;
    let over = false;
    void player.judge(at, { kind: "unknown" }).then((judged) => !over && setJudgement(judged));
    return () => {
      over = true;
    };
  }, [step?.kind, stage, isComplete, isHere, player, at]);

  const stages = stagesOf(step);
  const show = (next: number, nextStage: Stage) => {
    setStage(nextStage);
    setJudgement(null);
    if (next !== at) change({ step: next });
  };
  const later = stages[stages.indexOf(stage) + 1];
  const earlier = stages[stages.indexOf(stage) - 1];
  const next = lesson.steps[at + 1];
  /** The question has no answer on the screen yet. */
  const isOpen = step?.kind === "predict" && stage === "ask";
  const go = (direction: "on" | "back") => {
    if (direction === "on") {
      if (later) show(at, later);
      else if (next) show(at + 1, "ask");
    } else if (earlier) show(at, earlier);
    else if (at > 0) show(at - 1, "ask");
  };
  const leave = () => change({ projector: false });
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    const focused = target instanceof Element ? target : null;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (focused?.matches(OWN_KEYS) && key !== "Escape" && !key.startsWith("Page")) return;
    if ((key === " " || key === "Enter") && focused?.matches("button, a, summary")) return;
    const acts = FORWARD.includes(key)
      ? "on"
      : BACK.includes(key)
        ? "back"
        : key === "Escape"
          ? "leave"
          : null;
    if (acts === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (acts === "leave") leave();
    else go(acts);
  });
  useEffect(() => {
    // Before the page's own keys, which play and pause.
    addEventListener("keydown", onKey, { capture: true });
    return () => removeEventListener("keydown", onKey, { capture: true });
  }, []);

  if (!step) return null;
  const label =
    later === "run"
      ? "Run"
      : later === "explain"
        ? "Explain"
        : next
          ? `Next: ${plain(blank(next.title))}`
          : "";
  const body = (
    <>
      <section className="projector-text" aria-labelledby="projector-title">
        <p className="projector-place">
          {lesson.number !== undefined && `Lesson ${lesson.number}, `}
          <Line text={lesson.title} /> · step {at + 1} of {lesson.steps.length}
        </p>
        <h2 id="projector-title" ref={title} tabIndex={-1}>
          <Line text={(isHere && told?.title) || blank(step.title)} />
        </h2>
        <div className="projector-scroll">
          <Said step={step} stage={stage} told={isHere ? told : null} judgement={judgement} />
        </div>
        <footer>
          <Button icon="back" onClick={() => go("back")} aria-disabled={at === 0 && stage === "ask"}>
            Back
          </Button>
          {label && (
            <Button look="primary" onClick={() => go("on")}>
              {label}
            </Button>
          )}
          <span className="projector-keys">
            <kbd>→</kbd> goes on, <kbd>←</kbd> back
          </span>
          <Button look="quiet" onClick={leave}>
            Leave <kbd>Esc</kbd>
          </Button>
        </footer>
      </section>
      <section className="projector-live" aria-label="The run of this step">
        {session && (
          <>
            <LiveControls step={step} lesson={lesson} player={player} onExplore={null} />
            <Guarded name="The run">
              {step.kind === "compare" && sessions.length > 1 ? (
                <CompareLive
                  sessions={sessions}
                  lesson={lesson}
                  names={step.runs}
                  show={oneOf(step.show)}
                  frame={frame}
                />
              ) : (
                <LiveView
                  key={at}
                  show={oneOf(step.show)}
                  frame={frame}
                  picture={isHere && !isOpen ? (told?.picture ?? null) : null}
                  waits={isOpen}
                />
              )}
            </Guarded>
          </>
        )}
      </section>
    </>
  );
  return (
    <main className="projector" data-step={at + 1} data-kind={step.kind} data-stage={stage}>
      {session ? <SessionProvider session={session}>{body}</SessionProvider> : body}
    </main>
  );
}

/** A text before its numbers are there. */
const blank = (text: string): string => text.replace(/\{[^}]*\}/g, "…");

/** The one thing that is shown: the first chart of a step, or what else there is. */
const oneOf = (show: readonly string[] = ["queue"]): readonly string[] => [
  show.find((name) => choiceOf(name) !== undefined) ?? show.find((name) => name !== "fabric") ?? "fabric",
];

interface SaidProps {
  readonly step: LessonStep;
  readonly stage: Stage;
  readonly told: Told | null;
  readonly judgement: Judgement | null;
}

/** What a step says at a stage: the question while it is open, what happened and why once it is not. */
function Said({ step, stage, told, judgement }: SaidProps) {
  if (step.kind === "predict")
    return (
      <>
        <p className="projector-prompt">
          <Line text={told?.prompt ?? blank(step.question.prompt)} />
        </p>
        <Asked step={step} told={told} judgement={stage === "explain" ? judgement : null} />
        {stage === "ask" && (
          <details>
            <summary>Text of this step</summary>
            <Markup text={told?.text ?? blank(step.text)} />
          </details>
        )}
        <div role="status">
          {stage === "explain" &&
            (judgement ? (
              told?.explain && <Markup text={told.explain} />
            ) : (
              <p>The runs of this step are being made …</p>
            ))}
        </div>
      </>
    );
  return (
    <>
      <Markup text={told?.text ?? blank(step.text)} />
      {step.kind === "challenge" && (
        <ul>
          {told?.goals.map(({ says, wanted }) => (
            <li key={says}>
              <Line text={says} />: {wanted}
            </li>
          ))}
        </ul>
      )}
      {told && told.look.length > 0 && (
        <ul>
          {told.look.map((text) => (
            <li key={text}>
              <Line text={text} />
            </li>
          ))}
        </ul>
      )}
      {step.kind === "compare" && stage === "explain" && told?.explain && <Markup text={told.explain} />}
    </>
  );
}

/** Options with their letters, or the scale or chart of the question; what happened once that is shown. */
function Asked({
  step: { question },
  told,
  judgement,
}: {
  readonly step: PredictStep;
  readonly told: Told | null;
  readonly judgement: Judgement | null;
}) {
  const [box, width] = useWidth();
  const happened = judgement?.happened ?? null;
  if (question.kind === "choice") {
    const right = happened?.kind === "choice" ? happened.option : null;
    return (
      <>
        {happened?.kind === "none" && <p className="projector-value">{happened.text}</p>}
        <ol className="projector-options">
          {(told?.options ?? question.options.map(({ text }) => blank(text))).map((text, option) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: options stand in their order, and may read alike until their numbers are there
            <li key={option} data-right={option === right || undefined}>
              <b>{String.fromCharCode("A".charCodeAt(0) + option)}</b>
              <span>
                <Line text={text} />
              </span>
              {option === right && (
                <span className="projector-right">
                  <Icon name="check" size={24} /> what happened
                </span>
              )}
            </li>
          ))}
        </ol>
      </>
    );
  }
  const prompt = plain(told?.prompt ?? "");
  return (
    <div ref={box} className="projector-scale">
      {happened?.kind === "number" && <p className="projector-value">{happened.text}</p>}
      {question.kind === "number" ? (
        <NumberAnswers
          question={question}
          happened={happened?.kind === "number" ? [[happened.value]] : []}
          width={width}
          scale={ROOM}
          label={happened?.kind === "number" ? `${prompt} Measured: ${happened.text}` : `Scale: ${prompt}`}
        />
      ) : (
        <CurveAnswers
          question={question}
          happened={happened?.kind === "curve" ? [happened.values] : []}
          width={width}
          scale={ROOM}
          label={
            happened?.kind === "curve"
              ? `${prompt} Measured: ${happened.values.join(", ")}`
              : `Empty chart: ${prompt}`
          }
        />
      )}
    </div>
  );
}
