import { formatMilliseconds } from "../../charts/drawing/format.ts";
import { useRun, useSession } from "../../panels/context.tsx";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";

/** The engine has stopped answering: where the run stood, and the way back to there. Goes when it answers again. */
export function SilenceNotice() {
  const session = useSession();
  const silent = useRun((run) => run.silent);
  const nowUs = useRun((run) => (run.silent ? run.nowUs : 0));
  const at = `${formatMilliseconds(nowUs)} ms`;
  if (!silent) return null;
  return (
    <Notice
      action={
        <Button icon="restart" onClick={session.resume}>
          Resume at {at}
        </Button>
      }
    >
      The engine has stopped answering. The run stood at {at}; the scenario and the charts are kept.
    </Notice>
  );
}
