import { formatMilliseconds } from "../charts/format.ts";
import { useRun, useSession } from "../panels/context.tsx";
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
