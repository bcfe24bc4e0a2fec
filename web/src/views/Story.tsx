import { useState } from "react";
import { StoryPanel } from "../panels/StoryPanel.tsx";
import { pageStore } from "./actions.ts";

/** Where the page remembers that somebody was shown around. */
const SHOWN = "qoscope.tour";

function wasShown(): boolean {
  try {
    return localStorage.getItem(SHOWN) !== null;
  } catch {
    return false;
  }
}

/** What the scenario shows; who is here for the first time can be shown around. */
export function Story() {
  const [known, setKnown] = useState(wasShown);
  const show = () => {
    try {
      localStorage.setItem(SHOWN, "1");
    } catch {
      // A browser that keeps nothing offers it again.
    }
    setKnown(true);
    pageStore.setState({ tour: 0 });
  };
  return <StoryPanel onTour={known ? undefined : show} />;
}
