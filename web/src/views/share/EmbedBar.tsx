import { useStore } from "zustand";
import { useScenario } from "../../panels/context.tsx";
import { encodeFragment } from "../../scenario/codec.ts";
import { Logo } from "../../ui/Icon.tsx";
import { useViews } from "../viewContext.tsx";
import "./EmbedBar.css";

/** What is shown inside another page, and the way to the whole of it. */
export default function EmbedBar() {
  const scenario = useScenario();
  const views = useViews();
  const view = useStore(views.store, () => views.linked());
  return (
    <footer className="embed-bar">
      <Logo />
      <b>{scenario.name}</b>
      <a href={`${location.pathname}${encodeFragment(scenario, view)}`} target="_blank" rel="noopener">
        Open in QoScope
      </a>
    </footer>
  );
}
