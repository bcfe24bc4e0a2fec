import { useStore } from "zustand";
import { Icon, Logo } from "../../../ui/Icon.tsx";
import { plain } from "../../../workbench/lesson/Markup.tsx";
import { openLessonStore } from "../../../workbench/lesson/progress.ts";
import { lmsStore } from "./visit.ts";
import "../../../workbench/EmbedBar.css";
import "./LmsBar.css";

/** What an LMS shows, and whether it takes what it is told. */
export default function LmsBar() {
  const { phase, sentence } = useStore(lmsStore);
  const { lesson } = useStore(openLessonStore);
  return (
    <footer className="embed-bar lms-bar">
      <Logo />
      <b>{lesson ? plain(lesson.title) : "QoScope"}</b>
      <p role="status" data-phase={phase}>
        {phase !== "ready" && sentence !== "" && <Icon name="warning" />} {sentence}
      </p>
    </footer>
  );
}
