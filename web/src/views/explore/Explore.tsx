import { Suspense } from "react";
import { useStore } from "zustand";
import { useSession } from "../../panels/context.tsx";
import { Hint } from "../../panels/Hint.tsx";
import { Settings } from "../../panels/Settings.tsx";
import { useFrame } from "../../ui/media.ts";
import { late } from "../../ui/onDemand.tsx";
import { part } from "../../ui/part.tsx";
import { pageStore } from "../actions.ts";
import { Coming } from "../Coming.tsx";
import { MainPane } from "../frame/MainPane.tsx";
import { ClassStrip, PinnedControl } from "../frame/Phone.tsx";
import { IconBar, SettingsDrawer, Sidebar } from "../frame/Sidebar.tsx";
import { Guarded } from "../Guarded.tsx";
import { useShown, useViewState } from "../viewContext.tsx";
import { exploreView } from "./exploreView.ts";
import { Results } from "./Results.tsx";
import { Story } from "./Story.tsx";

const StoryDrawer = late(() => import("./StoryDrawer.tsx"));

/** Drawing comes when it is first asked for. */
const NetworkEdit = part(() => import("../network/NetworkEdit.tsx"));

/** Cause on the left, the machine and its signals in the middle, the verdict on the right, time below; or the network, to be drawn. */
export default function Explore() {
  const frame = useFrame();
  const phone = frame === "phone";
  const shown = useShown();
  const { locked } = useSession();
  const story = useStore(pageStore, (page) => page.story);
  const [{ edit }] = useViewState(exploreView);
  if (edit && !phone && shown.settings && !locked) {
    return (
      <Suspense fallback={<Coming what="the drawing of the network" />}>
        <NetworkEdit />
      </Suspense>
    );
  }
  return (
    <>
      {phone && shown.results && (
        <Guarded name="The classes">
          <ClassStrip />
        </Guarded>
      )}
      <main className="explore">
        {!phone && (
          <Guarded name="Settings">{frame === "desk" ? <Sidebar head={<Story />} /> : <IconBar />}</Guarded>
        )}
        <Guarded name="The network and its charts">
          <MainPane frame={frame} />
        </Guarded>
        {shown.results && (
          <Guarded name="Results">
            <Results frame={frame} />
          </Guarded>
        )}
      </main>
      {phone && shown.settings && (
        <Guarded name="The control">
          <Settings>
            <PinnedControl />
          </Settings>
        </Guarded>
      )}
      <Guarded name="A panel">
        {frame !== "desk" && <SettingsDrawer frame={frame} />}
        {story && <StoryDrawer />}
        <Hint />
      </Guarded>
    </>
  );
}
