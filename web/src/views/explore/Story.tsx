import { useState } from "react";
import { useSession } from "../../panels/context.tsx";
import { isNotable, writeNote } from "../../panels/noting.ts";
import { StoryPanel } from "../../panels/StoryPanel.tsx";
import { locks } from "../../scenario/lock.ts";
import { late } from "../../ui/onDemand.tsx";
import { pageStore } from "../../workbench/pageStore.ts";
import { useEmbed } from "../../workbench/view/viewContext.tsx";

const NotesPanel = late(async () => ({ default: (await import("../../panels/NotesPanel.tsx")).NotesPanel }));

/** Where the page remembers that somebody was shown around. */
const SHOWN = "qoscope.tour";

function wasShown(): boolean {
  try {
    return localStorage.getItem(SHOWN) !== null;
  } catch {
    return false;
  }
}

/** What the scenario shows, and what is noted of it; who is here for the first time can be shown around. */
export function Story() {
  const session = useSession();
  const isEmbed = useEmbed() !== null;
  const [known, setKnown] = useState(wasShown);
  const know = () => {
    try {
      localStorage.setItem(SHOWN, "1");
    } catch {
      // A browser that keeps nothing offers it again.
    }
    setKnown(true);
  };
  const show = () => {
    know();
    pageStore.setState({ tour: 0 });
  };
  const { lock } = session;
  const isEditable = lock === null || !locks(lock, "story");
  return (
    <>
      <StoryPanel
        onTour={known || isEmbed ? undefined : show}
        onKnown={know}
        onEdit={isEditable ? () => pageStore.setState({ story: true }) : undefined}
        onNote={isNotable(session) ? () => writeNote(session) : undefined}
      />
      <NotesPanel />
    </>
  );
}
