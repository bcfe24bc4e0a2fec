import { Suspense, useState } from "react";
import { useStore } from "zustand";
import type { StoppedRun } from "../../engine/run/runState.ts";
import { useRun, useSession } from "../../panels/context.tsx";
import { hasViewsOnTop, useFrame } from "../../ui/media.ts";
import { late, onDemand } from "../../ui/onDemand.tsx";
import { Coming } from "../../workbench/Coming.tsx";
import { Guarded } from "../../workbench/Guarded.tsx";
import { pageStore } from "../../workbench/pageStore.ts";
import { PhonePlayback, PlaybackBar } from "../../workbench/time/PlaybackBar.tsx";
import { useCurrentView, useEmbed } from "../../workbench/view/viewContext.tsx";
import { componentOf, type ViewPages } from "../../workbench/view/viewPage.ts";
import { Notices } from "../notices/Notices.tsx";
import type { NotOpenedProps, StoppedProps } from "../notices/Problems.tsx";
import type { JobFileDialogProps } from "../scenarios/JobFileDialog.tsx";
import type { PaletteProps } from "./Palette.tsx";
import type { ShortcutSheetProps } from "./ShortcutSheet.tsx";
import { TopBar } from "./TopBar.tsx";
import { ViewSwitch } from "./ViewSwitch.tsx";

const problems = () => import("../notices/Problems.tsx");
const Stopped = onDemand<StoppedProps>(async () => ({ default: (await problems()).Stopped }));
const NotOpened = onDemand<NotOpenedProps>(async () => ({ default: (await problems()).NotOpened }));
const EmbedBar = late(() => import("../share/EmbedBar.tsx"));
const LmsBar = late(() => import("../learn/scorm/LmsBar.tsx"));
const RackDialog = onDemand(() => import("../share/rack/RackDialog.tsx"));
const TraceDialog = onDemand(() => import("../scenarios/TraceDialog.tsx"));
const JobFileDialog = onDemand<JobFileDialogProps>(() => import("../scenarios/JobFileDialog.tsx"));
const Tour = late(() => import("./Tour.tsx"));
const Palette = onDemand<PaletteProps>(() => import("./Palette.tsx"));
const ShortcutSheet = onDemand<ShortcutSheetProps>(() => import("./ShortcutSheet.tsx"));

/** The frame of every view: the bar at the top, time, what the page has to say, and the switch between views. */
export function Page({ pages }: { readonly pages: ViewPages }) {
  const frame = useFrame();
  const view = useCurrentView();
  const { id, title, isWithoutRun = false } = view;
  const Shown = componentOf(pages, view);
  const embed = useEmbed();
  const alone = isWithoutRun ? ["page-without-run"] : [];
  const inside = embed ? ["page-embed", ...embed.hidden.map((part) => `hides-${part}`)] : [];
  return (
    <div className={["page", `page-${frame}`, ...alone, ...inside].join(" ")}>
      {!embed && (
        <Guarded name="The bar at the top">
          <TopBar />
        </Guarded>
      )}
      <Guarded key={id} name={title} fills>
        <Suspense fallback={<Coming what={title} />}>
          <Shown />
        </Suspense>
      </Guarded>
      {!isWithoutRun && (
        <Guarded name="The time bar">
          {frame === "phone" ? <PhonePlayback /> : <PlaybackBar frame={frame} />}
        </Guarded>
      )}
      {embed ? embed.scorm === null ? <EmbedBar /> : <LmsBar /> : !hasViewsOnTop(frame) && <ViewSwitch />}
      <Guarded name="A notice">
        <Notices />
      </Guarded>
      <Guarded name="A dialog">
        <Help />
        <FindAnything />
        <OtherTools />
        <ShownAround />
      </Guarded>
      <Guarded name="A dialog">
        <ProblemsOfRun />
      </Guarded>
      <Guarded name="A dialog">
        <OfferedTrace />
      </Guarded>
      <Guarded name="A dialog">
        <OfferedJobs />
      </Guarded>
    </div>
  );
}

/** What is where, as long as somebody wants to be shown. */
function ShownAround() {
  const tour = useStore(pageStore, (page) => page.tour);
  return tour === null ? null : <Tour />;
}

function FindAnything() {
  const open = useStore(pageStore, (page) => page.palette);
  return <Palette open={open} onClose={() => pageStore.setState({ palette: false })} />;
}

function OtherTools() {
  const open = useStore(pageStore, (page) => page.rack);
  return <RackDialog open={open} onClose={() => pageStore.setState({ rack: false })} />;
}

function Help() {
  const open = useStore(pageStore, (page) => page.shortcuts);
  return <ShortcutSheet open={open} onClose={() => pageStore.setState({ shortcuts: false })} />;
}

/** A file that may be a trace: read, and looked at before it is replayed. */
function OfferedTrace() {
  const session = useSession();
  const offered = useRun((run) => run.offeredTrace);
  const close = () => session.run.setState({ offeredTrace: null });
  return <TraceDialog open={offered !== null} onClose={close} />;
}

/** A job file of fio: what its jobs become, looked at before they are the workloads. */
function OfferedJobs() {
  const session = useSession();
  const offered = useRun((run) => run.offeredJobs);
  return (
    offered && (
      <JobFileDialog open offered={offered} onClose={() => session.run.setState({ offeredJobs: null })} />
    )
  );
}

/** An engine that stopped, until somebody has answered it, and what was not opened over the run. */
function ProblemsOfRun() {
  const session = useSession();
  const trapped = useRun((run) => run.trapped);
  const [answered, setAnswered] = useState<StoppedRun | null>(null);
  const refusal = useRun((run) => run.refusal);
  return (
    <>
      {trapped && (
        <Stopped open={trapped !== answered} onClose={() => setAnswered(trapped)} trapped={trapped} />
      )}
      {refusal && (
        <NotOpened open onClose={() => session.run.setState({ refusal: null })} refusal={refusal} />
      )}
    </>
  );
}
