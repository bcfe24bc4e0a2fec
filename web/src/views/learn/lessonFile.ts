import { DOCUMENT_LIMIT } from "../../scenario/codec.ts";

/** Whether a text is of a lesson, right or not: it has a list of steps of the kinds that lessons have. */
export const isLesson = (text: string): boolean =>
  /"steps"\s*:\s*\[/.test(text) && /"kind"\s*:\s*"(read|predict|explore|challenge|compare)"/.test(text);

/** The text of a file where it is a lesson; null where it is none, or cannot be read. */
export async function lessonIn(file: Blob): Promise<string | null> {
  if (file.size > DOCUMENT_LIMIT) return null;
  try {
    const text = await file.text();
    return isLesson(text) ? text : null;
  } catch {
    return null;
  }
}

/** Asks the person for the file of a lesson; what it holds the engine judges. */
export function chooseLesson(open: (text: string) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".json,application/json";
  input.onchange = async () => {
    const [file] = input.files ?? [];
    if (file) open(await file.text());
  };
  input.click();
}
