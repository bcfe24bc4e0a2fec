import { type DragEvent, useEffect } from "react";
import { useStore } from "zustand";
import { drives } from "../../../engine/campaign/fit/drivesStore.ts";
import { fitRuns } from "../../../engine/campaign/fit/fitRuns.ts";
import { useSession } from "../../../panels/context.tsx";
import { Settings } from "../../../panels/Settings.tsx";
import { useFrame } from "../../../ui/media.ts";
import { baseOf, fitPage } from "../../../workbench/fit/fitPage.ts";
import { takeFiles } from "../../../workbench/fit/takeFiles.ts";
import { Guarded } from "../../../workbench/Guarded.tsx";
import { FitBar } from "./FitBar.tsx";
import { FitChoices } from "./FitChoices.tsx";
import { FitDrive } from "./FitDrive.tsx";
import { FitFiles } from "./FitFiles.tsx";
import { FitHead } from "./FitHead.tsx";
import { FitJobs } from "./FitJobs.tsx";
import { FitLogs } from "./FitLogs.tsx";
import { FitParameters } from "./FitParameters.tsx";
import { FitTails } from "./FitTails.tsx";
import "./Fit.css";

/** A drive is fitted to what fio measured of it: files on the left, jobs in the middle, what they determine on the right. */
export default function Fit({ device }: { readonly device: string }) {
  const frame = useFrame();
  const outcome = useStore(fitRuns.store, (state) => state.answer);
  useOpenFit();
  const over = (event: DragEvent) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  };
  const drop = (event: DragEvent) => {
    const files = [...event.dataTransfer.files];
    if (files.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    void takeFiles(files);
  };
  return (
    <main className={`fit fit-${frame}`} onDragOver={over} onDrop={drop}>
      <Guarded name="Measurements">
        <Settings>
          <section className="sidebar fit-side" aria-label="Measurements and fit">
            <FitHead device={device} />
            <FitFiles />
            <FitChoices />
          </section>
        </Settings>
      </Guarded>
      <Guarded name="The jobs">
        <div className="main-pane fit-pane">
          <FitBar />
          {outcome && (
            <>
              <FitJobs outcome={outcome} />
              <FitTails outcome={outcome} />
            </>
          )}
          <FitLogs />
        </div>
      </Guarded>
      <Guarded name="The drive">
        <aside className="results" aria-label="Results">
          {outcome && <FitParameters outcome={outcome} />}
          <FitDrive outcome={outcome} device={device} />
        </aside>
      </Guarded>
    </main>
  );
}

/** Keeps the fit of the jobs that there are open, from the drive that is chosen. */
function useOpenFit(): void {
  const session = useSession();
  const files = useStore(fitRuns.store, (state) => state.files);
  const logs = useStore(fitRuns.store, (state) => state.logs);
  const choices = useStore(fitRuns.store, (state) => state.choices);
  const start = useStore(fitPage, (page) => page.start);
  useEffect(() => {
    void drives.load();
    void fitRuns.choicesAtFirst();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other files, logs or choices are another fit
  useEffect(() => {
    // An edit of the scenario alone leaves a fit as it is: the drive that it has come to may be in it now.
    void fitRuns.open(baseOf(session.scenario, start, drives.store.getState().drives), start);
  }, [session, files, logs, choices, start]);
}
