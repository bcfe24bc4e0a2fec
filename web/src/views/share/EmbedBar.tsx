import { useStore } from "zustand";
import { useScenario } from "../../panels/context.tsx";
import { Logo } from "../../ui/Icon.tsx";
import { fragmentFor, toldOf } from "../shortLinks.ts";
import { useViews } from "../viewContext.tsx";
import "./EmbedBar.css";

/** What is shown inside another page, and the way to the whole of it. */
export default function EmbedBar() {
  const scenario = useScenario();
  const views = useViews();
  const fragment = useStore(views.store, () => fragmentFor(scenario, toldOf(views)));
  return (
    <footer className="embed-bar">
      <Logo />
      <b>{scenario.name}</b>
      <a href={`${location.pathname}${fragment}`} target="_blank" rel="noopener">
        Open in QoScope
      </a>
    </footer>
  );
}
