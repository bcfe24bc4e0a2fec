import { formatMilliseconds } from "../../charts/drawing/format.ts";
import { useRun, useScenario, useSession } from "../../panels/context.tsx";
import { Button, IconButton } from "../../ui/Button.tsx";
import "./ForkChip.css";

/** Where the run left its old future, which the charts still show, and the way back to it. */
export function ForkChip() {
  const session = useSession();
  const { timeline = [] } = useScenario();
  const fork = useRun((run) => run.fork);
  if (!fork) return null;
  const isMoreToCome = timeline.some(({ atUs }) => atUs > fork.atUs);
  return (
    <div
      className="fork"
      role="status"
      title={`The faint lines are the run without the change.${
        isMoreToCome ? " What is recorded for later still takes effect." : ""
      }`}
    >
      <span>forked at {formatMilliseconds(fork.atUs, 2)} ms</span>
      <Button look="link" onClick={session.undo}>
        Undo
      </Button>
      <IconButton icon="close" label="Dismiss the old future" onClick={session.dismissFork} />
    </div>
  );
}
