import { useState } from "react";
import { formatMilliseconds } from "../charts/format.ts";
import { useDocument, useRun, useSession } from "../panels/context.tsx";
import { setPath } from "../scenario/path.ts";
import { valueAt } from "../scenario/schema.ts";
import { deadlockSentence } from "../topology/index.ts";
import { Button, IconButton } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";

/** What the page has to say and what one may do about it, above the bottom bar. */
export function Notices() {
  const session = useSession();
  const faults = useRun((run) => run.faults);
  const background = useRun((run) => run.pausedInBackground && run.phase === "paused");
  const nowUs = useRun((run) => (run.pausedInBackground ? run.nowUs : 0));
  const running = useRun((run) => run.view !== null);
  const first = faults[0];
  return (
    <div className="notices">
      {first && running && (
        <Notice
          action={
            <IconButton icon="close" label="Dismiss" onClick={() => session.run.setState({ faults: [] })} />
          }
        >
          <code>{first.path || "scenario"}</code> {first.reason}. {first.fix}
          {faults.length > 1 && ` And ${faults.length - 1} more.`} The run goes on as it was.
        </Notice>
      )}
      <DeadlockNotice />
      {background && (
        <Notice
          action={
            <Button icon="play" onClick={session.play}>
              Go on
            </Button>
          }
        >
          Tab was in the background; paused at {formatMilliseconds(nowUs)} ms.
        </Notice>
      )}
    </div>
  );
}

const MARKING = "switch.marking";

/** Which links will never move again, and what would have kept them moving. */
function DeadlockNotice() {
  const session = useSession();
  const document = useDocument();
  const view = useRun((run) => run.view);
  const sentence = useRun((run) => (run.view ? deadlockSentence(run.view) : ""));
  const [dismissed, setDismissed] = useState<typeof view>(null);
  if (!sentence || dismissed === view) return null;
  const unmarked = valueAt(document, MARKING) === "off";
  return (
    <Notice
      action={
        <>
          {unmarked && (
            <Button onClick={() => session.runEdited(setPath(document, MARKING, "step"))}>
              Run again with marks
            </Button>
          )}
          <IconButton icon="close" label="Dismiss" onClick={() => setDismissed(view)} />
        </>
      }
    >
      {sentence} {unmarked ? "Marks" : "Earlier marks"}, more memory or routes without a circle prevent it.
    </Notice>
  );
}
