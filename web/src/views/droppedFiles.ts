import type { Session } from "../engine/session.ts";

/**
 * Opens a file that is dropped anywhere; the browser alone would leave the page for it. What is dropped before the page has
 * appeared is opened too: it listens from when it is called.
 */
export function openDroppedFiles(session: Session): () => void {
  const over = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  };
  const drop = (event: DragEvent) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void openFile(session, file);
  };
  addEventListener("dragover", over);
  addEventListener("drop", drop);
  return () => {
    removeEventListener("dragover", over);
    removeEventListener("drop", drop);
  };
}

/** A scenario is JSON; a file of lines with columns, or one that is packed, is taken for a trace. */
async function openFile(session: Session, file: File): Promise<void> {
  if (await isTrace(file)) session.run.setState({ offeredTrace: { file, workload: null } });
  else await session.open({ kind: "file", file });
}

/** What cannot be read, a folder for one, is no trace: the check of scenarios says so. */
async function isTrace(file: File): Promise<boolean> {
  const beginning = await file
    .slice(0, 512)
    .arrayBuffer()
    .catch(() => null);
  if (!beginning) return false;
  const bytes = new Uint8Array(beginning);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return true;
  const [line = ""] = new TextDecoder().decode(bytes).trimStart().split("\n");
  return !/^[{[]/.test(line) && /\d[ ,\t]|,[A-Z]/.test(line);
}
