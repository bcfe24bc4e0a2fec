import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { studyRuns } from "../../engine/campaign/study/studies.ts";
import { NO_STUDY, type StudyRunsState } from "../../engine/campaign/study/studyRuns.ts";
import { useRun, useScenario, useSession } from "../../panels/context.tsx";
import type { StudyDocument, Suggestions } from "../../scenario/study.ts";
import type { Scenario } from "../../scenario/types.ts";
import { sweepView } from "../state/sweepView.ts";
import { useViewState } from "../view/viewContext.tsx";
import { leave } from "./leftBehind.ts";
import { firstStudy, studyOf, studyText } from "./studyEdit.ts";
import { useSuggestions } from "./useSuggestions.ts";

/** The study of the view: its document, what can be put into it, and how far its runs are. */
export interface StudyInView {
  /** Null while the engine is asked what can vary, and where nothing can. */
  readonly study: StudyDocument | null;
  /** Of the scenario as it is; null until the engine has said them. */
  readonly suggestions: Suggestions | null;
  /** Nobody has changed anything: it is what the page suggests. */
  readonly isFirst: boolean;
  /** Why there is no study; null where there is one, or there may be soon. */
  readonly fault: string | null;
  /** Of this very study and scenario; those of nothing until they are open. */
  readonly runs: StudyRunsState;
  /** Results of the scenario as it was before it was edited, which are not shown; 0 where there were none. */
  readonly former: number;
  readonly change: (study: StudyDocument) => void;
  /** Opens the study again, where its engine is gone. */
  readonly again: () => void;
}

const StudyContext = createContext<StudyInView | null>(null);

/** What every part of the view needs. */
export function useStudy(): StudyInView {
  const study = useContext(StudyContext);
  if (study === null) throw new Error("outside of a StudyProvider");
  return study;
}

/** What is open in the engine. It stays open while another view is shown, and its runs go on. */
interface Opened {
  readonly text: string;
  readonly scenario: Scenario;
  /** Traces that it lacks. */
  readonly missing: number;
  /** Results of the scenario before an edit. */
  readonly former: number;
}

let opened: Opened | null = null;

/** Whether the study that is open in the engine is one of a scenario as it is. */
export const isOpenOf = (scenario: Scenario): boolean => opened !== null && isSame(opened.scenario, scenario);

/** Gives the study of the view to everything inside, and keeps it open in the engine. */
export function StudyProvider({ children }: { readonly children: ReactNode }) {
  const [{ study: written }, change] = useViewState(sweepView);
  const session = useSession();
  const scenario = useScenario();
  const { suggestions, fault } = useSuggestions(scenario);
  const study = useMemo(
    () => (written === "" ? suggestions && firstStudy(suggestions) : studyOf(written)),
    [written, suggestions],
  );
  const text = study && studyText(study);
  const [tries, setTries] = useState(0);
  const current = useOpen(study, text, scenario, tries);
  const state = useStore(studyRuns.store);
  const isCurrent = current !== null && current.text === text && current.scenario === scenario;
  const runs = useKept(isCurrent ? state : OPENING, scenario);
  const none = written !== "" && !study ? UNREADABLE : suggestions && !study ? NOTHING : null;
  const value = useMemo(
    (): StudyInView => ({
      study,
      suggestions,
      isFirst: written === "",
      fault: fault ?? none,
      runs,
      former: current?.former ?? 0,
      change: (next) => {
        leave(session, study, next);
        change({ study: studyText(next) });
      },
      again: () => setTries((count) => count + 1),
    }),
    [session, study, suggestions, written, fault, none, runs, current, change],
  );
  return <StudyContext value={value}>{children}</StudyContext>;
}

/** Until the engine has opened a study. */
const OPENING: StudyRunsState = { ...NO_STUDY, phase: "opening" };

/**
 * The state of the study; while an edited one is being opened with the document, cost and table of the one before it, which give way in a
 * moment. Those of another scenario are never shown.
 */
function useKept(state: StudyRunsState, scenario: Scenario): StudyRunsState {
  const last = useRef<{ readonly of: Scenario; readonly state: StudyRunsState } | null>(null);
  const isOpening = state.phase === "opening" || state.phase === "none";
  if (!isOpening) last.current = { of: scenario, state };
  const before = last.current?.of === scenario ? last.current.state : null;
  return useMemo(
    () =>
      isOpening && before
        ? {
            ...state,
            document: before.document,
            cost: before.cost,
            table: before.table,
            workers: before.workers,
          }
        : state,
    [isOpening, before, state],
  );
}

const UNREADABLE = "What the link holds is no study. The scenario is as it was shared.";
const NOTHING = "Nothing of this scenario can vary with an effect that is measured.";

/** Opens the study in the engine whenever it, the scenario or a trace is another one, or its engine is gone. Returns what is open. */
function useOpen(
  study: StudyDocument | null,
  text: string | null,
  scenario: Scenario,
  tries: number,
): Opened | null {
  const session = useSession();
  const missing = useRun((run) => run.missingTraces.length);
  const [current, setCurrent] = useState(opened);
  // A scenario that waits for a trace is opened again once that is there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above; the text stands for the study
  useEffect(() => {
    if (study === null || text === null) return;
    const { phase, runs } = studyRuns.store.getState();
    const isThere = opened !== null && opened.text === text && phase !== "none" && phase !== "failed";
    const isOf = opened !== null && isSame(opened.scenario, scenario);
    const same = isThere && isOf && opened?.missing === missing;
    const former = isThere && !isOf ? runs.known : isOf ? (opened?.former ?? 0) : 0;
    opened = { text, scenario, missing, former };
    setCurrent(opened);
    if (!same) void studyRuns.open(study, scenario, session.traces);
  }, [text, scenario, missing, tries]);
  return current;
}

const isSame = (one: Scenario, other: Scenario): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
