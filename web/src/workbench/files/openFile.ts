import type { Session } from "../../engine/run/session.ts";
import { DOCUMENT_LIMIT } from "../../scenario/codec.ts";
import { isDrive, isMeasured, isNamedAsLog } from "../fit/measuredFile.ts";
import { learnView } from "../state/learnView.ts";
import { storageView } from "../state/storageView.ts";
import type { Views } from "../view/views.ts";
import { isJobFile } from "./jobFile.ts";
import { isLesson } from "./lessonFile.ts";
import { isStudy } from "./studyFile.ts";

/**
 * What is in the file decides: a scenario, a lesson and a study are JSON, sections with options a job file of fio, lines with columns a trace, unless
 * fio named them as a log.
 */
export async function openFile(session: Session, views: Views, file: File): Promise<void> {
  if (isNamedAsLog(file.name)) {
    await openMeasured(views, file);
    return;
  }
  const text = await textOf(file);
  if (text !== null && isJobFile(text)) {
    session.run.setState({ offeredJobs: { name: file.name, text } });
    return;
  }
  if (await isTrace(file)) {
    session.run.setState({ offeredTrace: { file, workload: null } });
    return;
  }
  if (text !== null && isLesson(text)) views.open(learnView, { own: text });
  else if (text !== null && (isMeasured(text) || isDrive(text))) await openMeasured(views, file);
  else if (text !== null && isStudy(text)) {
    const { openStudy } = await import("../study/openStudy.ts");
    await openStudy(session, views, { name: file.name, text });
  } else await session.open({ kind: "file", file });
}

/** Takes a file of measurements to where a drive is fitted to them. */
async function openMeasured(views: Views, file: File): Promise<void> {
  const { takeFiles } = await import("../fit/takeFiles.ts");
  views.open(storageView, { fit: true });
  await takeFiles([file]);
}

/** The text of a document; null where it cannot be read, or is larger than any. */
async function textOf(file: Blob): Promise<string | null> {
  if (file.size > DOCUMENT_LIMIT) return null;
  try {
    return await file.text();
  } catch {
    return null;
  }
}

/** Asks the person for a file. */
export function chooseFile(session: Session, views: Views): void {
  const input = document.createElement("input");
  input.type = "file";
  input.onchange = () => {
    const [file] = input.files ?? [];
    if (file) void openFile(session, views, file);
  };
  input.click();
}

/** Bytes of a file that tell what it is. */
const BEGINNING = 4096;

/**
 * Whether a file is lines with columns, packed or not. What cannot be read, a folder for one, is no trace: the check of scenarios says
 * so. Of what cannot be unpacked the reader of traces does.
 */
export async function isTrace(file: Blob): Promise<boolean> {
  const head = await file
    .slice(0, BEGINNING)
    .arrayBuffer()
    .catch(() => null);
  if (!head) return false;
  const packed = new Uint8Array(head);
  const isPacked = packed[0] === 0x1f && packed[1] === 0x8b;
  const bytes = isPacked ? await unpackedBeginning(file).catch(() => null) : packed;
  if (!bytes) return true;
  if (bytes.includes(0)) return false;
  const text = new TextDecoder().decode(bytes).trimStart();
  if (/^[{["]/.test(text)) return false;
  const line = text.split(/\r?\n/).find((item) => item.trim() !== "" && !item.startsWith("#"));
  // Names and instants, by commas or blanks; a word alone is no row.
  return line !== undefined && /[^\s,][,\t ]+[^\s,]/.test(line);
}

/** The first bytes of what a file unpacks to. */
async function unpackedBeginning(file: Blob): Promise<Uint8Array> {
  const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return (value ?? new Uint8Array()).subarray(0, BEGINNING);
}
