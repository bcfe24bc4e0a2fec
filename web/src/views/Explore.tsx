import { Hint } from "../panels/Hint.tsx";
import { Settings } from "../panels/Settings.tsx";
import { StoryPanel } from "../panels/StoryPanel.tsx";
import { useFrame } from "../ui/media.ts";
import { Guarded } from "./Guarded.tsx";
import { MainPane } from "./MainPane.tsx";
import { ClassStrip, PinnedControl } from "./Phone.tsx";
import { PhonePlayback, PlaybackBar } from "./PlaybackBar.tsx";
import { Results } from "./Results.tsx";
import { IconBar, SettingsDrawer, Sidebar } from "./Sidebar.tsx";
import { useShown } from "./viewContext.tsx";

/** Cause on the left, the machine and its signals in the middle, the verdict on the right, time below. */
export default function Explore() {
  const frame = useFrame();
  const phone = frame === "phone";
  const shown = useShown();
  return (
    <>
      {phone && shown.results && (
        <Guarded name="The classes">
          <ClassStrip />
        </Guarded>
      )}
      <main className="explore">
        {!phone && (
          <Guarded name="Settings">
            {frame === "desk" ? <Sidebar head={<StoryPanel />} /> : <IconBar />}
          </Guarded>
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
      <Guarded name="The time bar">{phone ? <PhonePlayback /> : <PlaybackBar frame={frame} />}</Guarded>
      <Guarded name="A panel">
        {frame !== "desk" && <SettingsDrawer frame={frame} />}
        <Hint />
      </Guarded>
    </>
  );
}
