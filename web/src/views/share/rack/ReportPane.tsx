import { useEffect, useState } from "react";
import { studyRuns } from "../../../engine/campaign/study/studies.ts";
import { openRack } from "../../../engine/files/rack.ts";
import type { Session } from "../../../engine/run/session.ts";
import { useSession } from "../../../panels/context.tsx";
import type { Scenario } from "../../../scenario/types.ts";
import { Button } from "../../../ui/Button.tsx";
import { Markdown } from "../../../ui/Markdown.tsx";
import { fileStem, saveFile } from "../../../workbench/save.ts";
import { isOpenOf } from "../../../workbench/study/useStudy.tsx";
import { CopyButton } from "../CopyButton.tsx";
import { NotWritten, Pane } from "./Pane.tsx";

/** The study that is open, if it is one of the scenario and done. */
function studied(scenario: Scenario) {
  const { document, table, answer } = studyRuns.store.getState();
  return document && table && answer && isOpenOf(scenario) ? ([document, table, answer] as const) : null;
}

/** The report of the run as it stands, as Markdown. */
async function reportOf(session: Session, signal: AbortSignal): Promise<string> {
  const summary = await session.summary();
  const asking = openRack();
  const end = () => asking.end(new Error("it is no longer shown"));
  signal.addEventListener("abort", end);
  try {
    const { scenario } = session;
    return await asking.api.report(JSON.stringify(scenario), summary, studied(scenario));
  } finally {
    end();
  }
}

type Report = { readonly text: string } | { readonly failure: string } | null;

/** What was settled on and why, to be handed on: on paper, or as Markdown. */
export function ReportPane() {
  const session = useSession();
  const [report, setReport] = useState<Report>(null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt has it written anew
  useEffect(() => {
    const shown = new AbortController();
    const tell = (next: Report) => !shown.signal.aborted && setReport(next);
    reportOf(session, shown.signal).then(
      (text) => tell({ text }),
      (error: Error) => tell({ failure: error.message }),
    );
    return () => shown.abort();
  }, [session, attempt]);
  if (!report || "failure" in report)
    return (
      <NotWritten
        label="Report"
        failure={report?.failure ?? null}
        retry={() => {
          setReport(null);
          setAttempt(attempt + 1);
        }}
      />
    );
  return (
    <>
      <Pane label="Report">
        <article className="rack-report prints-alone">
          <Markdown text={report.text} />
        </article>
      </Pane>
      <footer className="rack-foot">
        <p className="note">Of the run as it stands. Nothing was sent.</p>
        <span className="spring" />
        <CopyButton text={report.text}>Copy Markdown</CopyButton>
        <Button
          icon="download"
          onClick={() => saveFile(report.text, `${fileStem(session.scenario)}-report.md`, "text/markdown")}
        >
          Save as Markdown
        </Button>
        <Button look="primary" icon="print" onClick={() => print()}>
          Print
        </Button>
      </footer>
    </>
  );
}
