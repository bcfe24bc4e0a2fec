import { useRun, useScenario, useSession } from "../../panels/context.tsx";
import { TraceButton } from "../../panels/TraceButton.tsx";
import { Notice } from "../../ui/Notice.tsx";

/** A trace that the scenario replays and the page does not have. */
export function MissingTrace() {
  const session = useSession();
  const [name] = useRun((run) => run.missingTraces);
  const { workloads } = useScenario();
  const workload = workloads.findIndex(({ traffic }) => traffic.kind === "trace" && traffic.file === name);
  if (name === undefined) return null;
  return (
    <Notice
      action={<TraceButton onFile={(file) => session.run.setState({ offeredTrace: { file, workload } })} />}
    >
      The scenario replays the trace “{name}”, which is not on this page. Choose its file to run it.
    </Notice>
  );
}
