import { Hint } from "../panels/Hint.tsx";
import { StoryPanel } from "../panels/StoryPanel.tsx";
import { useFrame } from "../ui/media.ts";
import { Guarded } from "./Guarded.tsx";
import { MainPane } from "./MainPane.tsx";
import { ClassStrip, PinnedControl } from "./Phone.tsx";
import { PhonePlayback, PlaybackBar } from "./PlaybackBar.tsx";
import { Results } from "./Results.tsx";
import { IconBar, SettingsDrawer, Sidebar } from "./Sidebar.tsx";

/** Cause on the left, the machine and its signals in the middle, the verdict on the right, time below. */
export default function Explore() {
  const frame = useFrame();
  const phone = frame === "phone";
  return (
    <>
      {phone && (
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
        <Guarded name="Results">
          <Results frame={frame} />
        </Guarded>
      </main>
      {phone && (
        <Guarded name="The control">
          <PinnedControl />
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
