import { Suspense } from "react";
import { useStore } from "zustand";
import { Settings } from "../../panels/Settings.tsx";
import { useFrame } from "../../ui/media.ts";
import { late } from "../../ui/onDemand.tsx";
import { part } from "../../ui/part.tsx";
import { ComingBeside } from "../../workbench/Coming.tsx";
import { Guarded } from "../../workbench/Guarded.tsx";
import { pageStore } from "../../workbench/pageStore.ts";
import { ClassStrip, PinnedControl } from "../../workbench/settings/Phone.tsx";
import { IconBar, SettingsDrawer, Sidebar } from "../../workbench/settings/Sidebar.tsx";
import { HintToVary } from "../../workbench/study/offers.tsx";
import { useShown } from "../../workbench/view/viewContext.tsx";
import { MainPane } from "./MainPane.tsx";
import { useIsEditing } from "./network/WatchOrEdit.tsx";
import { Results } from "./Results.tsx";
import { Story } from "./Story.tsx";

const StoryDrawer = late(() => import("./StoryDrawer.tsx"));

/** Editing comes when it is first asked for. */
const NetworkTools = part(() => import("./network/NetworkTools.tsx"));
const NetworkInspector = part(() => import("./network/NetworkInspector.tsx"));

/** Cause on the left, the machine and its signals in the middle, the verdict on the right, time below. A network that is edited has its tools and what is chosen at its sides. */
export default function Explore() {
  const frame = useFrame();
  const phone = frame === "phone";
  const shown = useShown();
  const isEditing = useIsEditing(frame);
  const story = useStore(pageStore, (page) => page.story);
  return (
    <>
      {phone && shown.results && (
        <Guarded name="The classes">
          <ClassStrip />
        </Guarded>
      )}
      <main className="explore">
        {isEditing ? (
          <Guarded name="The tools">
            <Suspense
              fallback={
                frame === "desk" ? (
                  <ComingBeside what="the tools of the network" className="sidebar" />
                ) : (
                  <nav className="icon-bar" />
                )
              }
            >
              <NetworkTools frame={frame} />
            </Suspense>
          </Guarded>
        ) : (
          !phone && (
            <Guarded name="Settings">{frame === "desk" ? <Sidebar head={<Story />} /> : <IconBar />}</Guarded>
          )
        )}
        <Guarded name="The network and its charts">
          <MainPane frame={frame} />
        </Guarded>
        {isEditing && (
          <Guarded name="The inspector">
            <Suspense fallback={<ComingBeside what="what is chosen of the network" className="results" />}>
              <NetworkInspector />
            </Suspense>
          </Guarded>
        )}
        {!isEditing && shown.results && (
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
        {frame !== "desk" && !isEditing && <SettingsDrawer frame={frame} />}
        {story && <StoryDrawer />}
        <HintToVary />
      </Guarded>
    </>
  );
}
