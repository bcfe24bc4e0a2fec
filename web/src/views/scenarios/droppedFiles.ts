import type { Session } from "../../engine/run/session.ts";
import { openFile } from "../../workbench/files/openFile.ts";
import type { Views } from "../../workbench/view/views.ts";

/**
 * Opens a file that is dropped anywhere; the browser alone would leave the page for it. What is dropped before the page has
 * appeared is opened too: it listens from when it is called.
 */
export function openDroppedFiles(session: Session, views: Views): () => void {
  const over = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  };
  const drop = (event: DragEvent) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void openFile(session, views, file);
  };
  addEventListener("dragover", over);
  addEventListener("drop", drop);
  return () => {
    removeEventListener("dragover", over);
    removeEventListener("drop", drop);
  };
}
