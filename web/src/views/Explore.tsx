import { useRun } from "../panels/context.tsx";
import { Hint } from "../panels/Hint.tsx";
import { useFrame } from "../ui/media.ts";
import { Centre } from "./Centre.tsx";
import { Notices } from "./Notices.tsx";
import { ClassStrip, PinnedControl } from "./Phone.tsx";
import { Refused, Stopped } from "./Problems.tsx";
import { Drawer, Rail, Strip } from "./Rail.tsx";
import { Results } from "./Results.tsx";
import { ShortcutSheet } from "./ShortcutSheet.tsx";
import { TopBar } from "./TopBar.tsx";
import { PhoneTransport, TransportBar } from "./TransportBar.tsx";

/** Cause on the left, the machine and its signals in the middle, the verdict on the right, time below. */
export function Explore() {
  const frame = useFrame();
  const trapped = useRun((run) => run.trapped);
  const refused = useRun((run) => run.faults.length > 0 && run.view === null);
  const phone = frame === "phone";
  return (
    <div className={`page page-${frame}`}>
      <TopBar />
      {phone && <ClassStrip />}
      <main className="explore">
        {frame === "desk" ? <Rail /> : !phone && <Strip />}
        {refused ? <Refused /> : <Centre frame={frame} />}
        {!refused && <Results frame={frame} />}
      </main>
      {phone && <PinnedControl />}
      {phone ? <PhoneTransport /> : <TransportBar frame={frame} />}
      <Notices />
      {frame !== "desk" && <Drawer />}
      <Hint />
      <ShortcutSheet />
      {trapped && <Stopped trapped={trapped} />}
    </div>
  );
}
