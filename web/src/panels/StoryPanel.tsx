import { useId } from "react";
import { useStore } from "zustand";
import { originOf } from "../scenario/store.ts";
import { type Try, triesOf } from "../scenario/story.ts";
import { Toggle } from "../ui/Toggle.tsx";
import { useEffectiveScenario, useSession } from "./context.tsx";
import "./StoryPanel.css";

/** What to look at in a scenario, and what to try: each try a switch that acts at once. Nothing where it tells nothing. */
export function StoryPanel() {
  const session = useSession();
  const shown = useEffectiveScenario();
  const origin = useStore(session.store, originOf);
  const { story } = shown;
  if (!story) return null;
  return (
    <section className="panel story" aria-labelledby="story-title">
      <header>
        <h2 id="story-title">What to try</h2>
      </header>
      <p className="row-note">{story.text}</p>
      <div className="tries">
        {triesOf(shown, origin).map((item) => (
          <TryRow key={item.label} item={item} />
        ))}
      </div>
    </section>
  );
}

function TryRow({ item: { label, on, changes } }: { readonly item: Try }) {
  const session = useSession();
  const id = useId();
  return (
    <div className="row-main">
      <label className="row-label" htmlFor={id}>
        {label}
      </label>
      <Toggle id={id} on={on} onChange={() => session.change(changes)} />
    </div>
  );
}
