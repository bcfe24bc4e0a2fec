import { fixed } from "../../charts/drawing/format.ts";
import { studyRuns } from "../../engine/campaign/study/studies.ts";
import { Button } from "../../ui/Button.tsx";
import { useStudy } from "../../workbench/study/useStudy.tsx";
import { bytesText } from "./studyText.ts";

/** What this browser keeps of all studies, and how to be rid of it. */
export function KeptResults() {
  const { count, bytes, limitBytes, fault } = useStudy().runs.kept;
  if (fault !== null || count === 0) return null;
  return (
    <>
      <p className="row-note">
        This browser keeps {count === 1 ? "one result" : `${fixed(count, 0)} results`} of all studies,{" "}
        {bytesText(bytes)}, so that none is made twice. Beyond {bytesText(limitBytes)} those go first that
        were used least recently.
      </p>
      <div className="button-row">
        <Button onClick={() => void studyRuns.forgetKept()}>Forget kept results</Button>
      </div>
    </>
  );
}
