import { useStore } from "zustand";
import { useScenario } from "../../panels/context.tsx";
import { Logo } from "../../ui/Icon.tsx";
import { plain } from "../../workbench/lesson/Markup.tsx";
import { openLessonStore } from "../../workbench/lesson/progress.ts";
import { fragmentFor, toldOf } from "../../workbench/view/shortLinks.ts";
import { useViews } from "../../workbench/view/viewContext.tsx";
import "../../workbench/EmbedBar.css";

/** What is shown inside another page, and the way to the whole of it. */
export default function EmbedBar() {
  const scenario = useScenario();
  const views = useViews();
  const { lesson } = useStore(openLessonStore);
  const fragment = useStore(views.store, () => fragmentFor(scenario, toldOf(views)));
  return (
    <footer className="embed-bar">
      <Logo />
      <b>{lesson ? plain(lesson.title) : scenario.name}</b>
      <a href={`${location.pathname}${fragment}`} target="_blank" rel="noopener">
        Open in QoScope
      </a>
    </footer>
  );
}
