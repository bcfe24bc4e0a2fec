import { useRun } from "../panels/context.tsx";
import { Hint } from "../panels/Hint.tsx";
import { useFrame } from "../ui/media.ts";
import { Guarded } from "./Guarded.tsx";
import { MainPane } from "./MainPane.tsx";
import { Notices } from "./Notices.tsx";
import { ClassStrip, PinnedControl } from "./Phone.tsx";
import { PhonePlayback, PlaybackBar } from "./PlaybackBar.tsx";
import { NotOpened, Stopped } from "./Problems.tsx";
import { Results } from "./Results.tsx";
import { ShortcutSheet } from "./ShortcutSheet.tsx";
import { IconBar, SettingsDrawer, Sidebar } from "./Sidebar.tsx";
import { TopBar } from "./TopBar.tsx";

/** Cause on the left, the machine and its signals in the middle, the verdict on the right, time below. */
export function Explore() {
  const frame = useFrame();
  const trapped = useRun((run) => run.trapped);
  const refusal = useRun((run) => run.refusal);
  const phone = frame === "phone";
  return (
    <div className={`page page-${frame}`}>
      <Guarded name="The bar at the top">
        <TopBar />
      </Guarded>
      {phone && (
        <Guarded name="The classes">
          <ClassStrip />
        </Guarded>
      )}
      <main className="explore">
        {!phone && <Guarded name="Settings">{frame === "desk" ? <Sidebar /> : <IconBar />}</Guarded>}
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
      <Guarded name="A notice">
        <Notices />
      </Guarded>
      <Guarded name="A panel">
        {frame !== "desk" && <SettingsDrawer frame={frame} />}
        <Hint />
        <ShortcutSheet />
      </Guarded>
      {trapped && <Stopped trapped={trapped} />}
      {refusal && <NotOpened refusal={refusal} />}
    </div>
  );
}
