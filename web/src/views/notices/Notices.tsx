import { useState } from "react";
import { useStore } from "zustand";
import { formatMilliseconds } from "../../charts/drawing/format.ts";
import { updateStore } from "../../offline/update.ts";
import { useRun, useScenario, useSession } from "../../panels/context.tsx";
import type { RunView } from "../../run/types.ts";
import { diagnosticText } from "../../scenario/check.ts";
import { originOf } from "../../scenario/store.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { unfetchedStore } from "../../ui/fetching.ts";
import { Notice } from "../../ui/Notice.tsx";
import { late } from "../../ui/onDemand.tsx";
import { pageStore } from "../../workbench/pageStore.ts";
import { compareView } from "../../workbench/state/compareView.ts";
import { useViews } from "../../workbench/view/viewContext.tsx";
import { advisories } from "./advisories.ts";
import { MissingTrace } from "./MissingTrace.tsx";
import { SilenceNotice } from "./SilenceNotice.tsx";
import "./Notices.css";

const DeletedNotice = late(() => import("./DeletedNotice.tsx"));

/** What the page has to say and what one may do about it, above the bottom bar. */
export function Notices() {
  const session = useSession();
  const diagnostics = useRun((run) => run.diagnostics);
  const background = useRun((run) => run.pausedInBackground && run.phase === "paused");
  const nowUs = useRun((run) => (run.pausedInBackground ? run.nowUs : 0));
  const running = useRun((run) => run.view !== null);
  const missingTrace = useRun((run) => run.missingTraces.length > 0);
  const deleted = useStore(pageStore, (page) => page.deleted);
  const first = diagnostics[0];
  return (
    <div className="notices">
      <UnfetchedNotice />
      {first && running && (
        <Notice
          action={
            <IconButton
              icon="close"
              label="Dismiss"
              onClick={() => session.run.setState({ diagnostics: [] })}
            />
          }
        >
          <code>{first.path || "scenario"}</code> {diagnosticText(first)}
          {diagnostics.length > 1 && ` And ${diagnostics.length - 1} more.`} The run continues unchanged.
        </Notice>
      )}
      {missingTrace && <MissingTrace />}
      <UpdateNotice />
      <LinkNotice />
      <PinnedNotice />
      {deleted && <DeletedNotice run={deleted} />}
      <SilenceNotice />
      <Advisories />
      {background && (
        <Notice
          action={
            <Button icon="play" onClick={session.play}>
              Resume
            </Button>
          }
        >
          Tab was in the background; paused at {formatMilliseconds(nowUs)} ms.
        </Notice>
      )}
    </div>
  );
}

/** A script that something needs did not come. */
function UnfetchedNotice() {
  const first = useStore(unfetchedStore, ({ list }) => list[0]);
  if (!first) return null;
  return (
    <Notice
      action={
        <>
          <Button onClick={first.retry}>Try again</Button>
          <IconButton icon="close" label="Dismiss" onClick={first.dismiss} />
        </>
      }
    >
      A part of the page could not be fetched. The run goes on.
    </Notice>
  );
}

/** A new version of the page waits. The scenario is in the address: reloading loses nothing of it. */
function UpdateNotice() {
  const reload = useStore(updateStore, (update) => update.reload);
  if (reload === null) return null;
  return (
    <Notice action={<Button onClick={reload}>Reload</Button>}>A new version of QoScope is ready.</Notice>
  );
}

/** What a baseline is good for, in the view in which one was pinned. */
function PinnedNotice() {
  const views = useViews();
  const pinned = useStore(pageStore, (page) => page.pinned);
  const current = useStore(views.store, (state) => state.current);
  if (pinned !== current || current === compareView) return null;
  const close = () => pageStore.setState({ pinned: null });
  const compare = () => {
    close();
    views.show(compareView);
  };
  return (
    <Notice
      action={
        <>
          <Button onClick={compare}>Compare</Button>
          <IconButton icon="close" label="Dismiss" onClick={close} />
        </>
      }
    >
      This run is the baseline now. Change something, then compare.
    </Notice>
  );
}

/** What of a link could not be shown. */
function LinkNotice() {
  const views = useViews();
  const notice = useStore(views.store, (state) => state.notice);
  if (notice === null) return null;
  return (
    <Notice action={<IconButton icon="close" label="Dismiss" onClick={() => views.dismiss()} />}>
      {notice}
    </Notice>
  );
}

/** Notices beyond so many wait until one is dismissed. */
const AT_ONCE = 2;

/** What the run shows and what would prevent it, until dismissed for this run. */
function Advisories() {
  const session = useSession();
  const scenario = useScenario();
  const origin = useStore(session.store, originOf);
  const view = useRun((run) => run.view);
  useRun((run) => run.tick);
  const [dismissed, setDismissed] = useState<{
    readonly of: RunView | null;
    readonly ids: readonly string[];
  }>({
    of: null,
    ids: [],
  });
  if (!view) return null;
  const hidden = dismissed.of === view ? dismissed.ids : [];
  const shown = advisories(view, scenario, origin).filter(({ id }) => !hidden.includes(id));
  return shown.slice(0, AT_ONCE).map(({ id, sentence, remedy }) => (
    <Notice
      key={id}
      action={
        <>
          {remedy && <Button onClick={() => session.runEdited(remedy.scenario)}>{remedy.label}</Button>}
          <IconButton
            icon="close"
            label="Dismiss"
            onClick={() => setDismissed({ of: view, ids: [...hidden, id] })}
          />
        </>
      }
    >
      {sentence}
    </Notice>
  ));
}
