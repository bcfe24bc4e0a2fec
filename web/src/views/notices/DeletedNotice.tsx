import type { SavedRun } from "../../scenario/saved.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { pageStore } from "../../workbench/pageStore.ts";
import { putBack } from "../../workbench/scenarios/savedRuns.ts";

/** A saved run is gone, and can come back as it was. */
export default function DeletedNotice({ run }: { readonly run: SavedRun }) {
  return (
    <Notice
      action={
        <>
          <Button onClick={() => void putBack(run)}>Undo</Button>
          <IconButton icon="close" label="Dismiss" onClick={() => pageStore.setState({ deleted: null })} />
        </>
      }
    >
      “{run.name}” is deleted from this browser.
    </Notice>
  );
}
