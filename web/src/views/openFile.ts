import type { Session } from "../engine/session.ts";

/** A scenario is JSON; a file of lines with columns, or one that is packed, is taken for a trace. */
export async function openFile(session: Session, file: File): Promise<void> {
  if (await isTrace(file)) session.run.setState({ offeredTrace: { file, workload: null } });
  else await session.open({ kind: "file", file });
}

/** Asks the person for a file. */
export function chooseFile(session: Session): void {
  const input = document.createElement("input");
  input.type = "file";
  input.onchange = () => {
    const [file] = input.files ?? [];
    if (file) void openFile(session, file);
  };
  input.click();
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
