import { Suspense } from "react";
import { useRun } from "../panels/context.tsx";
import { useFrame } from "../ui/media.ts";
import { Guarded } from "./Guarded.tsx";
import { Notices } from "./Notices.tsx";
import { NotOpened, Stopped } from "./Problems.tsx";
import { ShortcutSheet } from "./ShortcutSheet.tsx";
import { TopBar } from "./TopBar.tsx";
import { ViewSwitch } from "./ViewSwitch.tsx";
import { useCurrentView } from "./viewContext.tsx";

/** The frame of every view: the bar at the top, what the page has to say, and the switch between views. */
export function Page() {
  const frame = useFrame();
  const { id, title, component: Shown } = useCurrentView();
  const trapped = useRun((run) => run.trapped);
  const refusal = useRun((run) => run.refusal);
  return (
    <div className={`page page-${frame}`}>
      <Guarded name="The bar at the top">
        <TopBar />
      </Guarded>
      <Guarded key={id} name={title}>
        <Suspense>
          <Shown />
        </Suspense>
      </Guarded>
      {frame === "phone" && <ViewSwitch />}
      <Guarded name="A notice">
        <Notices />
      </Guarded>
      <Guarded name="A dialog">
        <ShortcutSheet />
      </Guarded>
      {trapped && <Stopped trapped={trapped} />}
      {refusal && <NotOpened refusal={refusal} />}
    </div>
  );
}
