import { type ReactNode, useEffect, useState } from "react";
import { useStore } from "zustand";
import { useSession } from "../../panels/context.tsx";
import { Coming } from "../../workbench/Coming.tsx";
import type { LessonEngine } from "../../workbench/lesson/lesson.ts";
import { keyOf, openLessonStore } from "../../workbench/lesson/progress.ts";
import { learnView } from "../../workbench/state/learnView.ts";
import { useViewState } from "../../workbench/view/viewContext.tsx";
import { Contents } from "./Contents.tsx";
import { LessonPlayer } from "./LessonPlayer.tsx";
import { LESSONS, lessonKey, lessonNamed } from "./lessons.ts";
import { openPlay, refusalOf, seedNumber } from "./opening.ts";
import { Player } from "./player.ts";
import ClassPage from "./teacher/ClassPage.tsx";
import NameForm from "./teacher/NameForm.tsx";
import Projector from "./teacher/Projector.tsx";
import { BY_NAME, seedFor, studentStore } from "./teacher/student.ts";
import "./Learn.css";

/** Lessons: the contents, or the one that is taken. */
export default function Learn(): ReactNode {
  const [{ lesson, own, page }] = useViewState(learnView);
  usePausedPage();
  if (page === "class") return <ClassPage />;
  return lesson === "" && own === "" ? <Contents /> : <OpenedLesson />;
}

/** Lets the run of the page wait while a lesson is taken: it is not seen, and would take the time of those that are. */
function usePausedPage(): void {
  const session = useSession();
  useEffect(() => {
    const { phase } = session.run.getState();
    if (phase !== "running" && phase !== "loading") return;
    session.pause();
    return () => session.play();
  }, [session]);
}

interface Opened {
  readonly of: string;
  readonly player: Player;
  readonly play: LessonEngine;
}

/** A lesson, once the engine has accepted it; one that is refused leads to the contents. */
function OpenedLesson() {
  const session = useSession();
  const [{ lesson: name, own, seed: asked, hide, projector }, change] = useViewState(learnView);
  const student = useStore(studentStore, (state) => state.name);
  // A room sees the runs of the lesson.
  const seed = projector ? (asked === BY_NAME ? "" : asked) : seedFor(asked, student);
  const [opened, setOpened] = useState<Opened | null>(null);
  const known = own === "" ? lessonNamed(name) : undefined;
  const of = JSON.stringify([name, own, seed, hide]);
  // A change of the view's other fields opens nothing anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    let over = false;
    let player: Player | null = null;
    const refuse = (error: unknown) => {
      if (over) return;
      session.run.setState({
        refusal: refusalOf(error, own === "" ? "The lesson" : "The lesson of the file"),
      });
      change({ lesson: "", own: "", step: 0 });
    };
    const open = async () => {
      if (seed === null) return;
      if (own === "" && !known) throw new Error(`There is no lesson “${name}”. There are ${LESSONS.length}.`);
      const play = await openPlay(own === "" ? JSON.stringify(known) : own);
      const number = await seedNumber(seed);
      if (over) {
        play.end();
        return;
      }
      player = new Player(play, number, undefined, undefined, hide && !projector);
      const key = known ? lessonKey(known) : keyOf(JSON.parse(own) as { readonly id: string });
      openLessonStore.setState({ lesson: play.lesson, key, seed }, true);
      setOpened({ of, player, play });
    };
    open().catch(refuse);
    return () => {
      over = true;
      player?.end();
      openLessonStore.setState({ lesson: null }, true);
      setOpened(null);
    };
  }, [of]);
  if (seed === null) return <NameForm />;
  if (!opened || opened.of !== of) return <Coming what="the lesson" />;
  const key = known ? lessonKey(known) : keyOf(JSON.parse(own) as { readonly id: string });
  if (projector) return <Projector player={opened.player} lesson={opened.play.lesson} />;
  return <LessonPlayer player={opened.player} lesson={opened.play.lesson} lessonKey={key} seed={seed} />;
}
